/** A read for people: its operation, key condition, filter, projection and estimate. */
import { SEGMENT_COUNT } from '@penstock/common/dynamodb/scan-segments.ts';
import { relationName } from '../../catalog/index-relation.ts';
import { queryKey, type IndexKey, type KeyAttribute } from '../../catalog/table.ts';
import { showBounds } from '../../dynamodb/access-path/unit-bounds.ts';
import type {
  ExpressionText,
  ItemKey,
  KeyRange,
  KeyValue,
  RangeTop,
  ReadEstimate,
  SortCondition,
  SortRange,
  TableRead,
} from '../../dynamodb/table-read.ts';

/** Keys of a batch that are spelled out. */
const KEYS_SHOWN_MAX = 5;

function keyValue({ type, value }: KeyValue): string {
  return type === 'N' ? value : `'${value.replaceAll("'", "''")}'`;
}

function sortCondition(name: string, sort: SortCondition): string {
  switch (sort.operator) {
    case 'BETWEEN':
      return `${name} BETWEEN ${keyValue(sort.low)} AND ${keyValue(sort.high)}`;
    case 'begins_with':
      return `begins_with(${name}, ${keyValue(sort.value)})`;
    default:
      return `${name} ${sort.operator} ${keyValue(sort.value)}`;
  }
}

function some(values: readonly string[]): string {
  const shown = values.slice(0, KEYS_SHOWN_MAX).join(', ');
  return values.length > KEYS_SHOWN_MAX ? `${shown}, … (${values.length} in all)` : shown;
}

/** E.g. `0–63, 70`. */
function runs(numbers: readonly number[]): string {
  const parts: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const run = parts.at(-1);
    if (run !== undefined && run.last === number - 1) run.last = number;
    else parts.push({ first: number, last: number });
  }
  return some(parts.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`)));
}

/** By key attribute, what gives its values in a dynamically filtered scan. */
export type KeySources = ReadonlyMap<string, string>;

const NO_SOURCES: KeySources = new Map();

function itemKey({ table }: TableRead, key: ItemKey, sources: KeySources): string {
  const { partitionKey, sortKey } = table.key;
  const partition = `${partitionKey.name} = ${sources.get(partitionKey.name) ?? keyValue(key.partition)}`;
  if (key.sort === null || sortKey === null) return partition;
  return `${partition} AND ${sortKey.name} = ${sources.get(sortKey.name) ?? keyValue(key.sort)}`;
}

function equality(attribute: KeyAttribute | undefined, value: KeyValue, sources: KeySources): string {
  const name = attribute?.name ?? '';
  return `${name} = ${sources.get(name) ?? keyValue(value)}`;
}

/** What is said of the partition key, then of the sort key. */
function range({ partition, sort }: KeyRange, key: IndexKey, sources: KeySources): readonly string[] {
  const parts = partition.map((value, at) => equality(key.partitionKeys[at], value, sources));
  return sort === null ? parts : [...parts, ...sortRange(sort, key, sources)];
}

function sortRange(
  { equals, last }: SortRange,
  { sortKeys }: IndexKey,
  sources: KeySources,
): readonly string[] {
  const name = sortKeys[equals.length]?.name ?? '';
  const source = sources.get(name);
  return [
    ...equals.map((value, at) => equality(sortKeys[at], value, sources)),
    source === undefined ? sortCondition(name, last) : `${name} = ${source}`,
  ];
}

function ranges(list: readonly KeyRange[], key: IndexKey, sources: KeySources): string {
  const [first, ...others] = list;
  if (first === undefined) return '';
  const [partitionKey, ...more] = key.partitionKeys;
  if (others.length === 0 || key.partitionKeys.some(({ name }) => sources.has(name)))
    return range(first, key, sources).join(' AND ');
  const isSameSort = new Set(list.map(({ sort }) => JSON.stringify(sort))).size === 1;
  if (more.length > 0 || !isSameSort)
    return some(list.map((one) => `(${range(one, key, sources).join(' AND ')})`));
  const values = some(list.flatMap(({ partition }) => partition.map(keyValue)));
  const sort = first.sort === null ? [] : sortRange(first.sort, key, sources);
  return [`${partitionKey?.name} IN (${values})`, ...sort].join(' AND ');
}

function keyCondition(read: TableRead, sources: KeySources): string | null {
  const { path, table } = read;
  switch (path.kind) {
    case 'Nothing':
    case 'Scan':
    case 'Segments':
    case 'IndexUnion':
      return null;
    case 'GetItem':
      return itemKey(read, path.key, sources);
    case 'BatchGetItem':
      return some(path.keys.map((key) => `(${itemKey(read, key, sources)})`));
    case 'Query':
    case 'IndexLookup': {
      const index = table.indexes.find(({ name }) => name === path.index) ?? null;
      return ranges(path.ranges, queryKey(table, index), sources);
    }
  }
}

/** A filter with its placeholders put back. */
export function readable({ text, names, values }: ExpressionText): string {
  return text.replace(/[#:]\w+/g, (placeholder) => {
    const value = values[placeholder];
    if (value === undefined) return names[placeholder] ?? placeholder;
    const [content] = Object.values(value) as (string | boolean)[];
    return 'S' in value ? `'${String(content).replaceAll("'", "''")}'` : String(content);
  });
}

/** A read by whole keys that others give is a batch, whatever number there will be. */
function operation({ path }: TableRead, sources: KeySources): string {
  return sources.size > 0 && path.kind === 'GetItem' ? 'BatchGetItem' : path.kind;
}

function round(number: number): string {
  return String(Math.round(number * 10) / 10);
}

/** E.g. `estimate: 159 rows, 81 read units (0.5–557.5)`; without bounds where it is certain what the read costs. */
function estimateLine(estimate: ReadEstimate): string {
  const { rows, units, low, high } = estimate;
  const within = low === high ? '' : ` (${showBounds(estimate)})`;
  return `estimate: ${round(rows)} rows, ${round(units)} read units${within}`;
}

function printOtherwise(read: TableRead): readonly string[] {
  const [head = '', ...details] = printRead(read);
  return [`otherwise, where one has fewer: ${head}`, ...details.map((line) => `  ${line}`)];
}

/** E.g. `of each: the first 2 items, and those equal to the last in at`. */
function topOfEach({ rows, ties }: RangeTop): string {
  const items = rows === 1 ? 'the first item' : `the first ${rows} items`;
  const equal =
    ties.length === 0 ? '' : `, and those equal to ${rows === 1 ? 'it' : 'the last'} in ${ties.join(', ')}`;
  return `of each: ${items}${equal}`;
}

function printArm(arm: TableRead): readonly string[] {
  const [head = '', ...details] = printRead(arm);
  return [`arm: ${head}`, ...details.map((line) => `  ${line}`)];
}

/** One line for the operation, then one for each thing that there is to say. `fallback`: of a filtered scan, what it costs. */
export function printRead(
  read: TableRead,
  sources: KeySources = NO_SOURCES,
  fallback: readonly string[] = [],
): readonly string[] {
  const { path, table } = read;
  if (path.kind === 'Nothing') return [`Nothing ${relationName(table)}: ${read.reason}`];
  const index =
    'index' in path && path.index !== null && path.index !== table.entriesOf ? ` index ${path.index}` : '';
  const alias = read.alias === (table.entriesOf ?? table.tableName) ? '' : ` as ${read.alias}`;
  const key = keyCondition(read, sources);
  const details = [
    key === null ? null : `key: ${key}`,
    sources.size === 0 ? null : `keys from: ${[...sources.values()].join(', ')}`,
    'descending' in path && path.descending ? 'order: descending' : null,
    path.kind === 'Query' && path.merged ? 'merged: partitions side by side, by sort key' : null,
    path.kind === 'Query' && path.topOfEach !== undefined ? topOfEach(path.topOfEach) : null,
    path.kind === 'Scan' && path.segments > 1 ? `segments: ${path.segments}` : null,
    path.kind === 'Segments' ? `segments: ${runs(path.numbers)} of ${SEGMENT_COUNT}` : null,
    read.filter === null ? null : `filter: ${readable(read.filter)}`,
    path.kind === 'IndexLookup' ? 'then: BatchGetItem of the table, by the keys found' : null,
    read.countOnly ? 'select: count' : null,
    read.projection === null
      ? null
      : `projection: ${[...new Set(Object.values(read.projection.names))].join(', ')}`,
    read.firstPageItems === null ? null : `first page: ${read.firstPageItems} items, later ones grow`,
    read.stopAfter === null ? null : `stops after: ${read.stopAfter} rows`,
    estimateLine(read.estimate),
    ...fallback,
    read.reason === '' ? null : `why: ${read.reason}`,
    read.assumption === null ? null : `assuming: ${read.assumption}`,
  ];
  return [
    `${operation(read, sources)} ${relationName(table)}${alias}${index}`,
    ...details.filter((line) => line !== null),
    ...(path.kind === 'IndexUnion' ? path.arms.flatMap(printArm) : []),
    ...(read.otherwise === undefined ? [] : printOtherwise(read.otherwise)),
  ];
}
