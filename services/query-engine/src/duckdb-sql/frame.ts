/** The frame of a window: in the forms that DuckDB gets right, with distances that are looked at. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Expression, SortKey, WindowFrameBound, WindowSpecification } from '../logical/expression.ts';
import { constantDistance, isEmptyFrame } from '../logical/window-frame.ts';
import { toNumber } from './types/convert.ts';
import { isNumber, typeLabel, type Typed } from './types/sql-type.ts';
import { writeExpression } from './expression.ts';
import { quoteText } from './literal.ts';
import { placed } from './placed.ts';
import type { WriteScope } from './scope.ts';

type Frame = NonNullable<WindowSpecification['frame']>;

/** No row, whatever the place. */
export const NO_ROWS = 'ROWS BETWEEN 1 FOLLOWING AND 0 FOLLOWING';

/** Of a RANGE the distance is added to the value that is ordered by. */
function checkDistance(
  key: SortKey | undefined,
  distance: Typed,
  expression: Expression,
  scope: WriteScope,
): void {
  if (key === undefined) return;
  const { type } = writeExpression(key.expression, scope);
  const isInterval = distance.type.kind === 'temporal' && distance.type.sql === 'INTERVAL';
  const fits = isInterval ? type.kind === 'temporal' : isNumber(type) && isNumber(distance.type);
  if (fits || type.kind === 'null' || distance.type.kind === 'null') return;
  placed(expression.pos, () => {
    throw new PenstockError(
      'TYPE_ERROR',
      `Type error: RANGE cannot add ${typeLabel(distance.type)} to ${typeLabel(type)}; cast what it is ordered by`,
    );
  });
}

function unless(sql: string, test: string, message: string): string {
  return `CASE WHEN ${sql} ${test} THEN ${sql} ELSE error(${quoteText(message)}) END`;
}

const NO_DISTANCE = 'the distance of a window frame must be a number from 0 on';
const NO_STEP = 'the distance of this bound must be above 0: for 0, write CURRENT ROW';

function distanceInRange(value: Typed, offset: Expression, mayBeNought: boolean): string {
  if (constantDistance(offset) !== null) return value.sql;
  if (mayBeNought) return unless(value.sql, 'IS NOT NULL', NO_DISTANCE);
  const nought = value.type.kind === 'temporal' ? "INTERVAL '0 seconds'" : '0';
  return unless(value.sql, `> ${nought}`, NO_STEP);
}

/** `mayBeNought`: false where DuckDB, in a RANGE, takes 0 for one row of several that are equal. */
function distanceOf(
  offset: Expression,
  unit: Frame['unit'],
  key: SortKey | undefined,
  mayBeNought: boolean,
  scope: WriteScope,
): string {
  const value = writeExpression(offset, scope);
  if (unit === 'RANGE') {
    checkDistance(key, value, offset, scope);
    return distanceInRange(value, offset, mayBeNought);
  }
  const rows = `CAST(${placed(offset.pos, () => toNumber(value)).sql} AS BIGINT)`;
  return constantDistance(offset) === null ? unless(rows, '>= 0', NO_DISTANCE) : rows;
}

/** A distance, in parentheses where need be; for bounds that have one. */
export function writeDistance(offset: Expression | null, scope: WriteScope): string {
  return offset === null ? '0' : distanceOf(offset, 'ROWS', undefined, true, scope);
}

/** A bound of the frame as DuckDB has it. */
export function writeBound(
  { kind, offset }: WindowFrameBound,
  side: 'start' | 'end',
  { unit }: Pick<Frame, 'unit'>,
  key: SortKey | undefined,
  scope: WriteScope,
): string {
  const inner = side === 'start' ? 'Following' : 'Preceding';
  const distance = (): string =>
    offset === null ? '0' : distanceOf(offset, unit, key, kind !== inner, scope);
  switch (kind) {
    case 'UnboundedPreceding':
      return 'UNBOUNDED PRECEDING';
    case 'UnboundedFollowing':
      return 'UNBOUNDED FOLLOWING';
    case 'CurrentRow':
      return 'CURRENT ROW';
    case 'Preceding':
      return `${distance()} PRECEDING`;
    case 'Following':
      return `${distance()} FOLLOWING`;
  }
}

const CURRENT_ROW: WindowFrameBound = Object.freeze({ kind: 'CurrentRow', offset: null });

/** The current row for a distance of 0 from it, where a frame may have it so. */
function withoutNought({ start, end }: Frame): readonly [WindowFrameBound, WindowFrameBound] {
  const isNought = ({ offset }: WindowFrameBound): boolean =>
    offset !== null && constantDistance(offset) === 0;
  return [
    isNought(start) && end.kind !== 'Preceding' ? CURRENT_ROW : start,
    isNought(end) && start.kind !== 'Following' ? CURRENT_ROW : end,
  ];
}

/** The frame's text; empty where there is none. */
export function writeFrame({ frame, orderBy: [key] }: WindowSpecification, scope: WriteScope): string {
  if (frame === null) return '';
  const [from, to] = withoutNought(frame);
  const start = writeBound(from, 'start', frame, key, scope);
  const end = writeBound(to, 'end', frame, key, scope);
  // DuckDB puts the row itself into an empty frame that excludes its ties.
  if (isEmptyFrame(frame)) return NO_ROWS;
  const exclude = frame.exclude === null ? '' : ` EXCLUDE ${frame.exclude}`;
  return `${frame.unit} BETWEEN ${start} AND ${end}${exclude}`;
}
