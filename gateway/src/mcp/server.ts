import { McpServer } from '@modelcontextprotocol/server';
import { DATA_DESCRIPTION } from './data-marks.ts';
import { LISTS_TTL_MS } from './limits.ts';
import { addPrompts } from './prompts.ts';
import { addResources, SQL_REFERENCE_URI } from './resources.ts';
import { TOOL_SCOPES, type ToolName } from './scopes.ts';
import type { ToolCall } from './tool-call.ts';
import { addDescribeTable } from './tools/describe-table.ts';
import { addListTables } from './tools/list-tables.ts';
import { addRunSql } from './tools/run-sql.ts';

const INSTRUCTIONS = `Penstock runs SQL SELECT statements over the DynamoDB tables of one organization. Tables are written schema.table.
Find tables with list_tables, learn a table's columns, keys and indexes with describe_table, then read with run_sql.
DynamoDB charges for what is read, not for what is returned: a WHERE that sets the partition key of the table or of an index to a value reads a few items, a statement without it reads the whole table. run_sql with mode "plan" shows what a statement would read and reads nothing.
${DATA_DESCRIPTION}
Nothing can be written: there is no INSERT, UPDATE, DELETE or DDL. The whole dialect is in the resource ${SQL_REFERENCE_URI}.`;

const ADD: Readonly<Record<ToolName, (server: McpServer, call: ToolCall) => void>> = Object.freeze({
  list_tables: addListTables,
  describe_table: addDescribeTable,
  run_sql: addRunSql,
});

/** In the order in which an agent needs them. */
const TOOL_NAMES = ['list_tables', 'describe_table', 'run_sql'] as const satisfies readonly ToolName[];

/** The MCP server for one request: the tools that its caller's scopes allow, the prompts and the SQL reference. */
export function createServer(call: ToolCall): McpServer {
  // A token that lacks a scope hides tools. The caller's next token may have it, so a shorter list is not cached.
  const { scopes } = call.caller.principal;
  const names = TOOL_NAMES.filter((name) => scopes.includes(TOOL_SCOPES[name]));
  const hint = { ttlMs: LISTS_TTL_MS, cacheScope: 'private' } as const;
  const server = new McpServer(
    { name: 'penstock', title: 'Penstock: SQL over DynamoDB', version: '0.1.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false },
      },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'tools/list': { ...hint, ttlMs: names.length === TOOL_NAMES.length ? LISTS_TTL_MS : 0 },
        'prompts/list': hint,
        'resources/list': hint,
        'resources/templates/list': hint,
        'server/discover': hint,
      },
    },
  );
  for (const name of names) ADD[name](server, call);
  addPrompts(server);
  addResources(server, { ttlMs: LISTS_TTL_MS, cacheScope: 'public' });
  return server;
}
