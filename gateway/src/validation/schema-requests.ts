import { REGION_NAME } from '@penstock/common/aws/region-name.ts';
import { z } from 'zod';
import {
  ALLOWLIST_TABLES_MAX,
  READ_LIMIT_TABLES_MAX,
  SCHEMAS_PER_PAGE_MAX,
  UNITS_PER_QUERY_MAX,
  UNITS_PER_SECOND_MAX,
} from '../limits.ts';

/** Decisions, "Schema name". */
export const SCHEMA_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const ACCOUNT_ID = /^\d{12}$/;
const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/.+$/;
const EXTERNAL_ID = /^[\w+=,.@:/-]+$/;
const TABLE_NAME = /^(?:[a-zA-Z0-9_.-]{3,255}|\*)$/;
const TABLE = /^[a-zA-Z0-9_.-]{3,255}$/;

const ROLE_ARN_CHARS_MAX = 2_048;
const EXTERNAL_ID_CHARS_MIN = 2;
const EXTERNAL_ID_CHARS_MAX = 1_224;

const region = z
  .string()
  .regex(REGION_NAME, 'must be a region such as eu-west-1')
  .describe('Region of the tables.');
const accountId = z
  .string()
  .regex(ACCOUNT_ID, 'must have 12 digits')
  .describe('Account that owns the tables.');
const roleArn = z
  .string()
  .max(ROLE_ARN_CHARS_MAX)
  .regex(ROLE_ARN, 'must be the ARN of a role: arn:aws:iam::<12 digits>:role/<name>')
  .describe('The role to assume, in the account of accountId and the partition of region.');
const externalId = z
  .string()
  .min(EXTERNAL_ID_CHARS_MIN)
  .max(EXTERNAL_ID_CHARS_MAX)
  .regex(
    EXTERNAL_ID,
    'must consist of letters, digits and _+=,.@:/-, such as penstock-<your tenantId>-<a random UUID>',
  )
  .describe(
    "As in the role's trust policy. Best: `penstock-<your tenantId>-<a random UUID>`, which no other tenant can register.",
  );
const tableAllowlist = z
  .array(z.string().regex(TABLE_NAME, 'must be a table name of 3 to 255 letters, digits and _.-, or *'))
  .max(ALLOWLIST_TABLES_MAX)
  .describe('Table names, case-sensitive. ["*"]: all tables, explicitly. Empty: no restriction.');

/** The least that DynamoDB charges. */
const READ_UNITS_MIN = 0.5;
const unitsPerSecond = z.number().min(READ_UNITS_MIN).max(UNITS_PER_SECOND_MAX);

/** What queries may read of a schema's tables; a record has it where it sets anything. */
export const readLimits = z
  .strictObject({
    unitsPerSecond: unitsPerSecond
      .optional()
      .describe(
        'Read units a second of each table, of all queries together. Absent: half of the read capacity of a provisioned table.',
      ),
    unitsPerQuery: z
      .number()
      .min(READ_UNITS_MIN)
      .max(UNITS_PER_QUERY_MAX)
      .optional()
      .describe('Read units of one query. Of this and options.maxReadUnits the smaller counts.'),
    tableUnitsPerSecond: z
      .record(
        z.string().regex(TABLE, 'must be a table name of 3 to 255 letters, digits and _.-'),
        unitsPerSecond,
      )
      .refine((tables) => Object.keys(tables).length <= READ_LIMIT_TABLES_MAX, {
        error: `must have at most ${READ_LIMIT_TABLES_MAX} tables`,
      })
      .optional()
      .describe('Tables for which another number counts than unitsPerSecond, by name, case-sensitive.'),
  })
  .describe('What queries may read. A table on demand has no limit but those set here, or by the operator.');

/** The body of POST /v1/schemas. */
export const createSchemaRequest = z.strictObject({
  schemaName: z
    .string()
    .regex(SCHEMA_NAME, 'must begin with a letter and have at most 64 letters, digits, _ and -')
    .describe('Qualifies tables in SQL. Unique within the tenant, whatever the case.'),
  region,
  accountId,
  roleArn,
  externalId,
  tableAllowlist: tableAllowlist.optional(),
  readLimits: readLimits.optional(),
});

/** The body of PATCH /v1/schemas/{schemaName}. */
export const updateSchemaRequest = z
  .strictObject({
    region: region.optional(),
    accountId: accountId.optional(),
    roleArn: roleArn.optional(),
    externalId: externalId.optional(),
    tableAllowlist: tableAllowlist.optional(),
    status: z.enum(['active', 'disabled']).optional(),
    readLimits: readLimits
      .nullable()
      .optional()
      .describe('Replaces the limits as a whole; null or {} removes them.'),
  })
  .refine((body) => Object.keys(body).length > 0, { error: 'must have at least one field' });

/** Of GET /v1/schemas. */
export const listSchemasParameters = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be an integer of at least 1')
    .optional()
    .transform((text) =>
      Math.min(text === undefined ? SCHEMAS_PER_PAGE_MAX : Number(text), SCHEMAS_PER_PAGE_MAX),
    ),
  nextToken: z.string().min(1).optional(),
});

/** Of every route that has none. */
export const noParameters = z.strictObject({});
