import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { shortened } from '@penstock/common/errors/shortened.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { z } from 'zod';
import {
  planQuery,
  ROW_FORMATS,
  runQuery,
  type QueryCall,
  type QueryResult,
  type ResultTrailer,
} from '../../clients/run-query.ts';
import { DEADLINE_GRACE_MS, SQL_BYTES_MAX } from '../../limits.ts';
import { DATA_DESCRIPTION } from '../data-marks.ts';
import {
  DEFAULT_TOOL_ROWS,
  TOOL_COLUMNS_BYTES_MAX,
  TOOL_PLAN_BYTES_MAX,
  TOOL_ROWS_MAX,
  TOOL_ROWS_BYTES_MAX,
  TOOL_QUERY_TIMEOUT_MS,
} from '../limits.ts';
import { estimateOf } from '../../routes/query-envelope.ts';
import { parseWithoutRounding } from '../../validation/without-rounding.ts';
import type { ToolCall } from '../tool-call.ts';
import { fitRow } from './fit-row.ts';
import { READ_ONLY, textResult, toolOutcome, toolResult } from './tool-result.ts';

const inputSchema = z.strictObject({
  sql: z
    .string()
    .min(1)
    .refine((sql) => Buffer.byteLength(sql) <= SQL_BYTES_MAX, {
      error: `must be at most ${SQL_BYTES_MAX} bytes in UTF-8`,
    })
    .describe("One SELECT statement. Tables are written schema.table, text in 'single' quotes."),
  mode: z
    .enum(['execute', 'plan'])
    .default('execute')
    .describe('execute reads rows. plan reads nothing and shows what would be read, and how.'),
  maxRows: z
    .int()
    .min(1)
    .max(TOOL_ROWS_MAX)
    .default(DEFAULT_TOOL_ROWS)
    .describe('Most rows of this call. To have few rows read, too, add WHERE on a key, or LIMIT.'),
  resumeIdx: z
    .int()
    .min(0)
    .default(0)
    .describe('resumeIdx of the call before with the same sql, to get the rows after it.'),
  maxReadUnits: z
    .number()
    .min(0)
    .optional()
    .describe('Stop with an error once more read units have been consumed. A guard against a full scan.'),
});
type Input = z.output<typeof inputSchema>;

const outputSchema = z.object({
  notice: z.string().describe('How to take what follows.'),
  columns: z.array(z.string()).optional().describe('mode execute: names of the columns.'),
  columnTypes: z.array(z.string()).optional().describe('SQL types of the columns.'),
  rows: z
    .array(z.array(z.unknown()))
    .optional()
    .describe(
      'A row is an array in the order of columns. Numbers that JSON readers would round (whole ones beyond 2^53, ' +
        'decimals of more digits than a double has) are text here.',
    ),
  resumeIdx: z
    .number()
    .optional()
    .describe('More rows may remain: call again with the same sql and this. Absent: this was all.'),
  readUnits: z.number().optional().describe('What reading cost, in DynamoDB read units.'),
  plan: z.string().optional().describe('mode plan: the steps as a tree; its leaves are what is read.'),
  weight: z.number().optional().describe('mode plan: estimated cost; lower is cheaper, 0: no estimate.'),
  estimatedReadUnits: z
    .object({ low: z.number(), high: z.number() })
    .optional()
    .describe('mode plan: between which read units the statement will probably come out.'),
  normalizedSql: z.string().optional().describe('mode plan: the statement as it was understood.'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('Also how to write an expensive statement so that it costs less, and what it would cost then.'),
});

const DESCRIPTION = `Runs one SQL SELECT statement over the DynamoDB tables that list_tables shows, and returns rows. It cannot change anything.
SQL: joins, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT, OFFSET, UNION, WITH, subqueries, CASE, aggregates and the usual functions. Write tables as schema.table, for example: SELECT status, COUNT(*) FROM shop.orders WHERE customer_id = 'c1' GROUP BY status.
Cost follows what is read. Cheap: WHERE sets the partition key of the table or of an index (describe_table shows them), also through a join on it. Expensive: everything else, since the whole table is read, even with LIMIT after a filter. When in doubt, call with mode "plan" first: its warnings say how to ask for less.
An answer ends after ${TOOL_ROWS_BYTES_MAX / 1024} KiB of rows, too: call again with its resumeIdx for the rows after them.
${DATA_DESCRIPTION}
When a call fails, the error says where in the statement and names what is close to what you wrote: mend the statement and call again.`;

const warningsOf = (warnings: readonly string[]): { warnings?: readonly string[] } =>
  warnings.length === 0 ? {} : { warnings };

/** How all rows are had at once; calls for page after page are for looking at a few. */
const wholeByRest = (baseUrl: string): string =>
  `More rows may remain. For all of them, read once: POST ${baseUrl}/v1/query with {"sql": …}, Accept: text/csv or application/x-ndjson, and an API client's access token (POST ${baseUrl}/v1/auth/token).`;

/** Warnings beyond those of the engine. */
function ownWarnings(
  { rowCount, resumeIdx }: ResultTrailer,
  maxRows: number,
  isCut: boolean,
  baseUrl: string,
): string[] {
  const page = `This answer ended at its size, after ${rowCount} rows. For those after them, call again with resumeIdx ${resumeIdx}.`;
  const row = 'Long values of this row were cut, at …. Read them in parts: SUBSTRING(column, from, length).';
  const isMore = resumeIdx !== undefined;
  return [
    ...(isMore && rowCount < maxRows ? [page] : []),
    ...(isCut ? [row] : []),
    ...(isMore ? [wholeByRest(baseUrl)] : []),
  ];
}

/**
 * The result as text and data. In the text the rows stay as the engine wrote them, so that long numbers keep their
 * digits.
 */
function executed(
  { header, batches, trailer }: QueryResult,
  maxRows: number,
  baseUrl: string,
): CallToolResult {
  const { columns, columnTypes } = header;
  if (Buffer.byteLength(JSON.stringify([columns, columnTypes])) > TOOL_COLUMNS_BYTES_MAX) {
    throw new PenstockError(
      'RESOURCE_EXHAUSTED',
      `The names of ${columns.length} columns are larger than an answer may be: name the columns that you need, with short aliases`,
    );
  }
  const given = `${batches.map((batch) => Buffer.from(batch).toString()).join(',')}`;
  // The engine ends a page below this size, unless the first row alone exceeds it.
  const isCut = Buffer.byteLength(given) > TOOL_ROWS_BYTES_MAX;
  const rowsText = `[${isCut ? fitRow(given, TOOL_ROWS_BYTES_MAX) : given}]`;
  const rest = {
    ...(trailer.resumeIdx === undefined ? {} : { resumeIdx: Number(trailer.resumeIdx) }),
    readUnits: trailer.readUnits,
    ...warningsOf([...trailer.warnings, ...ownWarnings(trailer, maxRows, isCut, baseUrl)]),
  };
  const rows = parseWithoutRounding(rowsText);
  const text = `{"columns":${JSON.stringify(columns)},"rows":${rowsText},${JSON.stringify(rest).slice(1)}`;
  return toolResult({ columns, columnTypes, rows, ...rest }, text);
}

function estimateLines({ estimatedReadUnits }: ReturnType<typeof estimateOf>): readonly string[] {
  if (estimatedReadUnits === undefined) return [];
  const { low, high } = estimatedReadUnits;
  return [`Read units in all: ${low === high ? low : `${low} to ${high}`}`];
}

export function addRunSql(server: McpServer, call: ToolCall): void {
  const { exchange, caller, clients, usage, cancellable } = call;

  const run = async (input: Input, signal: AbortSignal): Promise<CallToolResult> => {
    const outgoing: QueryCall = {
      token: caller.token,
      requestId: exchange.requestId,
      signal,
      usageId: uuidV7(),
      usage,
      tenantId: caller.principal.tenantId,
      // Counted before the protocol saw the message.
      count: null,
      timeoutMs: TOOL_QUERY_TIMEOUT_MS + DEADLINE_GRACE_MS,
    };
    const asked = {
      sql: input.sql,
      maxRows: input.maxRows,
      resumeIdx: BigInt(input.resumeIdx),
      timeoutMs: TOOL_QUERY_TIMEOUT_MS,
    };
    if (input.mode === 'plan') {
      const planned = await planQuery(clients.queries, asked, outgoing);
      const { plan, weight, normalizedSql, warnings } = planned;
      const estimate = estimateOf(planned);
      const shown = shortened(plan, TOOL_PLAN_BYTES_MAX);
      const understood = shortened(normalizedSql, TOOL_PLAN_BYTES_MAX);
      const data = { plan: shown, weight, ...estimate, normalizedSql: understood, ...warningsOf(warnings) };
      return textResult(data, [shown, ...estimateLines(estimate), ...warnings].join('\n'));
    }
    const limit = input.maxReadUnits === undefined ? {} : { maxReadUnits: input.maxReadUnits };
    const page = { rowFormat: ROW_FORMATS.array, maxBytes: TOOL_ROWS_BYTES_MAX };
    const result = await runQuery(clients.queries, { ...asked, ...limit, ...page }, outgoing);
    return executed(result, input.maxRows, call.baseUrl);
  };

  server.registerTool(
    'run_sql',
    {
      title: 'Run SQL',
      description: DESCRIPTION,
      inputSchema,
      outputSchema,
      annotations: { title: 'Run SQL', ...READ_ONLY },
    },
    (input, { mcpReq }) =>
      cancellable(mcpReq.id, (cancelled) =>
        toolOutcome(call, () => run(input, AbortSignal.any([exchange.signal, mcpReq.signal, cancelled]))),
      ),
  );
}
