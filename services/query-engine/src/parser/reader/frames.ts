import type { AstWindowFrame, FrameBound } from '../ast.ts';
import { BINDING } from '../precedence.ts';
import { nextUpper, take, upperAt, type Cursor } from './cursor.ts';
import { isCloser } from './lookahead.ts';
import { require, unexpected, unsupported } from './refusals.ts';

const BOUND_ORDER: readonly FrameBound['kind'][] = [
  ...(['UnboundedPreceding', 'Preceding', 'CurrentRow', 'Following', 'UnboundedFollowing'] as const),
];
const DIRECTIONS: ReadonlySet<string> = new Set(['PRECEDING', 'FOLLOWING']);

/** Whether a frame is next: ROWS, RANGE and GROUPS are names too, but not after a complete expression. */
export function startsFrame(cursor: Cursor): boolean {
  const isUnit = ['ROWS', 'RANGE', 'GROUPS'].includes(nextUpper(cursor));
  return isUnit && upperAt(cursor, cursor.at + 1) !== ')';
}

/** Reads the frame of a window. */
export function readFrame(cursor: Cursor): AstWindowFrame {
  const unit = nextUpper(cursor) as AstWindowFrame['unit'];
  cursor.at++;
  const between = take(cursor, 'BETWEEN');
  const startsAt = cursor.at;
  const start = readBound(cursor);
  if (between) require(cursor, 'AND');
  const endsAt = between ? cursor.at : startsAt;
  const end: FrameBound = between ? readBound(cursor) : { kind: 'CurrentRow' };
  if (start.kind === 'UnboundedFollowing') {
    const what = 'a frame that starts at UNBOUNDED FOLLOWING';
    throw unsupported(cursor, startsAt, what, 'write UNBOUNDED PRECEDING');
  }
  if (end.kind === 'UnboundedPreceding') {
    const what = 'a frame that ends at UNBOUNDED PRECEDING';
    throw unsupported(cursor, endsAt, what, 'write UNBOUNDED FOLLOWING');
  }
  if (BOUND_ORDER.indexOf(start.kind) > BOUND_ORDER.indexOf(end.kind)) {
    throw unsupported(cursor, endsAt, 'a frame that ends before it starts', 'swap its bounds');
  }
  return { unit, start, end, exclude: readExclude(cursor) };
}

const endsBound = (cursor: Cursor): boolean =>
  nextUpper(cursor) === 'AND' || nextUpper(cursor) === 'EXCLUDE' || isCloser(cursor);

function readBound(cursor: Cursor): FrameBound {
  const upper = nextUpper(cursor);
  const following = upperAt(cursor, cursor.at + 1);
  if (upper === 'CURRENT' && following === 'ROW') {
    cursor.at += 2;
    return { kind: 'CurrentRow' };
  }
  if (upper === 'UNBOUNDED' && DIRECTIONS.has(following)) {
    cursor.at += 2;
    return { kind: following === 'PRECEDING' ? 'UnboundedPreceding' : 'UnboundedFollowing' };
  }
  const expected = ['PRECEDING', 'FOLLOWING', 'CURRENT ROW'];
  if (endsBound(cursor)) throw unexpected(cursor, cursor.at, expected);
  // What binds no tighter than BETWEEN needs parentheses.
  const offset = cursor.grammar.climb(cursor, BINDING.RANGE + 1);
  if (take(cursor, 'PRECEDING')) return { kind: 'Preceding', offset };
  if (take(cursor, 'FOLLOWING')) return { kind: 'Following', offset };
  throw unexpected(cursor, cursor.at, expected);
}

function readExclude(cursor: Cursor): AstWindowFrame['exclude'] {
  if (!take(cursor, 'EXCLUDE')) return null;
  const first = nextUpper(cursor);
  const isLast = upperAt(cursor, cursor.at + 1) === ')';
  const words = isLast ? first : `${first} ${upperAt(cursor, cursor.at + 1)}`;
  if ((words === 'GROUP' || words === 'TIES') && isLast) {
    cursor.at += 1;
    return words;
  }
  if ((words === 'CURRENT ROW' || words === 'NO OTHERS') && upperAt(cursor, cursor.at + 2) === ')') {
    cursor.at += 2;
    return words === 'CURRENT ROW' ? words : null;
  }
  throw unexpected(cursor, cursor.at, ['CURRENT ROW', 'GROUP', 'TIES', 'NO OTHERS']);
}
