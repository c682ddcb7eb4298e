/**
 * A function with OVER (…).
 *
 * What picks rows by their place must come out alike on every run, so equal rows get an order too: all the columns'. It
 * must not change who is equal to whom, though. Where the frame goes by rows, they are sorted so; where it goes by equal
 * rows (RANGE, GROUPS, no frame), only what the function takes from the frame is.
 */
import { excludesPeers, ignoresFrame } from '../logical/excluded-peers.ts';
import type { AggregateCall, Column, WindowSpecification } from '../logical/expression.ts';
import { isInFrameOrder, tieOrder } from '../logical/tie-order.ts';
import type { Typed } from './types/sql-type.ts';
import { writeAggregateCall } from './aggregate.ts';
import { writeExpression } from './expression.ts';
import { writeFrame } from './frame.ts';
import type { WriteScope } from './scope.ts';
import { totalOrder, writeSortKey } from './sort.ts';

/** OVER with what is given; empty parts are left out. */
export function over(partitionBy: string, order: readonly string[], frame: string): string {
  const sorted = order.length > 0 ? `ORDER BY ${order.join(', ')}` : '';
  return ` OVER (${[partitionBy, sorted, frame].filter((part) => part !== '').join(' ')})`;
}

/** Each key once: DuckDB takes windows for alike whose keys are as many, where one of them is named twice. */
export function writePartitionBy({ partitionBy }: WindowSpecification, scope: WriteScope): string {
  if (partitionBy.length === 0) return '';
  const keys = new Set(partitionBy.map((key) => writeExpression(key, scope).sql));
  return `PARTITION BY ${[...keys].join(', ')}`;
}

/** The call over its window; `columns`: what the rows have, to tell equal ones apart. Not for one of parts. */
export function writeWindowCall(
  call: AggregateCall,
  window: WindowSpecification,
  columns: readonly Column[],
  scope: WriteScope,
): Typed {
  if (excludesPeers(call, window)) throw new Error('a frame without peers is written in parts');
  const ties = tieOrder(call, window);
  const total = ties === null ? [] : totalOrder(window.orderBy, columns, scope);
  const order = ties === 'rows' ? total : window.orderBy.map((key) => writeSortKey(key, scope));
  // The frame is checked also where it changes nothing.
  const frame = writeFrame(window, scope);
  const text = over(writePartitionBy(window, scope), order, ignoresFrame(call) ? '' : frame);
  const inOrder = ties === 'argument' || isInFrameOrder(call, window);
  // Rows without columns, under a constant order, are all alike.
  const argumentOrder = inOrder && total.length > 0 ? total.join(', ') : null;
  return writeAggregateCall(call, scope, { text, argumentOrder });
}
