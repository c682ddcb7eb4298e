import { createHash } from 'node:crypto';
import type { Expected } from './script.ts';

/** A row value printed as the corpus prints it: `%d`, `%.3f`, text; NULL and (empty) by name. */
function printValue(value: unknown, type: string): string {
  if (value === null) return 'NULL';
  if (type === 'I') return typeof value === 'boolean' ? String(Number(value)) : integer(value);
  if (type === 'R') return Number(value).toFixed(3);
  if (typeof value === 'boolean') return String(Number(value));
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '' ? '(empty)' : text.replaceAll(/[^\x20-\x7e]/g, '@');
}

/** Like C's `%d` on what the engine gave: the whole part, and 0 for text that is no number. */
function integer(value: unknown): string {
  const number = typeof value === 'bigint' ? value : Math.trunc(Number(value));
  return Number.isNaN(number) ? '0' : String(number === 0 ? 0 : number);
}

/** Whether the rows are the expected ones, and how both look. */
export function compare(
  rows: readonly (readonly unknown[])[],
  types: string,
  sort: 'nosort' | 'rowsort' | 'valuesort',
  expected: Expected,
): { readonly equal: boolean; readonly got: readonly string[] } {
  const printed = rows.map((row) => row.map((value, i) => printValue(value, types[i] ?? 'T')));
  const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (sort === 'rowsort') printed.sort((a, b) => compareRows(a, b, byBytes));
  const got = printed.flat();
  if (sort === 'valuesort') got.sort(byBytes);
  if (expected.kind === 'Values') {
    return {
      equal: got.length === expected.values.length && got.every((v, i) => v === expected.values[i]),
      got,
    };
  }
  const md5 = createHash('md5')
    .update(got.map((value) => `${value}\n`).join(''))
    .digest('hex');
  return { equal: got.length === expected.count && md5 === expected.md5, got };
}

function compareRows(
  a: readonly string[],
  b: readonly string[],
  compareValues: (a: string, b: string) => number,
): number {
  for (const [i, value] of a.entries()) {
    const order = compareValues(value, b[i] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}
