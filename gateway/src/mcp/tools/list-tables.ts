import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { knownTable, type KnownTable } from '../../clients/catalog-tables.ts';
import { answered, onBehalfOf } from '../../clients/service-call.ts';
import { CURSOR_CHARS_MAX, NAME_CHARS_MAX, TABLES_PER_CALL_MAX } from '../limits.ts';
import { DATA_DESCRIPTION } from '../data-marks.ts';
import type { ToolCall } from '../tool-call.ts';
import { sqlName } from '../../clients/sql-names.ts';
import { indexKeyOf, indexKeySchema, indexKind, keyOf, keySchema } from './table-schemas.ts';
import { fitsResult, READ_ONLY, toolOutcome, toolResult } from './tool-result.ts';

const inputSchema = z.strictObject({
  schemaName: z
    .string()
    .min(1)
    .max(NAME_CHARS_MAX)
    .optional()
    .describe('Only the tables of this schema. Leave it out for all schemas.'),
  cursor: z
    .string()
    .min(1)
    .max(CURSOR_CHARS_MAX)
    .optional()
    .describe('nextCursor of the call before, to go on where it ended.'),
});

const outputSchema = z.object({
  notice: z.string().describe('How to take what follows.'),
  tables: z.array(
    z.object({
      schemaName: z.string(),
      tableName: z.string(),
      sqlName: z.string().describe('The table as run_sql wants it written.'),
      described: z
        .boolean()
        .describe('False: nothing but the name is known yet; describe_table looks at the table itself.'),
      partitionKey: keySchema.partitionKey.optional(),
      sortKey: keySchema.sortKey,
      indexes: z.array(z.object({ name: z.string(), kind: indexKind, ...indexKeySchema })),
      itemCount: z.number().optional().describe('Some hours old.'),
      sizeBytes: z.number().optional().describe('Some hours old. Reading 4096 bytes costs half a read unit.'),
    }),
  ),
  nextCursor: z.string().optional().describe('There are more tables: pass it as cursor.'),
});

const DESCRIPTION = `Lists the tables that can be queried, at most ${TABLES_PER_CALL_MAX} a call: schema, name, keys, indexes, number of items, size.
Call this first. It reads no item and costs nothing.
Then call describe_table for the columns of a table, and run_sql to read it.
${DATA_DESCRIPTION}`;

function listed({
  schemaName,
  tableName,
  details,
}: KnownTable): z.output<typeof outputSchema>['tables'][number] {
  const names = { schemaName, tableName, sqlName: `${sqlName(schemaName)}.${sqlName(tableName)}` };
  if (details === null) return { ...names, described: false, indexes: [] };
  const { key, indexes, itemCount, sizeBytes } = details;
  return {
    ...names,
    described: true,
    ...keyOf(key),
    indexes: indexes.map((index) => ({ name: index.name, kind: index.kind, ...indexKeyOf(index) })),
    itemCount,
    sizeBytes,
  };
}

export function addListTables(server: McpServer, call: ToolCall): void {
  const { exchange, caller, clients } = call;

  const pageOf = async (limit: number, asked: z.output<typeof inputSchema>) => {
    const { schemaName, cursor } = asked;
    const { tables, nextToken } = await answered(
      clients.catalog.listTables(
        {
          limit,
          ...(schemaName === undefined ? {} : { schemaName }),
          ...(cursor === undefined ? {} : { nextToken: cursor }),
        },
        onBehalfOf(exchange, caller.token),
      ),
    );
    return {
      tables: tables.map((table) => listed(knownTable(table))),
      ...(nextToken === undefined ? {} : { nextCursor: nextToken }),
    };
  };

  server.registerTool(
    'list_tables',
    {
      title: 'List tables',
      description: DESCRIPTION,
      inputSchema,
      outputSchema,
      annotations: { title: 'List tables', ...READ_ONLY },
    },
    (asked) =>
      toolOutcome(call, async () => {
        let limit = TABLES_PER_CALL_MAX;
        let page = await pageOf(limit, asked);
        // Tables with many long names may not fit: then fewer are asked for, so that the cursor follows the last one
        // shown.
        while (limit > 1 && !fitsResult(page)) {
          limit = Math.floor(Math.min(limit, page.tables.length) / 2);
          page = await pageOf(Math.max(1, limit), asked);
        }
        return toolResult(page);
      }),
  );
}
