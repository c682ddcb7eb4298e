/** A read for people: its operation, key condition, filter, projection and estimate. */
import type { KeySchema } from '../../catalog/table.ts';
import type {
  ExpressionText,
  ItemKey,
  KeyRange,
  KeyValue,
  SortCondition,
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

/** By key attribute, what gives its values in a dynamically filtered scan. */
export type KeySources = ReadonlyMap<string, string>;

const NO_SOURCES: KeySources = new Map();

function itemKey({ table }: TableRead, key: ItemKey, sources: KeySources): string {
  const { partitionKey, sortKey } = table.key;
  const partition = `${partitionKey.name} = ${sources.get(partitionKey.name) ?? keyValue(key.partition)}`;
  if (key.sort === null || sortKey === null) return partition;
  return `${partition} AND ${sortKey.name} = ${sources.get(sortKey.name) ?? keyValue(key.sort)}`;
}

function ranges(list: readonly KeyRange[], key: KeySchema, sources: KeySources): string {
  const { partitionKey, sortKey } = key;
  const sorts = new Map(list.map(({ sort }) => [JSON.stringify(sort), sort]));
  const [sort] = sorts.values();
  const values = list.map(({ partition }) => keyValue(partition));
  const source = sources.get(partitionKey.name);
  if (source === undefined && sorts.size > 1) {
    const each = list.map((range) => `(${ranges([range], key, sources)})`);
    return some(each);
  }
  const partition =
    source !== undefined || values.length === 1
      ? `${partitionKey.name} = ${source ?? values[0]}`
      : `${partitionKey.name} IN (${some(values)})`;
  if (sort === undefined || sort === null || sortKey === null) return partition;
  const sortSource = sources.get(sortKey.name);
  const sortedBy =
    sortSource === undefined ? sortCondition(sortKey.name, sort) : `${sortKey.name} = ${sortSource}`;
  return `${partition} AND ${sortedBy}`;
}

function keyCondition(read: TableRead, sources: KeySources): string | null {
  const { path, table } = read;
  switch (path.kind) {
    case 'Nothing':
    case 'Scan':
    case 'IndexUnion':
      return null;
    case 'GetItem':
      return itemKey(read, path.key, sources);
    case 'BatchGetItem':
      return some(path.keys.map((key) => `(${itemKey(read, key, sources)})`));
    case 'Query':
    case 'IndexLookup': {
      const index = table.indexes.find(({ name }) => name === path.index);
      const key = index?.key ?? table.key;
      return ranges(path.ranges, key, sources);
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

function printArm(arm: TableRead): readonly string[] {
  const [head = '', ...details] = printRead(arm);
  return [`arm: ${head}`, ...details.map((line) => `  ${line}`)];
}

/** One line for the operation, then one for each thing that there is to say. */
export function printRead(read: TableRead, sources: KeySources = NO_SOURCES): readonly string[] {
  const { path, table } = read;
  if (path.kind === 'Nothing') return [`Nothing ${table.schemaName}.${table.tableName}: ${read.reason}`];
  const index = 'index' in path && path.index !== null ? ` index ${path.index}` : '';
  const alias = read.alias === table.tableName ? '' : ` as ${read.alias}`;
  const key = keyCondition(read, sources);
  const details = [
    key === null ? null : `key: ${key}`,
    sources.size === 0 ? null : `keys from: ${[...sources.values()].join(', ')}`,
    'descending' in path && path.descending ? 'order: descending' : null,
    path.kind === 'Query' && path.merged ? 'merged: partitions side by side, by sort key' : null,
    path.kind === 'Scan' && path.segments > 1 ? `segments: ${path.segments}` : null,
    read.filter === null ? null : `filter: ${readable(read.filter)}`,
    path.kind === 'IndexLookup' ? 'then: BatchGetItem of the table, by the keys found' : null,
    read.countOnly ? 'select: count' : null,
    read.projection === null
      ? null
      : `projection: ${[...new Set(Object.values(read.projection.names))].join(', ')}`,
    read.firstPageItems === null ? null : `first page: ${read.firstPageItems} items, later ones grow`,
    read.stopAfter === null ? null : `stops after: ${read.stopAfter} rows`,
    `estimate: ${round(read.estimate.rows)} rows, ${round(read.estimate.units)} read units`,
    read.reason === '' ? null : `why: ${read.reason}`,
    read.assumption === null ? null : `assuming: ${read.assumption}`,
  ];
  return [
    `${operation(read, sources)} ${table.schemaName}.${table.tableName}${alias}${index}`,
    ...details.filter((line) => line !== null),
    ...(path.kind === 'IndexUnion' ? path.arms.flatMap(printArm) : []),
  ];
}
