/**
 * The shapes of all bodies, as zod: requests are those that the routes validate with; responses are described here, and
 * the tests check live answers with them.
 */
import { z } from 'zod';
import { refreshRequestSchema, tokenRequestSchema } from '../routes/auth.ts';
import { queryRequestSchema, wantRowsRequestSchema } from '../validation/query-request.ts';
import { createSchemaRequest, readLimits, updateSchemaRequest } from '../validation/schema-requests.ts';

const count = z.int().min(0);
const timestamp = z.iso.datetime({ precision: 3 });
const date = z.iso.date();

const succeeded = <S extends z.ZodType>(data: S) => z.strictObject({ success: z.literal(true), data });

const schemaRecord = z.strictObject({
  tenantId: z.string().describe('Owning tenant.'),
  schemaName: z.string().describe('As given at creation.'),
  region: z.string(),
  accountId: z.string(),
  roleArn: z.string(),
  externalId: z.string(),
  tableAllowlist: z.array(z.string()).describe('Empty: no restriction.'),
  readLimits: readLimits.optional().describe('Absent: none is set.'),
  status: z.enum(['active', 'disabled']),
  createdAt: timestamp,
});

const row = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]);
const warnings = z
  .array(z.string())
  .optional()
  .describe(
    'Absent when there is nothing to say. Of a statement that costs more than 10 read units, also what to write, or which index to make, so that it costs half at most.',
  );
const planTime = count.describe('Milliseconds to parse, plan and optimize, without data-store I/O.');

const executeData = z.strictObject({
  data: z.array(row).describe('Numbers are exact JSON number literals of any length.'),
  columns: z.array(z.string()),
  columnTypes: z.array(z.string()).describe('E.g. BIGINT, DECIMAL(10,2), VARCHAR, BOOLEAN, JSON, MIXED.'),
  firstRowIdx: count,
  resumeIdx: count.optional().describe('Present only when more rows may remain: where the next page starts.'),
  planTime,
  execTime: count.describe('Milliseconds from receipt to response.'),
  readUnits: z.number().min(0).describe('Read units consumed, exact to the half unit.'),
  warnings,
});

const planData = z.strictObject({
  plan: z.string().describe('The plan as a tree, in text.'),
  weight: z.number().min(0).describe('Relative cost; 0: nothing to estimate.'),
  estimatedReadUnits: z
    .strictObject({
      low: z.number().min(0).describe('What the statement will probably cost at least.'),
      high: z
        .number()
        .min(0)
        .describe(
          'What it will probably cost at most, where tables are as large as when DynamoDB last counted them.',
        ),
    })
    .optional()
    .describe(
      'Between which read units the statement will probably come out. Absent only from older engines.',
    ),
  normalizedSql: z.string(),
  planTime,
  warnings,
});

const runningQuery = z.strictObject({
  requestId: z.string(),
  state: z.enum(['queued', 'running']).describe('Queued: it waits for its turn and has read nothing.'),
  rows: count.describe('Rows that have left the query engine: of a page, none before it is complete.'),
  readUnits: z.number().min(0).describe('Read units consumed so far, exact to the half unit.'),
  elapsedMs: count.describe('Milliseconds since the query engine took it.'),
});

const brokenResult = z.strictObject({
  requestId: z.string(),
  state: z.literal('failed').describe('Its whole result broke off, a quarter of an hour ago at most.'),
  error: z.string().describe('Why, in short.'),
  detailedError: z.string().optional().describe('Place in the statement, what to do.'),
});

const endedResult = z.strictObject({
  requestId: z.string(),
  state: z
    .literal('ended')
    .describe(
      'Its whole result was to leave late attributes out (`drop`), and ended a quarter of an hour ago at most.',
    ),
  warnings: z.array(z.string()).describe('What it said at its end; which attributes it left out, too.'),
});

const usageCounts = { requests: count, rowsReturned: count, ddbReadUnits: count };

/** By the name they have in the document. */
export const bodies = Object.freeze({
  TokenRequest: tokenRequestSchema,
  TokenResponse: succeeded(
    z.strictObject({
      accessToken: z.string().describe('A JWT.'),
      refreshToken: z.string().describe('Lives 30 days.'),
      expiresIn: z.int().describe('Seconds.'),
      tokenType: z.literal('Bearer'),
    }),
  ),
  RefreshRequest: refreshRequestSchema,
  RefreshResponse: succeeded(
    z.strictObject({ accessToken: z.string(), expiresIn: z.int().describe('Seconds.') }),
  ),
  QueryRequest: queryRequestSchema,
  QueryResponse: z.union([
    succeeded(executeData),
    succeeded(planData),
    z.strictObject({
      success: z.literal(false),
      error: z.string(),
      detailedError: z.string().optional(),
    }),
  ]),
  RunningQueryResponse: succeeded(z.union([runningQuery, brokenResult, endedResult])),
  WantRowsRequest: wantRowsRequestSchema,
  WantedRowsResponse: succeeded(runningQuery),
  StoppedQueryResponse: succeeded(runningQuery.extend({ stopped: z.literal(true) })),
  QueryError: z.strictObject({
    success: z.literal(false),
    error: z.string().describe('What went wrong, in short.'),
    detailedError: z.string().optional().describe('Place in the statement, nearest names, what to do.'),
  }),
  CreateSchemaRequest: createSchemaRequest,
  UpdateSchemaRequest: updateSchemaRequest,
  ChangedSchemaResponse: succeeded(schemaRecord.extend({ updatedAt: timestamp })),
  SchemaResponse: succeeded(schemaRecord),
  SchemaListResponse: succeeded(
    z.strictObject({
      items: z.array(schemaRecord),
      nextToken: z.string().optional().describe('Present when more remain.'),
    }),
  ),
  DeletedSchemaResponse: succeeded(z.strictObject({ schemaName: z.string(), deleted: z.literal(true) })),
  RefreshMetadataResponse: succeeded(
    z.strictObject({
      ok: z.boolean().describe('No table failed.'),
      message: z.string(),
      refreshedAt: timestamp,
      tableCount: count,
      failedTableCount: count,
      deletedCount: count,
      skipped: z.boolean().describe('A refresh ended less than 30 seconds ago; nothing was done.'),
      readUnits: z.number().min(0).describe('What sampling consumed.'),
    }),
  ),
  ValidateRoleResponse: succeeded(
    z.strictObject({
      ok: z.boolean().describe('Every check passed.'),
      message: z.string().describe('Names the errors, at most four of them about tables.'),
    }),
  ),
  UsageSummaryResponse: succeeded(
    z.strictObject({
      tenantId: z.string(),
      startDate: date,
      endDate: date,
      totals: z.strictObject(usageCounts),
      days: z.array(z.strictObject({ day: date, ...usageCounts })),
    }),
  ),
  Error: z.strictObject({
    success: z.literal(false),
    error: z.strictObject({
      message: z.string(),
      code: z.string().describe('Of a closed list, e.g. VALIDATION_ERROR.'),
      requestId: z.string().describe('As in the x-request-id header.'),
    }),
  }),
  KeySet: z.strictObject({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) }),
} satisfies Record<string, z.ZodType>);

export type BodyName = keyof typeof bodies;

/** As JSON Schema 2020-12, which is what OpenAPI 3.1 speaks. */
export function bodyJsonSchemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(bodies).map(([name, schema]) => {
      const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input' });
      return [name, described];
    }),
  );
}
