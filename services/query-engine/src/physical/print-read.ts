/** A read for people: its operation, key condition, filter, projection and estimate. */
import type { ExpressionText, ItemKey, KeyValue, SortCondition, TableRead } from '../dynamodb/table-read.ts';

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

function itemKey({ table }: TableRead, key: ItemKey): string {
  const partition = `${table.key.partitionKey.name} = ${keyValue(key.partition)}`;
  return key.sort === null
    ? partition
    : `${partition} AND ${table.key.sortKey?.name} = ${keyValue(key.sort)}`;
}

function keyCondition(read: TableRead): string | null {
  const { path, table } = read;
  switch (path.kind) {
    case 'Nothing':
    case 'Scan':
      return null;
    case 'GetItem':
      return itemKey(read, path.key);
    case 'BatchGetItem':
      return some(path.keys.map((key) => `(${itemKey(read, key)})`));
    case 'Query': {
      const index = table.indexes.find(({ name }) => name === path.index);
      const key = index?.key ?? table.key;
      const values = path.partitions.map(keyValue);
      const partition =
        values.length === 1
          ? `${key.partitionKey.name} = ${values[0]}`
          : `${key.partitionKey.name} IN (${some(values)})`;
      return path.sort === null
        ? partition
        : `${partition} AND ${sortCondition(key.sortKey?.name ?? '', path.sort)}`;
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

function round(number: number): string {
  return String(Math.round(number * 10) / 10);
}

/** One line for the operation, then one for each thing that there is to say. */
export function printRead(read: TableRead): readonly string[] {
  const { path, table } = read;
  if (path.kind === 'Nothing') return [`Nothing ${table.schemaName}.${table.tableName}: ${read.reason}`];
  const index = 'index' in path && path.index !== null ? ` index ${path.index}` : '';
  const alias = read.alias === table.tableName ? '' : ` as ${read.alias}`;
  const key = keyCondition(read);
  const details = [
    key === null ? null : `key: ${key}`,
    path.kind === 'Query' && path.descending ? 'order: descending' : null,
    path.kind === 'Scan' && path.segments > 1 ? `segments: ${path.segments}` : null,
    read.filter === null ? null : `filter: ${readable(read.filter)}`,
    read.countOnly ? 'select: count' : null,
    read.projection === null
      ? null
      : `projection: ${[...new Set(Object.values(read.projection.names))].join(', ')}`,
    read.stopAfter === null ? null : `stops after: ${read.stopAfter} rows`,
    `estimate: ${round(read.estimate.rows)} rows, ${round(read.estimate.units)} read units`,
    read.reason === '' ? null : `why: ${read.reason}`,
  ];
  return [
    `${path.kind} ${table.schemaName}.${table.tableName}${alias}${index}`,
    ...details.filter((line) => line !== null),
  ];
}
