/** What windows need to give the same rows each time: an order among equal ones. */
import { ignoresFrame } from './excluded-peers.ts';
import type { AggregateCall, WindowSpecification } from './expression.ts';

/** Where rows that are equal in the window's order need one more: among the rows, or in the call's parentheses. */
export type TieOrder = 'rows' | 'argument' | null;

const BY_ROW: ReadonlySet<string> = new Set(['ROW_NUMBER', 'NTILE', 'LAG', 'LEAD']);
const BY_PLACE_IN_FRAME: ReadonlySet<string> = new Set(['FIRST_VALUE', 'LAST_VALUE', 'NTH_VALUE']);
const LISTS: ReadonlySet<string> = new Set(['STRING_AGG', 'ARRAY_AGG']);

/** A list that says no order has its frame's. */
export function isInFrameOrder(call: AggregateCall, { orderBy, frame }: WindowSpecification): boolean {
  const hasOrder = orderBy.length > 0 || frame?.unit === 'ROWS';
  return LISTS.has(call.name) && !call.distinct && call.orderBy.length === 0 && hasOrder;
}

/** Not null where rows that are equal in the window's order would get their answer by chance. */
export function tieOrder(call: AggregateCall, window: WindowSpecification): TieOrder {
  if (BY_ROW.has(call.name)) return 'rows';
  if (ignoresFrame(call)) return null;
  if (window.frame?.unit === 'ROWS') return 'rows';
  return BY_PLACE_IN_FRAME.has(call.name) || isInFrameOrder(call, window) ? 'argument' : null;
}
