/**
 * `ROWS … EXCLUDE GROUP` and `EXCLUDE TIES`. A ROWS frame goes by an order in which no two rows are equal, so that it is
 * the same on every run; but who are peers goes by the order that was asked for. So the rows before the peers, the row
 * itself and the rows after the peers are three frames, whose values are put together: of functions that have `parts`.
 */
import type { AggregateCall, WindowSpecification } from './expression.ts';
import type { PartsRule } from './functions/definition.ts';
import { aggregateNamed } from './functions/list.ts';

/** True of functions of a row's place in its partition: a frame changes nothing of what they give. */
export const ignoresFrame = ({ name }: AggregateCall): boolean => aggregateNamed(name).frame === 'ignored';

/** True where the frame is put together of parts. */
export function excludesPeers(call: AggregateCall, { frame }: WindowSpecification): boolean {
  if (frame === null || frame.unit !== 'ROWS' || ignoresFrame(call)) return false;
  return frame.exclude === 'GROUP' || frame.exclude === 'TIES';
}

/** How the function is put together; null where it cannot be. */
export function partsRule(call: AggregateCall): PartsRule | null {
  const ordered = call.orderBy.length > 0 && call.name === 'ANY_VALUE';
  const isWhole = call.distinct && !['MIN', 'MAX', 'BOOL_AND', 'BOOL_OR'].includes(call.name);
  return ordered || isWhole ? null : aggregateNamed(call.name).parts;
}

/** False where the call's frame leaves out peers and it cannot be put together of parts. */
export function mayExcludePeers(call: AggregateCall, window: WindowSpecification): boolean {
  return !excludesPeers(call, window) || partsRule(call) !== null;
}
