import { createHash } from 'node:crypto';
import { LEARNED_CHANGE_FACTOR } from '../../limits.ts';
import {
  filterPlace,
  keysPlace,
  NOTHING_LEARNED,
  type LearnedFilter,
  type LearnedKeys,
  type LearnedStatistics,
} from './learned-statistics.ts';

/** What is learned of a table, and what planners are shown of it. */
export interface StoredStatistics {
  readonly learned: LearnedStatistics;
  readonly shown: LearnedStatistics;
}

/** Of a table of which no query has told. */
export const NOTHING_STORED: StoredStatistics = Object.freeze({
  learned: NOTHING_LEARNED,
  shown: NOTHING_LEARNED,
});

/** Figures below it are taken for the same: they are of less than one item or half a unit. */
const FIGURE_MIN = 0.25;

/** The same for the part that passes a filter. */
const PART_MIN = 0.01;

/**
 * Planners keep their plans by what they are shown, so it changes only where a figure has changed by a factor, where there
 * is something new, or where twice as much has been seen as when it was shown.
 */
export function withShown(learned: LearnedStatistics, shown: LearnedStatistics): StoredStatistics {
  const keys = new Map(shown.keys.map((entry) => [keysPlace(entry), entry]));
  const filters = new Map(shown.filters.map((entry) => [filterPlace(entry), entry]));
  const isNews =
    learned.keys.some((entry) => keysDiffer(entry, keys.get(keysPlace(entry)))) ||
    learned.filters.some((entry) => filtersDiffer(entry, filters.get(filterPlace(entry))));
  return Object.freeze({ learned, shown: isNews ? learned : shown });
}

function keysDiffer(now: LearnedKeys, shown: LearnedKeys | undefined): boolean {
  if (shown === undefined || now.keys >= 2 * shown.keys) return true;
  return [
    [now.items / now.keys, shown.items / shown.keys],
    [now.units / now.keys, shown.units / shown.keys],
    [1 - now.missing / now.keys, 1 - shown.missing / shown.keys],
  ].some(([a = 0, b = 0]) => differ(a, b, FIGURE_MIN));
}

function filtersDiffer(now: LearnedFilter, shown: LearnedFilter | undefined): boolean {
  if (shown === undefined || now.read >= 2 * shown.read) return true;
  return differ(now.passed / now.read, shown.passed / shown.read, PART_MIN);
}

function differ(a: number, b: number, min: number): boolean {
  const [low, high] = [Math.max(min, Math.min(a, b)), Math.max(min, a, b)];
  return high >= LEARNED_CHANGE_FACTOR * low;
}

/** Between the version of a table's metadata and that of what was learned. */
const LEARNED_MARK = '~';

/** The version of a table with what is shown of it. */
export function learnedVersion(metadataVersion: string, shown: LearnedStatistics): string {
  if (shown.keys.length + shown.filters.length === 0) return metadataVersion;
  const hash = createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 11);
  return metadataVersion + LEARNED_MARK + hash;
}

/** Of a version, that of the table's metadata alone. */
export function metadataVersionOf(version: string): string {
  return version.split(LEARNED_MARK, 1)[0] ?? '';
}
