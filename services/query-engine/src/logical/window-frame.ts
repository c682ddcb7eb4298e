/** What is known of a window's frame before there are rows. */
import type { Expression, WindowSpecification } from './expression.ts';

type Frame = NonNullable<WindowSpecification['frame']>;

/** A distance that is a number in the statement; null for any other. */
export function constantDistance(offset: Expression): number | null {
  if (offset.kind !== 'Literal' || offset.value.type !== 'number') return null;
  return Number(offset.value.text);
}

/**
 * True where both bounds are on one side of the current row, so that the end may come before the start. Not of a RANGE:
 * whatever its distances, the frame of rows without a value to add them to is these rows.
 */
function isOneSided({ unit, start, end }: Frame): boolean {
  return unit !== 'RANGE' && start.kind === end.kind;
}

/** True where the frame ends before it starts for every row. */
export function isEmptyFrame(frame: Frame): boolean {
  const { start, end } = frame;
  if (!isOneSided(frame) || start.offset === null || end.offset === null) return false;
  const [from, to] = [constantDistance(start.offset), constantDistance(end.offset)];
  if (from === null || to === null) return false;
  return start.kind === 'Following' ? from > to : from < to;
}

/** True where it cannot be told before there are rows whether it does. */
export function mayBeEmptyFrame(frame: Frame): boolean {
  const { start, end } = frame;
  if (!isOneSided(frame) || start.offset === null || end.offset === null) return false;
  return constantDistance(start.offset) === null || constantDistance(end.offset) === null;
}
