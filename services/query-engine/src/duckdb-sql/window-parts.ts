/**
 * A window function whose ROWS frame leaves out peers (see `logical/excluded-peers.ts`), of up to three frames: before
 * the peers, the row itself (for EXCLUDE TIES), after the peers.
 */
import { partsRule } from '../logical/excluded-peers.ts';
import type { PartsRule } from '../logical/functions/definition.ts';
import type { AggregateCall, Column, WindowFrameBound, WindowSpecification } from '../logical/expression.ts';
import { DOUBLE, duckdbType, type Typed } from './types/sql-type.ts';
import { toNumber } from './types/convert.ts';
import { writeAggregateCall } from './aggregate.ts';
import type { Selected } from './block.ts';
import { exactMean } from './exact-quotient.ts';
import { writeExpression } from './expression.ts';
import { NO_ROWS, writeBound, writeDistance } from './frame.ts';
import type { WriteScope } from './scope.ts';
import { totalOrder, writeSortKey } from './sort.ts';
import { over, writePartitionBy } from './window.ts';

/** Names of columns with a row's place in its partition, from 1, and those of its first and its last peer. */
export interface PeerPlaces {
  readonly row: string;
  readonly firstPeer: string;
  readonly lastPeer: string;
}

/** The columns, to be there when the parts are written. */
export function peerPlaceColumns(
  names: PeerPlaces,
  window: WindowSpecification,
  columns: readonly Column[],
  scope: WriteScope,
): readonly Selected[] {
  const partition = writePartitionBy(window, scope);
  const asked = window.orderBy.map((key) => writeSortKey(key, scope));
  const total = totalOrder(window.orderBy, columns, scope);
  return [
    { name: names.row, sql: `row_number()${over(partition, total, '')}` },
    { name: names.firstPeer, sql: `rank()${over(partition, asked, '')}` },
    { name: names.lastPeer, sql: `count(*)${over(partition, asked, '')}` },
  ];
}

const farther = (distance: string, least: string): string =>
  `CASE WHEN ${distance} > ${least} THEN ${distance} ELSE ${least} END`;

/** The frames whose rows together are the window's, in the rows' order. */
function framesOf(window: WindowSpecification, places: PeerPlaces, scope: WriteScope): readonly string[] {
  const { frame } = window;
  if (frame === null) throw new Error('no frame to leave peers out of');
  const write = (bound: WindowFrameBound, side: 'start' | 'end'): string =>
    writeBound(bound, side, frame, undefined, scope);
  const [start, end] = [write(frame.start, 'start'), write(frame.end, 'end')];
  const startsBefore = frame.start.kind === 'UnboundedPreceding' || frame.start.kind === 'Preceding';
  const endsAfter = frame.end.kind === 'UnboundedFollowing' || frame.end.kind === 'Following';
  const beforePeers = `(${places.row} - ${places.firstPeer} + 1)`;
  const afterPeers = `(${places.lastPeer} - ${places.row} + 1)`;
  const lastBefore =
    frame.end.kind === 'Preceding'
      ? farther(writeDistance(frame.end.offset, scope), beforePeers)
      : beforePeers;
  const firstAfter =
    frame.start.kind === 'Following'
      ? farther(writeDistance(frame.start.offset, scope), afterPeers)
      : afterPeers;
  const itself =
    frame.start.kind === 'Following'
      ? `ROWS BETWEEN ${start} AND 0 FOLLOWING`
      : frame.end.kind === 'Preceding'
        ? `ROWS BETWEEN 0 PRECEDING AND ${end}`
        : 'ROWS BETWEEN CURRENT ROW AND CURRENT ROW';
  const frames = [
    ...(startsBefore ? [`ROWS BETWEEN ${start} AND ${lastBefore} PRECEDING`] : []),
    ...(frame.exclude === 'TIES' ? [itself] : []),
    ...(endsAfter ? [`ROWS BETWEEN ${firstAfter} FOLLOWING AND ${end}`] : []),
  ];
  return frames.length > 0 ? frames : [NO_ROWS];
}

const together = (name: string, parts: readonly string[], type: Typed['type']): Typed => ({
  sql: `CAST(list_aggregate([${parts.join(', ')}], '${name}') AS ${duckdbType(type)})`,
  type,
});

/** The call, its frame put together of parts. */
export function writeInParts(
  call: AggregateCall,
  window: WindowSpecification,
  places: PeerPlaces,
  scope: WriteScope,
): Typed {
  const rule: PartsRule | null = partsRule(call);
  if (rule === null) throw new Error(`${call.name} cannot be put together of parts`);
  const partition = writePartitionBy(window, scope);
  const frames = framesOf(window, places, scope).map((frame) => over(partition, [places.row], frame));
  const each = (of: AggregateCall): readonly Typed[] =>
    frames.map((text) => writeAggregateCall(of, scope, { text, argumentOrder: null }));
  const whole = (of: AggregateCall, name: string): Typed => {
    const parts = each(of);
    return together(
      name,
      parts.map(({ sql }) => sql),
      parts[0]?.type ?? DOUBLE,
    );
  };
  switch (rule.kind) {
    case 'aggregate':
      return whole(call, rule.name);
    case 'mean': {
      const sum = whole({ ...call, name: 'SUM' }, 'sum');
      // Counts what is a number, as the sum does.
      const [of] = call.arguments;
      const pairs = of === undefined ? [] : [of, of];
      const count = whole({ ...call, name: 'REGR_COUNT', arguments: pairs }, 'sum');
      const number = of === undefined ? null : toNumber(writeExpression(of, scope)).type;
      const mean = number === null ? null : exactMean(number, sum.sql, count.sql);
      return mean ?? { sql: `(CAST(${sum.sql} AS DOUBLE) / nullif(${count.sql}, 0))`, type: DOUBLE };
    }
    case 'place': {
      const rows = each({ ...call, name: 'COUNT', arguments: [] });
      const values = each(call);
      const order = values.map((_, i) => (rule.from === 'first' ? i : values.length - 1 - i));
      const cases = order.map((i) => `WHEN ${rows[i]?.sql ?? '0'} > 0 THEN ${values[i]?.sql ?? 'NULL'}`);
      return { sql: `CASE ${cases.join(' ')} END`, type: values[0]?.type ?? DOUBLE };
    }
  }
}
