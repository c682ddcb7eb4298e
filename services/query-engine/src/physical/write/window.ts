/** OVER (…). */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type {
  Column,
  Expression,
  SortKey,
  WindowFrameBound,
  WindowSpecification,
} from '../../logical/expression.ts';
import { toNumber } from '../types/convert.ts';
import { isNumber, typeLabel, type Typed } from '../types/sql-type.ts';
import { writeExpression } from './expression.ts';
import { placed } from './placed.ts';
import type { WriteScope } from './scope.ts';
import { totalOrder, writeSortKey } from './sort.ts';

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

function bound(
  { kind, offset }: WindowFrameBound,
  unit: string,
  key: SortKey | undefined,
  scope: WriteScope,
): string {
  const distance = (expression: Expression | null): string => {
    if (expression === null) return '0';
    const value = writeExpression(expression, scope);
    if (unit === 'RANGE') checkDistance(key, value, expression, scope);
    return value.type.kind === 'temporal' || unit === 'RANGE'
      ? value.sql
      : `CAST(${toNumber(value).sql} AS BIGINT)`;
  };
  switch (kind) {
    case 'UnboundedPreceding':
      return 'UNBOUNDED PRECEDING';
    case 'UnboundedFollowing':
      return 'UNBOUNDED FOLLOWING';
    case 'CurrentRow':
      return 'CURRENT ROW';
    case 'Preceding':
      return `${distance(offset)} PRECEDING`;
    case 'Following':
      return `${distance(offset)} FOLLOWING`;
  }
}

/** `columns`: what the rows have, to break ties where `total` is asked for. */
export function writeOver(
  window: WindowSpecification,
  total: boolean,
  columns: readonly Column[],
  scope: WriteScope,
): string {
  const parts: string[] = [];
  if (window.partitionBy.length > 0) {
    parts.push(`PARTITION BY ${window.partitionBy.map((e) => writeExpression(e, scope).sql).join(', ')}`);
  }
  const order = total
    ? totalOrder(window.orderBy, columns, scope)
    : window.orderBy.map((key) => writeSortKey(key, scope));
  if (order.length > 0) parts.push(`ORDER BY ${order.join(', ')}`);
  const { frame } = window;
  if (frame !== null) {
    const [key] = window.orderBy;
    const start = bound(frame.start, frame.unit, key, scope);
    const end = bound(frame.end, frame.unit, key, scope);
    const exclude = frame.exclude === null ? '' : ` EXCLUDE ${frame.exclude}`;
    parts.push(`${frame.unit} BETWEEN ${start} AND ${end}${exclude}`);
  } else if (total && window.orderBy.length === 0) {
    // The order was not asked for: it must not turn the frame into a running one.
    parts.push('ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING');
  }
  return ` OVER (${parts.join(' ')})`;
}
