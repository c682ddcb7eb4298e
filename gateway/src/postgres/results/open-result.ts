/** A result whose rows are taken when somebody wants them. */
import type { Cell } from '../wire/backend.ts';

export interface ResultColumn {
  readonly name: string;
  readonly typeOid: number;
  readonly typeModifier: number;
}

export type Row = readonly Cell[];

/** What is told of a result once it is at its end. */
export interface ResultEnd {
  /** Null: it read nothing that is metered. */
  readonly readUnits: number | null;
  readonly warnings: readonly string[];
}

export interface OpenResult {
  /** At most so many rows: fewer where fewer are there; none at the end. Rejects with PgError. */
  next(max: number): Promise<readonly Row[]>;
  /** Null before the end, and where it is not known yet that this is it. */
  readonly end: ResultEnd | null;
  /** Ends what runs for it. */
  close(reason: unknown): Promise<void>;
}

const NOTHING_READ: ResultEnd = Object.freeze({ readUnits: null, warnings: [] });

/** Of rows that are there. */
export function ofRows(rows: readonly Row[]): OpenResult {
  let at = 0;
  return {
    next: async (max) => {
      const taken = rows.slice(at, at + max);
      at += taken.length;
      return taken;
    },
    get end() {
      return at >= rows.length ? NOTHING_READ : null;
    },
    close: async () => undefined,
  };
}

/** Of batches that come: holds one of them. `close` is told the rows that were taken. */
export function ofBatches(
  batches: AsyncGenerator<readonly Row[], ResultEnd>,
  closed: (reason: unknown, rowsTaken: number) => Promise<void>,
): OpenResult {
  let batch: readonly Row[] = [];
  let at = 0;
  let taken = 0;
  let end: ResultEnd | null = null;

  const fill = async (): Promise<void> => {
    while (at >= batch.length && end === null) {
      const step = await batches.next();
      if (step.done === true) end = step.value;
      else [batch, at] = [step.value, 0];
    }
  };
  return {
    async next(max) {
      await fill();
      const rows = at === 0 && batch.length <= max ? batch : batch.slice(at, at + max);
      at += rows.length;
      taken += rows.length;
      return rows;
    },
    get end() {
      return at >= batch.length ? end : null;
    },
    async close(reason) {
      const isDone = end !== null && at >= batch.length;
      batch = [];
      if (!isDone) await closed(reason, taken);
    },
  };
}
