/** What windows need to give the same rows each time: an order among equal ones. */
import { ignoresFrame } from './excluded-peers.ts';
import type { AggregateCall, WindowSpecification } from './expression.ts';
import { aggregateNamed } from './functions/list.ts';

/** Where rows that are equal in the window's order need one more: among the rows, or in the call's parentheses. */
export type TieOrder = 'rows' | 'argument' | null;

/** A list that says no order has its frame's. */
export function isInFrameOrder(call: AggregateCall, { orderBy, frame }: WindowSpecification): boolean {
  const hasOrder = orderBy.length > 0 || frame?.unit === 'ROWS';
  return aggregateNamed(call.name).ties === 'list' && !call.distinct && call.orderBy.length === 0 && hasOrder;
}

/** Not null where rows that are equal in the window's order would get their answer by chance. */
export function tieOrder(call: AggregateCall, window: WindowSpecification): TieOrder {
  const { ties } = aggregateNamed(call.name);
  if (ties === 'rows') return 'rows';
  if (ignoresFrame(call)) return null;
  if (window.frame?.unit === 'ROWS') return 'rows';
  return ties === 'frame' || isInFrameOrder(call, window) ? 'argument' : null;
}
