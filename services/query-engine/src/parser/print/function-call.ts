import type { AstExpression, AstWindow, AstWindowFrame, FrameBound } from '../ast.ts';
import { inRange, printExpression, printList, printSortKeys } from './expression.ts';

type FunctionCall = Extract<AstExpression, { kind: 'FunctionCall' }>;

const BARE_FUNCTIONS = new Set([
  ...['CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP', 'LOCALTIME', 'LOCALTIMESTAMP'],
]);

/** A call with all that may follow it. */
export function printFunctionCall(call: FunctionCall): string {
  const { withinGroup, filter, over } = call;
  const group = withinGroup.length === 0 ? '' : ` WITHIN GROUP (ORDER BY ${printSortKeys(withinGroup)})`;
  const where = filter === null ? '' : ` FILTER (WHERE ${printExpression(filter)})`;
  const window = over === null ? '' : ` OVER (${printWindow(over)})`;
  return `${printCall(call)}${group}${where}${window}`;
}

function printCall({ name, arguments: operands, star, distinct, orderBy }: FunctionCall): string {
  if (operands.length === 0 && !star && BARE_FUNCTIONS.has(name)) return name;
  const [needle, text] = operands;
  if (name === 'POSITION' && operands.length === 2 && needle !== undefined && text !== undefined) {
    return `POSITION(${inRange(needle)} IN ${inRange(text)})`;
  }
  const order = orderBy.length === 0 ? '' : ` ORDER BY ${printSortKeys(orderBy)}`;
  return `${name}(${distinct ? 'DISTINCT ' : ''}${star ? '*' : printList(operands)}${order})`;
}

function printWindow({ partitionBy, orderBy, frame }: AstWindow): string {
  const parts: string[] = [];
  if (partitionBy.length > 0) parts.push(`PARTITION BY ${printList(partitionBy)}`);
  if (orderBy.length > 0) parts.push(`ORDER BY ${printSortKeys(orderBy)}`);
  if (frame !== null) parts.push(printFrame(frame));
  return parts.join(' ');
}

function printFrame({ unit, start, end, exclude }: AstWindowFrame): string {
  const excluded = exclude === null ? '' : ` EXCLUDE ${exclude}`;
  return `${unit} BETWEEN ${printBound(start)} AND ${printBound(end)}${excluded}`;
}

function printBound(bound: FrameBound): string {
  switch (bound.kind) {
    case 'UnboundedPreceding':
      return 'UNBOUNDED PRECEDING';
    case 'UnboundedFollowing':
      return 'UNBOUNDED FOLLOWING';
    case 'CurrentRow':
      return 'CURRENT ROW';
    case 'Preceding':
      return `${inRange(bound.offset)} PRECEDING`;
    case 'Following':
      return `${inRange(bound.offset)} FOLLOWING`;
  }
}
