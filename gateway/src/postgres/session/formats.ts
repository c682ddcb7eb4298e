/** Columns as clients are told of them, and the formats that they ask for. */
import { PgError } from '../errors/pg-error.ts';
import type { ResultColumn } from '../results/open-result.ts';
import { typeSize } from '../types/oids.ts';
import * as backend from '../wire/backend.ts';

/** What rows look like; those of no format are text. */
export const describeRows = (columns: readonly ResultColumn[], formats: readonly number[] = []): Buffer =>
  backend.rowDescription(
    columns.map(({ name, typeOid, typeModifier }, i) => ({
      ...{ name, typeOid, typeModifier, typeSize: typeSize(typeOid), format: formats[i] ?? 0 },
    })),
  );

/** Of so many values: none given means text, one means all. @throws PgError */
export function formatsFor(given: readonly number[], count: number, what: string): readonly number[] {
  if (given.length === 0) return [];
  if (given.length === 1) return Array.from({ length: count }, () => given[0] ?? 0);
  if (given.length === count) return given;
  throw new PgError({
    code: '08P01',
    message: `bind message has ${given.length} ${what} formats but there are ${count} ${what}s`,
  });
}
