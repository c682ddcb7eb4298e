/**
 * `ROWS … EXCLUDE GROUP` and `EXCLUDE TIES`. A ROWS frame goes by an order in which no two rows are equal, so that it is
 * the same on every run; but who are peers goes by the order that was asked for. So the rows before the peers, the row
 * itself and the rows after the peers are three frames, whose values are put together: of the functions listed here.
 */
import type { AggregateCall, WindowSpecification } from './expression.ts';

/** How the values of parts of a frame make the value of the whole. */
export type PartsRule =
  /** By a DuckDB aggregate over the parts' values. */
  | { readonly kind: 'aggregate'; readonly name: string }
  | { readonly kind: 'mean' }
  /** The value of the first, or the last, part that has rows. */
  | { readonly kind: 'place'; readonly from: 'first' | 'last' };

const aggregate = (name: string): PartsRule => Object.freeze({ kind: 'aggregate', name });

const RULES: Readonly<Record<string, PartsRule>> = Object.freeze({
  COUNT: aggregate('sum'),
  COUNT_IF: aggregate('sum'),
  REGR_COUNT: aggregate('sum'),
  SUM: aggregate('sum'),
  MIN: aggregate('min'),
  MAX: aggregate('max'),
  ANY_VALUE: aggregate('min'),
  BOOL_AND: aggregate('bool_and'),
  BOOL_OR: aggregate('bool_or'),
  BIT_AND: aggregate('bit_and'),
  BIT_OR: aggregate('bit_or'),
  BIT_XOR: aggregate('bit_xor'),
  PRODUCT: aggregate('product'),
  AVG: Object.freeze({ kind: 'mean' }),
  FIRST_VALUE: Object.freeze({ kind: 'place', from: 'first' }),
  LAST_VALUE: Object.freeze({ kind: 'place', from: 'last' }),
});

/** Functions of a row's place in its partition: a frame changes nothing of what they give. */
const WITHOUT_FRAME: ReadonlySet<string> = new Set([
  ...['ROW_NUMBER', 'RANK', 'DENSE_RANK', 'PERCENT_RANK', 'CUME_DIST', 'NTILE', 'LAG', 'LEAD'],
]);

export const ignoresFrame = ({ name }: AggregateCall): boolean => WITHOUT_FRAME.has(name);

/** True where the frame is put together of parts. */
export function excludesPeers(call: AggregateCall, { frame }: WindowSpecification): boolean {
  if (frame === null || frame.unit !== 'ROWS' || ignoresFrame(call)) return false;
  return frame.exclude === 'GROUP' || frame.exclude === 'TIES';
}

/** How the function is put together; null where it cannot be. */
export function partsRule(call: AggregateCall): PartsRule | null {
  const ordered = call.orderBy.length > 0 && call.name === 'ANY_VALUE';
  const isWhole = call.distinct && !['MIN', 'MAX', 'BOOL_AND', 'BOOL_OR'].includes(call.name);
  if (ordered || isWhole || !Object.hasOwn(RULES, call.name)) return null;
  return RULES[call.name] ?? null;
}

/** False where the call's frame leaves out peers and it cannot be put together of parts. */
export function mayExcludePeers(call: AggregateCall, window: WindowSpecification): boolean {
  return !excludesPeers(call, window) || partsRule(call) !== null;
}
