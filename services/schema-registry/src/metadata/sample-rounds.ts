import {
  SAMPLE_ENDED_RUNS_MIN,
  SAMPLE_EVEN_SEGMENTS,
  SAMPLE_EVEN_SEGMENTS_MAX,
  SAMPLE_FIRST_OF,
  SAMPLE_KEYS_MIN,
  SAMPLE_LONG_ITEMS,
  SAMPLE_LONG_SEGMENTS,
  SAMPLE_PROBE_SEGMENTS,
  SAMPLE_ROUND_BYTES_MAX,
  SAMPLE_ROUND_UNITS_MIN,
  SAMPLE_SEGMENT_BYTES,
  SAMPLE_SEGMENT_ITEMS_MAX,
  SAMPLE_SEGMENT_ITEMS_MIN,
  SAMPLE_SEGMENTS,
  SAMPLE_SEGMENTS_MIN,
  SAMPLE_SPREAD_MAX,
  SAMPLE_UNITS,
  SAMPLE_WHOLE_ITEMS_MAX,
  SCAN_SEGMENTS_MAX,
  UNCOUNTED_SEGMENT_ITEMS,
  UNCOUNTED_SEGMENTS,
} from '../limits.ts';
import { distinctPartitions } from './distinct-partitions.ts';
import type { SegmentRuns } from './partition-runs.ts';
import type { TableDescription } from './table-metadata.ts';

/** One scan of a sample. */
export interface SamplePart {
  readonly segment: number;
  readonly totalSegments: number;
  readonly limit: number;
}

/**
 * Scans that are done at once. whole: a table that is small; uncounted: one that DynamoDB has not counted; first: a few of
 * the segments of `short`, which is not worth reading where all of them are empty; short: segments of a few items each;
 * probe: larger ones, while no partition has been met; even: segments of about one partition each; long: more items of
 * the smallest segments that there are.
 */
export interface SampleRound {
  readonly kind: 'whole' | 'uncounted' | 'first' | 'short' | 'probe' | 'even' | 'long';
  readonly parts: readonly SamplePart[];
}

/** Bytes that half a read unit pays for. */
const HALF_UNIT_BYTES = 4096;

/** While no partition is met, segments become so many times as large. */
const PROBE_FACTOR = 32;

/** Of how many partitions an even segment is to be: most of what tells their number are those that turn out empty. */
const EVEN_PARTITIONS = 1.5;

/** By how much even segments may have the wrong size before others are read instead. */
const UNEVEN_FACTOR = 2;

/** What an item is taken to be where DynamoDB counts no bytes. */
const UNKNOWN_ITEM_BYTES = 400;

/** What a sample of the table begins with. */
export function firstRound(description: TableDescription): SampleRound {
  const { itemCount } = description;
  if (itemCount === 0)
    return round('uncounted', UNCOUNTED_SEGMENTS, UNCOUNTED_SEGMENTS, UNCOUNTED_SEGMENT_ITEMS);
  if (itemCount <= SAMPLE_WHOLE_ITEMS_MAX) return round('whole', 1, 1, SAMPLE_WHOLE_ITEMS_MAX);
  const short = shortRound(description);
  const isSplit = short.parts.every(({ totalSegments }) => totalSegments > SAMPLE_SEGMENTS);
  return isSplit ? partOf(short, 'first', (i) => i % SAMPLE_FIRST_OF === 0) : short;
}

function shortRound(description: TableDescription): SampleRound {
  const items = segmentItems(description);
  const totalSegments = Math.min(
    SCAN_SEGMENTS_MAX,
    Math.max(SAMPLE_SEGMENTS, Math.ceil(description.itemCount / items)),
  );
  return round('short', fitting(SAMPLE_SEGMENTS, 2 * items, description), totalSegments, 2 * items);
}

function partOf(
  { parts }: SampleRound,
  kind: SampleRound['kind'],
  isOf: (place: number) => boolean,
): SampleRound {
  return Object.freeze({ kind, parts: Object.freeze(parts.filter((_, place) => isOf(place))) });
}

/**
 * What comes after a round; null where enough has been seen. `runs` and `readUnits`: of all rounds so far. Partitions that
 * are many show in short segments. Where they are few and large, most segments are empty: then larger ones are looked
 * at, and at last segments of about one partition each.
 */
export function nextRound(
  description: TableDescription,
  { kind, parts }: SampleRound,
  soFar: { readonly runs: readonly SegmentRuns[]; readonly readUnits: number },
): SampleRound | null {
  if (kind === 'whole' || kind === 'uncounted' || kind === 'long') return null;
  const { runs, readUnits } = soFar;
  const [{ totalSegments } = { totalSegments: SAMPLE_SEGMENTS }] = parts;
  const keys = runs.reduce((sum, run) => sum + run.keys, 0);
  const endedRuns = runs.reduce((sum, run) => sum + run.endedRuns, 0);
  if (keys === 0) return totalSegments <= SAMPLE_SEGMENTS ? null : probe(description, totalSegments);
  if (kind === 'first') return partOf(shortRound(description), 'short', (i) => i % SAMPLE_FIRST_OF > 0);
  const { low, estimate, high } = distinctPartitions(runs);
  if (high === Infinity && totalSegments === SCAN_SEGMENTS_MAX && endedRuns < SAMPLE_ENDED_RUNS_MIN)
    return round('long', SAMPLE_LONG_SEGMENTS, SCAN_SEGMENTS_MAX, SAMPLE_LONG_ITEMS);
  // Segments of which none is empty and none ends tell little, however many they are.
  if (keys >= SAMPLE_KEYS_MIN && high <= SAMPLE_SPREAD_MAX * low) return null;
  const next = even(description, Math.min(estimate, description.itemCount), SAMPLE_UNITS - readUnits);
  // What was met of a few segments may have been far off, so that the next ones hold too many partitions, or too few.
  const factor = (next.parts[0]?.totalSegments ?? totalSegments) / totalSegments;
  const isFarOff = Math.max(factor, 1 / factor) >= UNEVEN_FACTOR && readUnits <= SAMPLE_UNITS;
  return kind !== 'even' || isFarOff ? next : null;
}

function probe(description: TableDescription, totalSegments: number): SampleRound {
  const larger = Math.max(SAMPLE_SEGMENTS, Math.floor(totalSegments / PROBE_FACTOR));
  const segments = larger === SAMPLE_SEGMENTS ? SAMPLE_SEGMENTS : SAMPLE_PROBE_SEGMENTS;
  return round('probe', segments, larger, itemsFor(1, description));
}

function even(description: TableDescription, partitions: number, unitsLeft: number): SampleRound {
  const totalSegments = Math.max(SAMPLE_SEGMENTS, Math.round(partitions / EVEN_PARTITIONS));
  const units = Math.max(SAMPLE_ROUND_UNITS_MIN, unitsLeft);
  // More segments where little was read so far, and another round can still follow.
  const affordable = Math.floor(2 * (unitsLeft - SAMPLE_ROUND_UNITS_MIN / 2));
  const segments = Math.min(SAMPLE_EVEN_SEGMENTS_MAX, Math.max(SAMPLE_EVEN_SEGMENTS, affordable));
  // Of large items one: that a segment has any tells most, and each further one costs as much again.
  const limit = itemsFor((2 * units) / segments, description);
  return round('even', fitting(segments, limit, description), totalSegments, limit);
}

/** So many segments, or fewer where a round would read too much. */
function fitting(segments: number, limit: number, description: TableDescription): number {
  const most = Math.floor(SAMPLE_ROUND_BYTES_MAX / (limit * itemBytes(description)));
  return Math.min(segments, Math.max(SAMPLE_SEGMENTS_MIN, most));
}

/** Items of a segment that cost so many half units, within what a segment may give. */
function itemsFor(halfUnits: number, description: TableDescription): number {
  const affordable = Math.floor((Math.floor(halfUnits) * HALF_UNIT_BYTES) / itemBytes(description));
  return Math.max(1, Math.min(2 * segmentItems(description), affordable));
}

/** Segments spread evenly; their first items are of different places in each kind of round. */
function round(
  kind: SampleRound['kind'],
  segments: number,
  totalSegments: number,
  limit: number,
): SampleRound {
  const read = Math.min(segments, totalSegments);
  const offset = kind === 'short' ? 0.5 : 0.25;
  const parts = Array.from({ length: read }, (_, i) => ({
    segment: Math.floor(((i + offset) * totalSegments) / read),
    totalSegments,
    limit,
  }));
  return Object.freeze({ kind, parts: Object.freeze(parts) });
}

/** Items that a segment is to hold. */
function segmentItems(description: TableDescription): number {
  const items = Math.round(SAMPLE_SEGMENT_BYTES / itemBytes(description));
  return Math.min(SAMPLE_SEGMENT_ITEMS_MAX, Math.max(SAMPLE_SEGMENT_ITEMS_MIN, items));
}

function itemBytes({ itemCount, sizeBytes }: TableDescription): number {
  return itemCount > 0 && sizeBytes > 0 ? sizeBytes / itemCount : UNKNOWN_ITEM_BYTES;
}
