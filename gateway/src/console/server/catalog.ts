import type { GatewayClients } from '../../clients/gateway-clients.ts';
import {
  knownTable,
  type IndexKey,
  type KnownTable,
  type TableAttribute,
  type TableDetails as Details,
  type TableIndex as Index,
} from '../../clients/catalog-tables.ts';
import { filled, sqlType } from '../../clients/column-types.ts';
import { answered } from '../../clients/service-call.ts';
import { sqlName } from '../../clients/sql-names.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { pathParameter } from '../../http/path-parameter.ts';
import { ACCOUNT_RPC_TIMEOUT_MS, CATALOG_TABLES_PER_PAGE } from '../../limits.ts';
import { validQueryParameters } from '../../validation/query-parameters.ts';
import type { CatalogPage, CatalogTable, Column, TableDetails, TableIndex } from '../api/catalog.ts';
import { PATHS } from '../api/paths.ts';
import { nextOf, pageParameters } from './parameters.ts';
import { consoleRoute, type ConsoleRoutes } from './route.ts';

function columnOf(attribute: TableAttribute, sampledItems: number, above: string): Column {
  const name = `${above}${sqlName(attribute.name)}`;
  return {
    name: attribute.name,
    sqlName: name,
    sqlType: sqlType(attribute),
    types: [...attribute.types]
      .map(([type, items]) => ({ type, items }))
      .toSorted((a, b) => b.items - a.items),
    ...(sampledItems === 0 ? {} : { filled: filled(attribute, sampledItems) }),
    distinctValues: attribute.distinctValues,
    ...(attribute.distinct === undefined ? {} : { distinct: attribute.distinct }),
    nested: attribute.nested.map((inner) => columnOf(inner, sampledItems, `${name}.`)),
  };
}

/** Keys first, as `SELECT *` gives them. */
function columnsOf({ key, attributes, sampledItems }: Details): readonly Column[] {
  const keys = [key.partitionKey, ...(key.sortKey === undefined ? [] : [key.sortKey])].map(
    ({ name }) => name,
  );
  const rank = ({ name }: TableAttribute): number => (keys.includes(name) ? keys.indexOf(name) : keys.length);
  return attributes
    .toSorted((a, b) => rank(a) - rank(b))
    .map((attribute) => columnOf(attribute, sampledItems, ''));
}

const keyOf = ({ partitionKeys, sortKeys }: IndexKey): IndexKey => ({ partitionKeys, sortKeys });

function indexOf(table: string, items: number, index: Index): TableIndex {
  const { name, kind, projection, nonKeyAttributes, itemCount, sizeBytes, coverage } = index;
  return {
    ...{ name, kind, projection, nonKeyAttributes, itemCount, sizeBytes, coverage },
    sqlName: `${table}.${sqlName(name)}`,
    ...keyOf(index),
    ...(items === 0 ? {} : { filled: Math.min(1, itemCount / items) }),
  };
}

function detailsOf(table: string, details: Details): TableDetails {
  const { key, itemCount, sizeBytes, describedAt, sampledAt, sampledItems, itemsPerKey, readCapacity } =
    details;
  return {
    key: {
      partitionKeys: [key.partitionKey],
      sortKeys: key.sortKey === undefined ? [] : [key.sortKey],
    },
    indexes: details.indexes.map((index) => indexOf(table, itemCount, index)),
    ...{ itemCount, sizeBytes, describedAt, sampledItems },
    ...(sampledAt === undefined ? {} : { sampledAt }),
    columns: columnsOf(details),
    ...(itemsPerKey === undefined ? {} : { itemsPerKey }),
    ...(readCapacity === undefined ? {} : { readCapacity }),
  };
}

/** A table as the console shows it. */
export function catalogTable({ schemaName, tableName, details }: KnownTable): CatalogTable {
  const name = `${sqlName(schemaName)}.${sqlName(tableName)}`;
  return {
    ...{ schemaName, tableName, sqlName: name },
    details: details === null ? null : detailsOf(name, details),
  };
}

/** What is known of tables. */
export function catalogEndpoints(
  options: ConsoleRoutes & { readonly catalog: GatewayClients['catalog'] },
): readonly Endpoint[] {
  const { catalog } = options;
  return [
    consoleRoute(options, 'get', PATHS.catalog, async ({ exchange, rpc }) => {
      const asked = { limit: CATALOG_TABLES_PER_PAGE, ...validQueryParameters(exchange, pageParameters) };
      const page = await answered(catalog.listTables(asked, rpc));
      return {
        tables: page.tables.map((table) => catalogTable(knownTable(table))),
        ...nextOf(page),
      } satisfies CatalogPage;
    }),
    consoleRoute(
      options,
      'get',
      `${PATHS.catalog}/:schemaName/:tableName`,
      async ({ exchange, rpc }) => {
        const schemaName = pathParameter(exchange, 'schemaName');
        const tableName = pathParameter(exchange, 'tableName');
        return catalogTable(
          knownTable(await answered(catalog.describeTable({ schemaName, tableName }, rpc))),
        );
      },
      { timeoutMs: ACCOUNT_RPC_TIMEOUT_MS },
    ),
  ];
}
