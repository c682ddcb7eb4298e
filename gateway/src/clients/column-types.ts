import type { DynamoDbType, EstimateRange, TableAttribute, TableDetails } from './catalog-tables.ts';

/** A column as describe_table shows it. */
export interface ColumnShape {
  /** As a statement writes it; a value inside a document by its path. */
  readonly name: string;
  readonly type: string;
  readonly filled?: number;
  readonly distinctValues?: number;
  readonly distinct?: EstimateRange;
}

/** Beyond so many digits BIGINT may not hold a number. */
const BIGINT_DIGITS = 18;
const DECIMAL_DIGITS = 38;

function numberType({ integerDigits, scale }: TableAttribute): string {
  if (integerDigits + scale > DECIMAL_DIGITS) return 'DOUBLE';
  if (scale > 0) return `DECIMAL(${integerDigits + scale},${scale})`;
  return integerDigits <= BIGINT_DIGITS ? 'BIGINT' : 'HUGEINT';
}

const SQL_TYPES: Readonly<Record<DynamoDbType, ((attribute: TableAttribute) => string) | null>> =
  Object.freeze({
    S: () => 'VARCHAR',
    N: numberType,
    B: () => 'BLOB',
    BOOL: () => 'BOOLEAN',
    NULL: null,
    M: () => 'JSON',
    L: () => 'JSON',
    SS: () => 'JSON',
    NS: () => 'JSON',
    BS: () => 'JSON',
  });

/** The SQL type of an attribute's values, as far as the sample tells; `MIXED`: several; `unknown`: none was seen. */
export function sqlType(attribute: TableAttribute): string {
  const types = [...attribute.types.keys()].flatMap((type) => SQL_TYPES[type]?.(attribute) ?? []);
  const [first = 'unknown', ...others] = new Set(types);
  return others.length === 0 ? first : 'MIXED';
}

/** Share of the sampled items that have a value here, to two digits. NULL is no value. */
export function filled({ types }: TableAttribute, sampledItems: number): number {
  const count = [...types].reduce((sum, [type, seen]) => (type === 'NULL' ? sum : sum + seen), 0);
  return Math.min(1, Math.round((count / sampledItems) * 100) / 100);
}

function shapes(attribute: TableAttribute, sampledItems: number, prefix: string): readonly ColumnShape[] {
  const name = `${prefix}${attribute.name}`;
  const shape = {
    name,
    type: sqlType(attribute),
    ...(sampledItems === 0
      ? {}
      : { filled: filled(attribute, sampledItems), distinctValues: attribute.distinctValues }),
    ...(attribute.distinct === undefined ? {} : { distinct: attribute.distinct }),
  };
  return [shape, ...attribute.nested.flatMap((inner) => shapes(inner, sampledItems, `${name}.`))];
}

/** The columns of a table, keys first, each followed by what is inside it. */
export function columnShapes({ key, attributes, sampledItems }: TableDetails): readonly ColumnShape[] {
  const keys = [key.partitionKey.name, ...(key.sortKey === undefined ? [] : [key.sortKey.name])];
  const rank = ({ name }: TableAttribute): number => (keys.includes(name) ? keys.indexOf(name) : keys.length);
  return attributes
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((attribute) => shapes(attribute, sampledItems, ''));
}
