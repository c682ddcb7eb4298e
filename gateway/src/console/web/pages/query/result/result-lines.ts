/** The lines of a streamed result that are no rows: what its columns are, how it ended, or why it did not. */
import type { Problem } from '../../../net/outcome.ts';

export interface ResultColumn {
  readonly name: string;
  /** E.g. BIGINT, DECIMAL(10,2), VARCHAR, BOOLEAN, JSON, MIXED. */
  readonly type: string;
}

/** What a read of the plan has cost. */
export interface ReadReport {
  /** As the plan names it: `shop.orders`. */
  readonly table: string;
  /** What the statement calls it. */
  readonly alias: string;
  readonly readUnits: number;
  readonly items: number;
}

export interface ResultEnd {
  readonly rows: number;
  readonly readUnits: number;
  /** Milliseconds. */
  readonly planTime: number;
  /** Milliseconds. */
  readonly execTime: number;
  readonly warnings?: readonly string[];
  /** Absent where the gateway or its engine does not say. */
  readonly reads?: readonly ReadReport[];
}

export type ResultLine =
  | { readonly kind: 'columns'; readonly columns: readonly ResultColumn[] }
  | { readonly kind: 'end'; readonly end: ResultEnd }
  | { readonly kind: 'problem'; readonly problem: Problem };

interface Written {
  readonly columns?: readonly string[];
  readonly columnTypes?: readonly string[];
  readonly error?: string;
  readonly detailedError?: string;
}

/** @throws SyntaxError where it is no JSON */
export function resultLine(line: Uint8Array): ResultLine {
  const written = JSON.parse(new TextDecoder().decode(line)) as Written & ResultEnd;
  if (written.columns !== undefined) {
    const types = written.columnTypes ?? [];
    return { kind: 'columns', columns: written.columns.map((name, i) => ({ name, type: types[i] ?? '' })) };
  }
  if (written.error === undefined) return { kind: 'end', end: written };
  const detail = written.detailedError;
  const problem: Problem = {
    kind: 'refused',
    message: written.error,
    ...(detail === undefined ? {} : { detail }),
  };
  return { kind: 'problem', problem };
}
