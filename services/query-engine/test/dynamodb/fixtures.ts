/** Short ways to write tables, scans and predicates in tests. */
import type {
  Attribute,
  AttributeType,
  CatalogTable,
  IndexKey,
  KeySchema,
  SecondaryIndex,
} from '../../src/catalog/table.ts';
import type { ComparisonOperator, Expression, LiteralValue } from '../../src/logical/expression.ts';
import type { ScanColumn, TableScan } from '../../src/logical/plan.ts';

/** `pk:S` or `pk:S, sk:N`. */
export function keySchema(text: string): KeySchema {
  const [partition, sort] = text.split(', ').map((part) => {
    const [name = '', type = 'S'] = part.split(':');
    return { name, type: type as 'S' | 'N' | 'B' };
  });
  if (partition === undefined) throw new Error('no key');
  return { partitionKey: partition, sortKey: sort ?? null };
}

/** `pk:S`, `pk:S, sk:N`, or with several attributes of each kind: `a:S & b:S, c:N & d:S`. */
export function indexKey(text: string): IndexKey {
  const [partitionKeys = [], sortKeys = []] = text
    .split(', ')
    .map((part) => part.split(' & ').map((one) => keySchema(one).partitionKey));
  return { partitionKeys, sortKeys };
}

export function attribute(
  name: string,
  types: Partial<Record<AttributeType, number>> = {},
  distinctValues = 0,
): Attribute {
  return { name, types, integerDigits: 0, scale: 0, nested: [], distinctValues };
}

export function index(name: string, key: string, more: Partial<SecondaryIndex> = {}): SecondaryIndex {
  return {
    name,
    global: true,
    key: indexKey(key),
    projection: 'ALL',
    nonKeyAttributes: [],
    itemCount: 0,
    sizeBytes: 0,
    coverage: 'complete',
    ...more,
  };
}

/** A table of 100,000 items of 400 bytes, unless said otherwise: scanning it costs 4,883 units. */
export function catalogTable(key: string, more: Partial<CatalogTable> = {}): CatalogTable {
  return {
    version: '1',
    schemaName: 'shop',
    tableName: 'orders',
    access: {
      roleArn: 'arn:aws:iam::111122223333:role/r',
      externalId: 'x',
      region: 'eu-west-1',
      tableAllowlist: [],
    },
    key: keySchema(key),
    indexes: [],
    itemCount: 100_000,
    sizeBytes: 40_000_000,
    attributes: [],
    sampledItems: 0,
    ...more,
  };
}

/** A scan whose columns are the attributes (or `a.b[0]` paths) named, and their expressions by that name. */
export function tableScan(
  table: CatalogTable,
  names: readonly string[],
  more: Partial<Omit<TableScan, 'kind' | 'table' | 'columns'>> = {},
): TableScan {
  return {
    kind: 'TableScan',
    table,
    alias: 'o',
    columns: names.map(scanColumn),
    filter: [],
    limitHint: null,
    orderHint: [],
    ...more,
  };
}

/** The same name has the same ID everywhere. */
export function scanColumn(name: string): ScanColumn {
  const path = name.split(/[.[]/).map((step) => (step.endsWith(']') ? Number(step.slice(0, -1)) : step));
  const id = [...name].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 7);
  return { id, name, path };
}

type Constant = string | number | boolean | null | bigint;

export function col(name: string): Expression {
  return { kind: 'ColumnReference', column: scanColumn(name) };
}

/** Numbers as JavaScript writes them; digits beyond that as a bigint. */
export function lit(value: Constant): Expression {
  return { kind: 'Literal', value: literalValue(value) };
}

function literalValue(value: Constant): LiteralValue {
  if (value === null) return { type: 'null' };
  if (typeof value === 'string') return { type: 'text', value };
  return typeof value === 'boolean' ? { type: 'boolean', value } : { type: 'number', text: String(value) };
}

export function cmp(name: string, operator: ComparisonOperator, value: Constant): Expression {
  return { kind: 'Comparison', operator, left: col(name), right: lit(value) };
}

export const eq = (name: string, value: Constant): Expression => cmp(name, '=', value);
export const and = (...operands: Expression[]): Expression => ({ kind: 'And', operands });
export const or = (...operands: Expression[]): Expression => ({ kind: 'Or', operands });
export const not = (operand: Expression): Expression => ({ kind: 'Not', operand });
export const isNull = (name: string, negated = false): Expression => ({
  kind: 'IsNull',
  operand: col(name),
  negated,
});
export const between = (name: string, low: Constant, high: Constant, negated = false): Expression => ({
  kind: 'Between', operand: col(name), low: lit(low), high: lit(high), negated,
}); // oxfmt-ignore
export const inList = (name: string, values: readonly Constant[], negated = false): Expression => ({
  kind: 'InList', operand: col(name), values: values.map(lit), negated,
}); // oxfmt-ignore
export const like = (name: string, pattern: string, negated = false): Expression => ({
  kind: 'Like', operand: col(name), pattern: lit(pattern), escape: null, caseInsensitive: false, negated,
}); // oxfmt-ignore
