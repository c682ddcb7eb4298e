/** How two values of items compare, from the definition (SQL.md, "Types"). */
import { compareNumbers, parseNumber, type ExactNumber } from '../../src/logical/exact-number.ts';
import type { TestCell } from './batches.ts';

/** -1, 0, 1; 'unlike' where neither equals, precedes or follows the other; null where one is missing. */
export type Sign = number | 'unlike' | null;

const isNumberCell = (cell: TestCell): cell is number | bigint | { readonly n: string } =>
  typeof cell === 'number' ||
  typeof cell === 'bigint' ||
  (typeof cell === 'object' && cell !== null && 'n' in cell);

function numberOf(cell: TestCell): ExactNumber | null {
  if (typeof cell === 'boolean') return parseNumber(cell ? '1' : '0');
  if (typeof cell === 'string') return parseNumber(cell.trim());
  if (!isNumberCell(cell)) return null;
  return parseNumber(typeof cell === 'object' ? cell.n : String(cell));
}

function truthOf(cell: TestCell): boolean | null {
  if (typeof cell === 'boolean') return cell;
  if (typeof cell !== 'string') return null;
  if (/^(t|true|y|yes|1)$/i.test(cell)) return true;
  return /^(f|false|n|no|0)$/i.test(cell) ? false : null;
}

function textOf(cell: TestCell): string {
  if (typeof cell === 'string') return cell;
  if (typeof cell !== 'object' || cell === null) throw new Error('no text');
  return 'b' in cell ? cell.b : 'json' in cell ? cell.json : cell.n;
}

const kindOf = (cell: TestCell): string =>
  isNumberCell(cell)
    ? 'number'
    : typeof cell === 'object' && cell !== null
      ? Object.keys(cell).join()
      : typeof cell;

function compared<T>(a: T | null, b: T | null, order: (a: T, b: T) => number): Sign {
  return a === null || b === null ? 'unlike' : Math.sign(order(a, b));
}

export function signOf(a: TestCell, b: TestCell): Sign {
  if (a === null || a === undefined || b === null || b === undefined) return null;
  const kinds = [kindOf(a), kindOf(b)];
  if (kinds.includes('number')) return compared(numberOf(a), numberOf(b), compareNumbers);
  if (kinds.includes('boolean'))
    return compared(truthOf(a), truthOf(b), (one, other) => Number(one) - Number(other));
  if (kinds[0] !== kinds[1] && !kinds.includes('string')) return 'unlike';
  const encoding = kinds.every((kind) => kind === 'b') ? 'base64' : 'utf8';
  return Buffer.compare(Buffer.from(textOf(a), encoding), Buffer.from(textOf(b), encoding));
}

const TESTS = {
  '=': (sign: number | 'unlike') => sign === 0,
  '<>': (sign: number | 'unlike') => sign !== 0,
  '<': (sign: number | 'unlike') => sign === -1,
  '<=': (sign: number | 'unlike') => sign === -1 || sign === 0,
  '>': (sign: number | 'unlike') => sign === 1,
  '>=': (sign: number | 'unlike') => sign === 1 || sign === 0,
} as const;

export type Operator = keyof typeof TESTS;
export const OPERATORS = Object.keys(TESTS) as readonly Operator[];

export function holds(operator: Operator, a: TestCell, b: TestCell): boolean | null {
  const sign = signOf(a, b);
  return sign === null ? null : TESTS[operator](sign);
}
