import { bind } from '../../src/binder/bind.ts';
import { parseParameters } from '../../src/binder/parameters.ts';
import type { SqlRules } from '../../src/catalog/description.ts';
import type { AttributeType, CatalogTable } from '../../src/catalog/table.ts';
import type { BoundStatement } from '../../src/logical/plan.ts';
import { parse } from '../../src/parser/parse.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';

/** A sampled table with the given attributes, the first of them its key. */
export function table(name: string, attributes: readonly string[], sampledItems = 10): CatalogTable {
  const [key = 'id', ...rest] = attributes;
  const attribute = (attributeName: string, type: AttributeType = 'S') => ({
    name: attributeName,
    types: { [type]: 1 },
    integerDigits: 0,
    scale: 0,
    nested: [],
    distinctValues: 1,
  });
  return {
    version: '1',
    schemaName: 'shop',
    tableName: name,
    access: { roleArn: '', externalId: '', region: '', tableAllowlist: [] },
    key: { partitionKey: { name: key, type: 'S' }, sortKey: null },
    indexes: [],
    itemCount: 10,
    sizeBytes: 1_000,
    attributes: [attribute(key), ...rest.map((name) => attribute(name))],
    sampledItems,
  };
}

const TABLES: readonly CatalogTable[] = [
  table('customers', ['id', 'name', 'city', 'Name2', 'Twin', 'twin']),
  table('orders', ['order_id', 'customer_id', 'total', 'status', 'city']),
  table('empty', ['id'], 0),
];

/** Binds SQL over a small catalog: customers, orders, and a table of which nothing is known. */
export function bindSql(sql: string, parameters = '', rules?: SqlRules): BoundStatement {
  return bind(parse(sql), {
    ...{ sql, rules },
    parameters: parseParameters(parameters),
    tables: (name) => {
      const found = TABLES.find(({ tableName }) => tableName === name.table.name);
      if (found === undefined)
        throw new PenstockError('TABLE_NOT_FOUND', `Table not found: ${name.table.name}`);
      return found;
    },
  });
}

export const columnsOf = (sql: string, parameters = ''): readonly string[] =>
  bindSql(sql, parameters).columns.map(({ name }) => name);

/** The error that binding ends in. */
export function bindError(sql: string, parameters = ''): PenstockError {
  try {
    bindSql(sql, parameters);
  } catch (error) {
    if (error instanceof PenstockError) return error;
    throw error;
  }
  throw new Error(`no error: ${sql}`);
}
