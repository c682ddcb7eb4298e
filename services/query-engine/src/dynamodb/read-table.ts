/**
 * Sends what a `TableRead` says and hands back its rows.
 */
import { tupleText } from './access-path/key-value.ts';
import type { ColumnBatch } from './column-batch.ts';
import { createPageDecoder, type PageDecoder } from './decode/page-decoder.ts';
import type { ReadContext } from './read-context.ts';
import { positionKeys, type LeavableBatch } from './read-position.ts';
import { createSeenKeys, distinctKeys, distinctRows } from './reader/distinct-keys.ts';
import { indexLookup, placeColumns } from './reader/index-lookup.ts';
import { indexUnion } from './reader/index-union.ts';
import { leavableItems, leavablePages } from './reader/leavable-pages.ts';
import { lookedUpInRounds, type RoundControl } from './reader/lookup-rounds.ts';
import { batchGetItems, getItem } from './reader/keyed-items.ts';
import { batchKeysMax, pagesInFlightMax, rememberedKeysMax } from './reader/limits.ts';
import { queryPages, scanPages } from './reader/pages.ts';
import { queryKeyOf } from './reader/key-condition.ts';
import { mergedBySortKey } from './reader/merged-order.ts';
import { unlikeKeys } from './reader/read-errors.ts';
import { keyNamesOf, type StartKey } from './reader/request.ts';
import { segmentPages } from './reader/segment-pages.ts';
import type { ReadSession } from './reader/send-page.ts';
import { inTurn, merged } from './reader/streams.ts';
import { isPaged, mayRepeat, type AccessPath, type TableRead } from './table-read.ts';

export type { ReadContext, UnitMeter } from './read-context.ts';

/**
 * Some rows of a read. A read's rows in order are its batches by `segment`, then by arrival: the same on every run over
 * unchanged data. All paths but a parallel Scan have one segment, 0, whose batches already come in order.
 */
export interface ReadBatch {
  readonly segment: number;
  readonly batch: ColumnBatch;
  /** Of a read that is `leavable`: where it goes on behind a row of the batch; null where it cannot. */
  readonly after?: LeavableBatch['after'];
}

/** Why what is under way ends. Made once: an abort without a reason makes an error with a stack each time. */
const ENOUGH = Object.freeze({ reason: 'enough rows' });

/**
 * Reads. Batches are never empty; a count (`read.countOnly`) comes as batches without columns. Throttling is waited out
 * until the context's signal aborts. Ending the iteration early aborts what is under way.
 *
 * `rounds`: decides while a Query of several partitions is read whether it goes on; it ends early without.
 *
 * Throws PenstockError: TABLE_NOT_FOUND, ACCESS_DENIED, THROTTLED, UNAVAILABLE, READ_UNIT_LIMIT (from the meter), what the
 * signal's reason says, or CANCELLED.
 */
export async function* readTable(
  read: TableRead,
  context: ReadContext,
  rounds: RoundControl | null = null,
): AsyncGenerator<ReadBatch> {
  // One request has nothing else under way that would have to end.
  const enough = read.path.kind === 'GetItem' ? null : new AbortController();
  const decoder = decoderFor(read, context);
  let left = read.stopAfter ?? Infinity;
  if (left <= 0) return;
  const session: ReadSession = {
    read,
    context,
    decoder,
    signal: enough === null ? context.signal : AbortSignal.any([context.signal, enough.signal]),
    rowsLeft: () => left,
  };
  let unknownNames = 0;
  try {
    for await (const part of batchesOf(session, rounds)) {
      const unlike = unlikeKeys(read, part.batch, context.schemaName);
      if (unlike !== null) throw unlike;
      if (decoder.unknownNames > unknownNames) context.onUnknown?.(decoder.discovered());
      ({ unknownNames } = decoder);
      left -= part.batch.rowCount;
      yield part;
      if (left <= 0) break;
    }
  } finally {
    enough?.abort(ENOUGH);
    const discovered = decoder.discovered();
    if (discovered.size > 0) context.onDiscovery?.(discovered);
  }
}

async function* batchesOf(session: ReadSession, rounds: RoundControl | null): AsyncGenerator<ReadBatch> {
  const { path, prefetch } = session.read;
  const ahead = prefetch ? pagesInFlightMax - 1 : 0;
  switch (path.kind) {
    case 'Nothing':
      break;
    case 'GetItem':
      yield* inOneSegment(getItem(session, path.key));
      break;
    case 'BatchGetItem': {
      if (session.read.leavable !== undefined) {
        yield* inFirstSegment(leavableItems(session, distinctKeys(path.keys), session.read.leavable));
        break;
      }
      const size = Math.min(batchKeysMax, session.rowsLeft());
      const chunks = chunksOf(distinctKeys(path.keys), size).map((keys) => batchGetItems(session, keys));
      yield* inOneSegment(inTurn(chunks, ahead));
      break;
    }
    case 'Query': {
      if (session.read.leavable !== undefined) {
        const pages = path.ranges.map((range) => (from: StartKey) => queryPages(session, range, from));
        yield* inFirstSegment(leavablePages(session, pages, session.read.leavable));
        break;
      }
      const isInRounds = rounds !== null && !path.merged;
      const rows = isInRounds ? lookedUpInRounds(session, path, rounds) : queried(session, path, ahead);
      yield* inOneSegment(
        mayRepeat(session.read) ? distinctRows(session.read, rows, createSeenKeys(rememberedKeysMax)) : rows,
      );
      break;
    }
    case 'IndexLookup':
      yield* inFirstSegment(indexLookup(session, path, ahead));
      break;
    case 'IndexUnion': {
      const context = { ...session.context, signal: session.signal };
      const arms = path.arms.map((arm) => batchesIn(readTable(arm, context)));
      yield* inOneSegment(indexUnion(session.read, arms, ahead));
      break;
    }
    case 'Segments':
      yield* partsInTurn(
        session,
        path.numbers.map((number) => (from) => segmentPages(session, number, from)),
        ahead,
      );
      break;
    case 'Scan': {
      if (path.segments === 1) {
        yield* partsInTurn(session, [(from) => scanPages(session, 0, from)], ahead);
        break;
      }
      const segments = Array.from({ length: path.segments }, (_, segment) => scanPages(session, segment));
      for await (const { stream, value } of merged(segments, pagesInFlightMax))
        yield { segment: stream, batch: value };
    }
  }
}

/** Parts of a read one after the other; they say where they can be left where that is asked for. */
function partsInTurn(
  session: ReadSession,
  parts: readonly ((from: StartKey) => AsyncGenerator<ColumnBatch>)[],
  ahead: number,
): AsyncGenerator<ReadBatch> {
  const { leavable } = session.read;
  if (leavable !== undefined) return inFirstSegment(leavablePages(session, parts, leavable));
  const pages = parts.map((from) => from(null));
  return inOneSegment(inTurn(pages, ahead));
}

function queried(
  session: ReadSession,
  { ranges, descending, merged: isMerged }: Extract<AccessPath, { kind: 'Query' }>,
  ahead: number,
): AsyncGenerator<ColumnBatch> {
  const { sortKeys } = queryKeyOf(session.read);
  if (!isMerged)
    return inTurn(
      ranges.map((range) => queryPages(session, range)),
      ahead,
    );
  const partitions = [...Map.groupBy(ranges, ({ partition }) => tupleText(partition)).values()].map((own) =>
    inTurn(
      own.map((range) => queryPages(session, range)),
      0,
    ),
  );
  return mergedBySortKey(partitions, sortKeys, descending);
}

/** Arms have one segment. */
async function* batchesIn(parts: AsyncGenerator<ReadBatch>): AsyncGenerator<ColumnBatch> {
  for await (const { batch } of parts) yield batch;
}

async function* inOneSegment(batches: AsyncGenerator<ColumnBatch>): AsyncGenerator<ReadBatch> {
  for await (const batch of batches) yield { segment: 0, batch };
}

async function* inFirstSegment(batches: AsyncGenerator<LeavableBatch>): AsyncGenerator<ReadBatch> {
  for await (const { batch, after } of batches) yield { segment: 0, batch, after };
}

function decoderFor(read: TableRead, context: ReadContext): PageDecoder {
  // Only whole items tell of attributes that nobody asked for.
  const whole = read.projection === null && !read.countOnly && context.onDiscovery !== undefined;
  const known = whole ? read.table.attributes.map(({ name }) => name) : null;
  const { kind } = read.path;
  const keyed = kind === 'BatchGetItem' || kind === 'IndexLookup' || mayRepeat(read);
  const merged = kind === 'Query' && read.path.merged;
  const isLeavable = read.leavable !== undefined && isPaged(read.path);
  const names = [
    ...(isLeavable ? positionKeys(read).map(({ name }) => name) : []),
    ...(keyed && !isLeavable ? keyNamesOf(read) : []),
    ...(merged ? queryKeyOf(read).sortKeys.map(({ name }) => name) : []),
  ];
  const places = kind === 'IndexLookup' ? placeColumns(read) : [];
  return createPageDecoder([...read.columns, ...places, ...names.map((name) => ({ path: [name] }))], known);
}

function chunksOf<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) =>
    list.slice(i * size, (i + 1) * size),
  );
}
