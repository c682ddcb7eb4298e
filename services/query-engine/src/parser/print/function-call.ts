import type { AstExpression, AstWindow, AstWindowFrame, FrameBound } from '../ast.ts';
import { printList, printSortKeys } from './lists.ts';
import type { Printer } from './printer.ts';

type FunctionCall = Extract<AstExpression, { kind: 'FunctionCall' }>;

const BARE_FUNCTIONS = new Set([
  ...['CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP', 'LOCALTIME', 'LOCALTIMESTAMP'],
]);

/** A call with all that may follow it. */
export function printFunctionCall(call: FunctionCall, printer: Printer): string {
  const { withinGroup, filter, over } = call;
  const group =
    withinGroup.length === 0 ? '' : ` WITHIN GROUP (ORDER BY ${printSortKeys(withinGroup, printer)})`;
  const where = filter === null ? '' : ` FILTER (WHERE ${printer.expression(filter)})`;
  const window = over === null ? '' : ` OVER (${printWindow(over, printer)})`;
  return `${printCall(call, printer)}${group}${where}${window}`;
}

function printCall(
  { name, arguments: operands, star, distinct, orderBy }: FunctionCall,
  printer: Printer,
): string {
  if (operands.length === 0 && !star && BARE_FUNCTIONS.has(name)) return name;
  const [needle, text] = operands;
  if (name === 'POSITION' && operands.length === 2 && needle !== undefined && text !== undefined) {
    return `POSITION(${printer.inRange(needle)} IN ${printer.inRange(text)})`;
  }
  const order = orderBy.length === 0 ? '' : ` ORDER BY ${printSortKeys(orderBy, printer)}`;
  return `${name}(${distinct ? 'DISTINCT ' : ''}${star ? '*' : printList(operands, printer)}${order})`;
}

function printWindow({ partitionBy, orderBy, frame }: AstWindow, printer: Printer): string {
  const parts: string[] = [];
  if (partitionBy.length > 0) parts.push(`PARTITION BY ${printList(partitionBy, printer)}`);
  if (orderBy.length > 0) parts.push(`ORDER BY ${printSortKeys(orderBy, printer)}`);
  if (frame !== null) parts.push(printFrame(frame, printer));
  return parts.join(' ');
}

function printFrame({ unit, start, end, exclude }: AstWindowFrame, printer: Printer): string {
  const excluded = exclude === null ? '' : ` EXCLUDE ${exclude}`;
  return `${unit} BETWEEN ${printBound(start, printer)} AND ${printBound(end, printer)}${excluded}`;
}

function printBound(bound: FrameBound, printer: Printer): string {
  switch (bound.kind) {
    case 'UnboundedPreceding':
      return 'UNBOUNDED PRECEDING';
    case 'UnboundedFollowing':
      return 'UNBOUNDED FOLLOWING';
    case 'CurrentRow':
      return 'CURRENT ROW';
    case 'Preceding':
      return `${printer.inRange(bound.offset)} PRECEDING`;
    case 'Following':
      return `${printer.inRange(bound.offset)} FOLLOWING`;
  }
}
