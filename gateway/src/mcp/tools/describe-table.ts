import type { McpServer } from '@modelcontextprotocol/server';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { z } from 'zod';
import {
  knownTable,
  type IndexKey,
  type KeyColumn,
  type TableDetails,
  type TableIndex,
  type TableKey,
} from '../../clients/catalog-tables.ts';
import { answered, onBehalfOf } from '../../clients/service-call.ts';
import { ACCOUNT_RPC_TIMEOUT_MS } from '../../limits.ts';
import { NAME_CHARS_MAX, SEARCH_CHARS_MAX } from '../limits.ts';
import { DATA_DESCRIPTION } from '../data-marks.ts';
import type { ToolCall } from '../tool-call.ts';
import { columnShapes } from '../../clients/column-types.ts';
import { sampleValue, sqlName } from '../../clients/sql-names.ts';
import { indexKeyOf, indexKeySchema, indexKind, keyOf, keySchema } from './table-schemas.ts';
import { fitColumns } from './fit-columns.ts';
import { READ_ONLY, toolOutcome, toolResult } from './tool-result.ts';

const name = z.string().min(1).max(NAME_CHARS_MAX);
const inputSchema = z.strictObject({
  schemaName: name.describe('The schema, as list_tables shows it.'),
  tableName: name.describe('The table without its schema, as list_tables shows it.'),
  search: z
    .string()
    .min(1)
    .max(SEARCH_CHARS_MAX)
    .optional()
    .describe(
      'Only columns whose names have this in them, in any case. For tables of which not all columns fit.',
    ),
});

/** Of what a sample tells, with what it cannot tell. */
const range = z.object({ low: z.number(), estimate: z.number(), high: z.number() });

const outputSchema = z.object({
  notice: z.string().describe('How to take what follows.'),
  schemaName: z.string(),
  tableName: z.string(),
  sqlName: z.string().describe('The table as run_sql wants it written.'),
  ...keySchema,
  itemCount: z.number().describe('Some hours old.'),
  sizeBytes: z.number().describe('Some hours old. Reading 4096 bytes costs half a read unit.'),
  sampledItems: z.number().describe('Items that the columns were learned from; 0: only keys are known.'),
  describedAt: z.string(),
  itemsPerKey: range
    .optional()
    .describe(
      'Items with the same partition key on average, guessed from a sample: probably from low to high.',
    ),
  learned: z
    .object({
      keys: z.array(
        z.object({
          index: z.string().optional().describe('Absent: the table itself.'),
          columns: z.array(z.string()),
          itemsPerKey: z.number(),
          unitsPerKey: z.number().describe('Read units that a key cost.'),
          missingPercent: z.number().describe('Of the keys that were looked for, those without any item.'),
        }),
      ),
      filters: z.array(
        z.object({
          index: z.string().optional().describe('Absent: the table itself.'),
          filter: z.string().describe('As it was sent to DynamoDB; ? stands for a value.'),
          passedPercent: z.number().describe('Of the items that were read, those that passed.'),
        }),
      ),
    })
    .optional()
    .describe('What the latest queries on this table saw, by path. Absent where there were none.'),
  columns: z.array(
    z.object({
      name: z.string().describe('a.b is the value at b inside the JSON document of column a.'),
      type: z.string().describe('SQL type. MIXED: values of several types. unknown: no value was seen.'),
      filled: z.number().optional().describe('Share of the sampled items with a value here, 0 to 1.'),
      distinctValues: z.number().optional().describe('Different values in the sample; 0: not counted.'),
      distinct: range.optional().describe('Different values in the whole table: probably from low to high.'),
    }),
  ),
  omittedColumns: z
    .number()
    .optional()
    .describe('So many more columns are known, which did not fit: call again with search, a part of a name.'),
  indexes: z.array(
    z.object({
      name: z.string(),
      sqlName: z
        .string()
        .describe('The index as a relation of its own: its entries alone, with the columns that it covers.'),
      kind: indexKind,
      ...indexKeySchema,
      covers: z
        .array(z.string())
        .describe(
          'Columns that can be read from the index alone; ["*"]: all. Others cost a further read an item.',
        ),
      itemCount: z.number(),
      sizeBytes: z.number(),
    }),
  ),
  exampleSql: z.array(z.string()).describe('Cheap statements, one for each key; put your own values in.'),
});

const DESCRIPTION = `Shows one table: columns with their types and how often they have a value, keys, indexes and what they cover, and example statements that read by a key.
DynamoDB has no column definitions: columns are learned from a sample of items, so rare ones can be missing, and any item can lack any column but the keys (it is NULL there).
Use the names exactly as they are shown; put a name in double quotes where it has other characters than letters, digits and _.
${DATA_DESCRIPTION}`;

function covers({ key }: TableDetails, index: TableIndex): readonly string[] {
  if (index.projection === 'all') return ['*'];
  const own = asIndexKey(key);
  const keys = [index, own].flatMap(({ partitionKeys, sortKeys }) => [...partitionKeys, ...sortKeys]);
  return [...new Set([...keys.map((column) => column.name), ...index.nonKeyAttributes])];
}

function asIndexKey({ partitionKey, sortKey }: TableKey): IndexKey {
  return { partitionKeys: [partitionKey], sortKeys: sortKey === undefined ? [] : [sortKey] };
}

/** Binds all of the partition key, and the first attribute of the sort key by a range. */
function example(table: string, { partitionKeys, sortKeys }: IndexKey): string {
  const condition = (column: KeyColumn, operator: string): string =>
    `${sqlName(column.name)} ${operator} ${sampleValue(column)}`;
  const conditions = [
    ...partitionKeys.map((column) => condition(column, '=')),
    ...sortKeys.slice(0, 1).map((column) => condition(column, '>=')),
  ];
  return `SELECT * FROM ${table} WHERE ${conditions.join(' AND ')} LIMIT 10`;
}

export function addDescribeTable(server: McpServer, call: ToolCall): void {
  const { exchange, caller, clients } = call;
  server.registerTool(
    'describe_table',
    {
      title: 'Describe a table',
      description: DESCRIPTION,
      inputSchema,
      outputSchema,
      annotations: { title: 'Describe a table', ...READ_ONLY },
    },
    ({ search, ...asked }) =>
      toolOutcome(call, async () => {
        const answer = await answered(
          clients.catalog.describeTable(asked, onBehalfOf(exchange, caller.token, ACCOUNT_RPC_TIMEOUT_MS)),
        );
        const { schemaName, tableName, details } = knownTable(answer);
        if (details === null) throw new PenstockError('INTERNAL', 'Internal error');
        const table = `${sqlName(schemaName)}.${sqlName(tableName)}`;
        const { key, indexes, itemCount, sizeBytes, sampledItems, describedAt, itemsPerKey, learned } =
          details;
        const described = {
          schemaName,
          tableName,
          sqlName: table,
          ...keyOf(key),
          itemCount,
          sizeBytes,
          sampledItems,
          describedAt,
          ...(itemsPerKey === undefined ? {} : { itemsPerKey }),
          ...(learned === undefined ? {} : { learned }),
          indexes: indexes.map((index) => ({
            name: index.name,
            sqlName: `${table}.${sqlName(index.name)}`,
            kind: index.kind,
            ...indexKeyOf(index),
            covers: covers(details, index),
            itemCount: index.itemCount,
            sizeBytes: index.sizeBytes,
          })),
          exampleSql: [asIndexKey(key), ...indexes].map((each) => example(table, each)),
        };
        const wanted = search?.toLowerCase() ?? '';
        const columns = columnShapes(details).filter((column) => column.name.toLowerCase().includes(wanted));
        return toolResult(fitColumns(described, columns));
      }),
  );
}
