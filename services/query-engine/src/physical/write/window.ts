/** OVER (…). */
import type { Column, Expression, WindowFrameBound, WindowSpecification } from '../../logical/expression.ts';
import { toNumber } from '../types/convert.ts';
import { writeExpression } from './expression.ts';
import type { WriteScope } from './scope.ts';
import { totalOrder, writeSortKey } from './sort.ts';

function bound({ kind, offset }: WindowFrameBound, unit: string, scope: WriteScope): string {
  const distance = (expression: Expression | null): string => {
    if (expression === null) return '0';
    const value = writeExpression(expression, scope);
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
    const [start, end] = [bound(frame.start, frame.unit, scope), bound(frame.end, frame.unit, scope)];
    const exclude = frame.exclude === null ? '' : ` EXCLUDE ${frame.exclude}`;
    parts.push(`${frame.unit} BETWEEN ${start} AND ${end}${exclude}`);
  } else if (total && window.orderBy.length === 0) {
    // The order was not asked for: it must not turn the frame into a running one.
    parts.push('ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING');
  }
  return ` OVER (${parts.join(' ')})`;
}
