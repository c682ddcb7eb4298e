import { z } from 'zod';
import {
  DEFAULT_MAX_ROWS,
  DEFAULT_TIMEOUT_MS,
  PARAMETERS_MAX,
  ROWS_MAX,
  SQL_BYTES_MAX,
  TIMEOUT_MS_MAX,
  TIMEOUT_MS_MIN,
  WHOLE_ROWS_MAX,
  WHOLE_TIMEOUT_MS_MAX,
} from '../limits.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const options = z.strictObject({
  maxRows: z
    .int()
    .min(1)
    .max(ROWS_MAX)
    .default(DEFAULT_MAX_ROWS)
    .describe(
      'Most rows of this page. A page also ends at 8 MiB of rows; then it holds fewer and has a resumeIdx.',
    ),
  resumeIdx: z.int().min(0).default(0).describe('Offset of the first row: the resumeIdx of the page before.'),
  responseType: z
    .enum(['array', 'object'])
    .default('array')
    .describe(
      'Rows as arrays in column order, or as objects by column name (the second of two equal names gets _2).',
    ),
  maxReadUnits: z
    .number()
    .min(0)
    .optional()
    .describe('Stop with an error once more read units have been consumed.'),
  timeoutMs: z
    .int()
    .min(TIMEOUT_MS_MIN)
    .max(TIMEOUT_MS_MAX)
    .default(DEFAULT_TIMEOUT_MS)
    .describe('Stop with an error after this many milliseconds.'),
  consistentRead: z.boolean().default(false).describe('Strongly consistent reads, at twice the units.'),
  lateAttributes: z
    .enum(['others', 'drop'])
    .optional()
    .describe(
      'Of attributes that SELECT * meets after CSV and Parquet named their columns (8 MiB read): others has them in a last ' +
        'column _others, as a JSON document; drop leaves them out and names them in x-penstock-warnings and at ' +
        '/v1/queries/{requestId}. Without it, such a result ends with an error that names them. Those met before are ' +
        'columns, as they are in JSON and NDJSON.',
    ),
  failWithStatus: z
    .boolean()
    .default(false)
    .describe(
      'Answer 422 in place of 200 where the query fails, for programs that look at the status alone.',
    ),
  parameters: z
    .union([z.array(scalar), z.record(z.string(), scalar)], {
      error: 'must be an array or an object of strings, numbers, booleans and nulls',
    })
    .refine((given) => Object.keys(given).length <= PARAMETERS_MAX, {
      error: `must have at most ${PARAMETERS_MAX} values`,
    })
    .optional()
    .describe(
      'Values for ? (an array) or :name (an object) in the statement, at most 10000. Numbers keep all their digits.',
    ),
});

const OF_PAGES = 'must not be given: a whole result has no pages';

/** Of a whole result: what is of pages is not taken, and what bounds a page is wider. */
const wholeOptions = options.extend({
  maxRows: z.int().min(1).max(WHOLE_ROWS_MAX).optional(),
  resumeIdx: z.literal(0, { error: OF_PAGES }).default(0),
  timeoutMs: z.int().min(TIMEOUT_MS_MIN).max(WHOLE_TIMEOUT_MS_MAX).default(WHOLE_TIMEOUT_MS_MAX),
});
/** Rows that a reader wants of a result, in all. */
const rowsWanted = z
  .int()
  .min(1)
  .max(WHOLE_ROWS_MAX)
  .describe('Rows that are wanted, with those that have come.');

/** Of NDJSON: its reader may say how far it wants to read. */
const ndjsonOptions = wholeOptions.extend({ rowsWanted: rowsWanted.optional() });
/** Of CSV and Parquet: a row has one form. */
const columnsOptions = wholeOptions.extend({
  responseType: z
    .literal('array', {
      error: 'must not be "object": CSV and Parquet name their columns once, not in each row',
    })
    .default('array'),
});

/** The body of POST /v1/query. */
export const queryRequestSchema = z.strictObject({
  sql: z
    .string()
    .min(1)
    .refine((sql) => Buffer.byteLength(sql) <= SQL_BYTES_MAX, {
      error: `must be at most ${SQL_BYTES_MAX} bytes in UTF-8`,
    })
    .describe('One SELECT statement, at most 64 KiB.'),
  mode: z.enum(['execute', 'plan']).default('execute').describe('execute reads rows; plan reads no item.'),
  tenantId: z.string().optional().describe("Must equal the token's tenant where it is given."),
  options: options.prefault({}),
});

export type QueryRequest = z.output<typeof queryRequestSchema>;

/** The body where the whole result is accepted. */
export const ndjsonRequestSchema = queryRequestSchema.extend({ options: ndjsonOptions.prefault({}) });
export const columnsRequestSchema = queryRequestSchema.extend({ options: columnsOptions.prefault({}) });

/** The body of PATCH /v1/queries/{requestId}. */
export const wantRowsRequestSchema = z.strictObject({ rowsWanted });
