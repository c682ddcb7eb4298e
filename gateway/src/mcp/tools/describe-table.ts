import type { McpServer } from '@modelcontextprotocol/server';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { z } from 'zod';
import {
  knownTable,
  type TableDetails,
  type TableIndex,
  type TableKey,
} from '../../clients/catalog-tables.ts';
import { answered, onBehalfOf } from '../../clients/service-call.ts';
import { ACCOUNT_RPC_TIMEOUT_MS } from '../../limits.ts';
import { NAME_CHARS_MAX } from '../limits.ts';
import { DATA_DESCRIPTION } from '../data-marks.ts';
import type { ToolCall } from '../tool-call.ts';
import { columnShapes } from './column-types.ts';
import { sampleValue, sqlName } from './sql-names.ts';
import { indexKind, keyColumn, keyOf, keySchema } from './table-schemas.ts';
import { fitColumns } from './fit-columns.ts';
import { READ_ONLY, toolOutcome, toolResult } from './tool-result.ts';

const name = z.string().min(1).max(NAME_CHARS_MAX);
const inputSchema = z.strictObject({
  schemaName: name.describe('The schema, as list_tables shows it.'),
  tableName: name.describe('The table without its schema, as list_tables shows it.'),
});

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
  columns: z.array(
    z.object({
      name: z.string().describe('a.b is the value at b inside the JSON document of column a.'),
      type: z.string().describe('SQL type. MIXED: values of several types. unknown: no value was seen.'),
      filled: z.number().optional().describe('Share of the sampled items with a value here, 0 to 1.'),
      distinctValues: z.number().optional().describe('Different values in the sample; 0: not counted.'),
    }),
  ),
  omittedColumns: z
    .number()
    .optional()
    .describe('So many more columns are known, which did not fit. SELECT * shows them all.'),
  indexes: z.array(
    z.object({
      name: z.string(),
      kind: indexKind,
      ...keySchema,
      covers: z
        .array(z.string())
        .describe(
          'Columns that can be read from the index alone; ["*"]: all. Others cost a further read an item.',
        ),
      itemCount: z.number(),
      sizeBytes: z.number(),
    }),
  ),
  unusedIndexes: z
    .array(
      z.object({
        name: z.string(),
        partitionKeys: z.array(keyColumn),
        sortKeys: z.array(keyColumn),
        reason: z.string(),
      }),
    )
    .describe('Indexes that exist and that no statement is read by.'),
  exampleSql: z.array(z.string()).describe('Cheap statements, one for each key; put your own values in.'),
});

const DESCRIPTION = `Shows one table: columns with their types and how often they have a value, keys, indexes and what they cover, and example statements that read by a key.
DynamoDB has no column definitions: columns are learned from a sample of items, so rare ones can be missing, and any item can lack any column but the keys (it is NULL there).
Use the names exactly as they are shown; put a name in double quotes where it has other characters than letters, digits and _.
${DATA_DESCRIPTION}`;

const SEVERAL_KEYS = 'A key of it is made of several attributes, by which statements are not read yet.';

function covers({ key }: TableDetails, index: TableIndex): readonly string[] {
  if (index.projection === 'all') return ['*'];
  const keys = [index.partitionKey, index.sortKey, key.partitionKey, key.sortKey];
  return [...new Set([...keys.flatMap((column) => column?.name ?? []), ...index.nonKeyAttributes])];
}

function example(table: string, { partitionKey, sortKey }: TableKey): string {
  const conditions = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])].map(
    (column, i) => `${sqlName(column.name)} ${i === 0 ? '=' : '>='} ${sampleValue(column)}`,
  );
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
    (asked) =>
      toolOutcome(call, async () => {
        const answer = await answered(
          clients.catalog.describeTable(asked, onBehalfOf(exchange, caller.token, ACCOUNT_RPC_TIMEOUT_MS)),
        );
        const { schemaName, tableName, details } = knownTable(answer);
        if (details === null) throw new PenstockError('INTERNAL', 'Internal error');
        const table = `${sqlName(schemaName)}.${sqlName(tableName)}`;
        const { key, indexes, unusedIndexes, itemCount, sizeBytes, sampledItems, describedAt } = details;
        const described = {
          schemaName,
          tableName,
          sqlName: table,
          ...keyOf(key),
          itemCount,
          sizeBytes,
          sampledItems,
          describedAt,
          indexes: indexes.map((index) => ({
            name: index.name,
            kind: index.kind,
            ...keyOf(index),
            covers: covers(details, index),
            itemCount: index.itemCount,
            sizeBytes: index.sizeBytes,
          })),
          unusedIndexes: unusedIndexes.map((index) => ({ ...index, reason: SEVERAL_KEYS })),
          exampleSql: [key, ...indexes].map((each) => example(table, each)),
        };
        return toolResult(fitColumns(described, columnShapes(details)));
      }),
  );
}
