import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { classifyDynamoError } from '@penstock/common/dynamodb/errors.ts';
import { TABLE_CONCURRENCY, VALIDATE_FAILURES_NAMED_MAX } from '../limits.ts';
import { mapConcurrently } from '@penstock/common/concurrency/limit.ts';
import { failedTables, type FailedTable } from '../metadata/failed-tables.ts';
import type { SecondaryIndex } from '../metadata/table-metadata.ts';
import type { TenantTables } from '../dynamodb/tenant-tables.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';

/** What queries ask of an index. */
const INDEX_ACTIONS = ['dynamodb:Query', 'dynamodb:Scan'] as const;

/** The scan that proves that items may be read: one segment, one item. */
const PROBE = Object.freeze({ segment: 0, totalSegments: 1, limit: 1 });

/**
 * Describes and probes each table that the allowlist names, and its indexes that queries may read.
 * @returns what is wrong, in words; null where nothing is
 */
export async function checkNamedTables(
  record: SchemaRecord,
  tables: TenantTables,
  signal: AbortSignal,
): Promise<string | null> {
  let unreachable: string | null = null;
  const failures = await mapConcurrently(record.tableAllowlist, TABLE_CONCURRENCY, async (tableName) => {
    if (unreachable !== null) return null;
    const failure = await checkTable(record, tables, tableName, signal);
    if (failure?.kind === 'unreachable') unreachable = failure.text;
    return failure === null ? null : { tableName, reason: failure.text, reasonOfMany: failure.text };
  });
  if (unreachable !== null) return unreachable;
  const failed = failures.filter((failure): failure is FailedTable => failure !== null);
  if (failed.length === 0) return null;
  return failedTables(failed, VALIDATE_FAILURES_NAMED_MAX, (names, reason) => `${names}: ${reason}`);
}

/** Lists all tables, which `*` needs. Returns as `checkNamedTables` does. */
export async function checkListing(
  record: SchemaRecord,
  tables: TenantTables,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await tables.list(signal);
    return null;
  } catch (error) {
    const { text } = describeFailure(record, 'dynamodb:ListTables', error);
    return `Listing tables, which the allowlist * needs: ${text}`;
  }
}

interface Failure {
  readonly kind: 'table' | 'unreachable';
  readonly text: string;
}

async function checkTable(
  record: SchemaRecord,
  tables: TenantTables,
  tableName: string,
  signal: AbortSignal,
): Promise<Failure | null> {
  if (signal.aborted) return { kind: 'table', text: 'not checked in time' };
  let action = 'dynamodb:DescribeTable';
  try {
    const { indexes } = await tables.describe(tableName, signal);
    action = 'dynamodb:Scan';
    await tables.scan(tableName, PROBE, signal);
    const denied = await deniedIndexes(tables, tableName, indexes, signal);
    return denied === null ? null : { kind: 'table', text: denied };
  } catch (error) {
    return describeFailure(record, action, error);
  }
}

/** What the role may not do on the indexes that queries may read, in words; null where it may do all. */
async function deniedIndexes(
  tables: TenantTables,
  tableName: string,
  indexes: readonly SecondaryIndex[],
  signal: AbortSignal,
): Promise<string | null> {
  const denied = { 'dynamodb:Query': new Set<string>(), 'dynamodb:Scan': new Set<string>() };
  for (const index of indexes)
    for (const action of INDEX_ACTIONS)
      try {
        await tables.probeIndex(tableName, index, action, signal);
      } catch (error) {
        const isDenied = error instanceof PenstockError && error.code === 'ACCESS_DENIED';
        if (!isDenied || classifyDynamoError(error.cause).kind === 'key-denied') throw error;
        denied[action].add(index.name);
      }
  const actions = INDEX_ACTIONS.filter((action) => denied[action].size > 0);
  if (actions.length === 0) return null;
  const names = [...new Set(actions.flatMap((action) => [...denied[action]]))].join(', ');
  return (
    `the role may not perform ${actions.join(' and ')} on its indexes ${names}: allow them on the table's ARN ` +
    'followed by /index/*'
  );
}

const KEY_DENIED =
  'the KMS key that encrypts it may not be used: allow the role kms:Decrypt on it, and see that it is enabled';

function describeFailure(record: SchemaRecord, action: string, error: unknown): Failure {
  if (!(error instanceof PenstockError)) throw error;
  switch (error.code) {
    case 'ACCESS_DENIED': {
      const { kind, action: refused } = classifyDynamoError(error.cause);
      if (kind === 'key-denied') return { kind: 'table', text: KEY_DENIED };
      const denied = refused ?? action;
      return { kind: 'table', text: `the role may not perform ${denied}` };
    }
    case 'TABLE_NOT_FOUND':
      return { kind: 'table', text: `there is no such table in ${record.region}` };
    case 'CANCELLED':
      return { kind: 'table', text: 'not checked in time' };
    case 'UNAVAILABLE':
      return {
        kind: 'unreachable',
        text: `DynamoDB could not be reached in region ${record.region}: check the region, or try again`,
      };
    default:
      return { kind: 'table', text: error.message };
  }
}
