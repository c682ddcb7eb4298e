/** Columns of a table: its keys first, then all others by name, which is the order of `SELECT *`. */
import type {
  DynamoDbType,
  IndexKey,
  TableAttribute,
  TableDetails,
} from '../../../clients/catalog-tables.ts';
import { TABLE_COLUMNS_MAX } from '../limits.ts';
import { columnType } from './column-type.ts';
import { createNamePlace, isNoName } from './names.ts';
import type { ColumnObject } from './objects.ts';

export interface Columns {
  readonly columns: readonly ColumnObject[];
  /** What an attribute's column is called; none where it was left out. */
  readonly names: ReadonlyMap<string, string>;
  /** Why attributes have no column; null where all have. */
  readonly leftOut: string | null;
}

/** PostgreSQL has columns of these names in each table. */
const SYSTEM_COLUMNS: readonly string[] = ['tableoid', 'cmax', 'xmax', 'cmin', 'xmin', 'ctid'];

export const byUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export const keyNames = ({ partitionKeys, sortKeys }: IndexKey): readonly string[] =>
  [...partitionKeys, ...sortKeys].map(({ name }) => name);

const seen = ({ types }: TableAttribute): string =>
  [...types].map(([type, count]) => `${type} in ${count}`).join(', ');

function comment(attribute: TableAttribute | undefined, sampledItems: number): string {
  if (attribute === undefined || attribute.types.size === 0) return 'No sampled item has a value here.';
  const several =
    columnType(attribute.types.keys()) === 'text' &&
    [...attribute.types.keys()].some((type) => type !== 'S' && type !== 'NULL');
  const why = several ? ' Values of several types are shown as text.' : '';
  return `DynamoDB types in ${sampledItems} sampled items: ${seen(attribute)}.${why}`;
}

function keyColumns({ key }: TableDetails): readonly ColumnObject[] {
  const own = [key.partitionKey, ...(key.sortKey === undefined ? [] : [key.sortKey])];
  return own.map(({ name, type }, i) => ({
    name,
    type: columnType([type]),
    notNull: true,
    comment: `${i === 0 ? 'Partition' : 'Sort'} key, of DynamoDB type ${type}.`,
  }));
}

function otherColumns(details: TableDetails, own: ReadonlySet<string>): readonly ColumnObject[] {
  const { indexes, attributes, sampledItems } = details;
  const ofIndexes = new Map(
    indexes.flatMap(({ partitionKeys, sortKeys, name: index }) =>
      [...partitionKeys, ...sortKeys].map(({ name, type }) => [name, { type, index }] as const),
    ),
  );
  const known = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const names = [...new Set([...known.keys(), ...ofIndexes.keys()])].filter((name) => !own.has(name));
  return names.sort(byUtf8).map((name) => {
    const attribute = known.get(name);
    const ofIndex = ofIndexes.get(name);
    const isSeen = attribute !== undefined && attribute.types.size > 0;
    const types: Iterable<DynamoDbType> = isSeen
      ? attribute.types.keys()
      : ofIndex === undefined
        ? []
        : [ofIndex.type];
    const why =
      isSeen || ofIndex === undefined
        ? comment(attribute, sampledItems)
        : `Key of index ${ofIndex.index}, of DynamoDB type ${ofIndex.type}.`;
    return { name, type: columnType(types), notNull: false, comment: why };
  });
}

const NAMES_SHOWN = 3;

const named = (names: readonly string[]): string =>
  names.length <= NAMES_SHOWN
    ? names.join(', ')
    : `${names.slice(0, NAMES_SHOWN).join(', ')} and ${names.length - NAMES_SHOWN} more`;

/** Comments have no NUL either. */
export const shown = (text: string): string => text.replaceAll('\0', '\u{fffd}');

export function columnsOf(details: TableDetails): Columns {
  const own = keyColumns(details);
  const all = [...own, ...otherColumns(details, new Set(own.map(({ name }) => name)))];
  const place = createNamePlace(SYSTEM_COLUMNS);
  const impossible = all.filter(({ name }) => isNoName(name) || SYSTEM_COLUMNS.includes(name));
  const possible = all.filter((column) => !impossible.includes(column));
  const held = possible.slice(0, TABLE_COLUMNS_MAX);
  const names = new Map(held.map(({ name }) => [name, place.take(name)]));
  const reasons = [
    impossible.length === 0
      ? []
      : [`PostgreSQL has no column called ${named(impossible.map(({ name }) => JSON.stringify(name)))}.`],
    possible.length === held.length
      ? []
      : [
          `${possible.length - held.length} more attributes are not shown: PostgreSQL holds ${TABLE_COLUMNS_MAX} columns.`,
        ],
  ].flat();
  return {
    columns: held.map((column) => ({
      ...column,
      name: names.get(column.name) ?? column.name,
      comment: shown(column.comment),
    })),
    names,
    leftOut:
      reasons.length === 0 ? null : `${reasons.join(' ')} Queries read such attributes by their names.`,
  };
}
