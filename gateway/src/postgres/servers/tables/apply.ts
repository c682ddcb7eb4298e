/** Brings a server's tables up to date, in transactions that give way to sessions. */
import type { Logger } from '@penstock/common/logging/logger.ts';
import { DatabaseError } from 'pg';
import { DDL_LOCK_MS_MAX, DDL_MS_MAX } from '../limits.ts';
import type { OwnerConnection } from '../owner-connection.ts';
import {
  changesOf,
  goneStatements,
  schemaStatements,
  statementsOf,
  transactionsOf,
  type AppliedTables,
  type TableChange,
} from './changes.ts';
import type { DatabaseObjects } from './objects.ts';

/** Locks that a session holds; also where each of two waits for the other. */
const isInTheWay = (error: unknown): boolean =>
  error instanceof DatabaseError && ['55P03', '40P01'].includes(error.code ?? '');

const BEGIN = [
  'BEGIN',
  `SET LOCAL lock_timeout = ${DDL_LOCK_MS_MAX}`,
  `SET LOCAL statement_timeout = ${DDL_MS_MAX}`,
];

/** All of it or nothing. */
async function transaction(owner: OwnerConnection, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return;
  try {
    await owner.run([...BEGIN, ...statements, 'COMMIT'].join(';\n'));
  } catch (error) {
    await owner.run('ROLLBACK');
    throw error;
  }
}

function note(applied: AppliedTables, changes: readonly TableChange[]): void {
  for (const { schema, name, after } of changes) {
    if (after === null) applied.get(schema)?.delete(name);
    else applied.get(schema)?.set(name, after);
  }
}

/** What PostgreSQL refuses of many is tried table by table: one that it does not take hides no other. */
async function oneByOne(
  owner: OwnerConnection,
  applied: AppliedTables,
  changes: readonly TableChange[],
  logger: Logger,
): Promise<void> {
  for (const change of changes) {
    try {
      await transaction(owner, statementsOf([change], true));
      note(applied, [change]);
    } catch (error) {
      if (!(error instanceof DatabaseError) || isInTheWay(error)) throw error;
      // Names are the tenant's, and its messages have them.
      logger.error({ sqlState: error.code }, 'a table cannot be shown to PostgreSQL clients');
    }
  }
}

export interface Done {
  /** False: a session's locks stand in the way, and what is not done yet is to be tried again. */
  readonly isWhole: boolean;
  /** Tables that were made, changed or dropped. */
  readonly changes: number;
}

export async function applyTables(
  owner: OwnerConnection,
  applied: AppliedTables,
  wanted: DatabaseObjects,
  logger: Logger,
): Promise<Done> {
  const changes = changesOf(applied, wanted);
  let done = 0;
  try {
    await transaction(owner, schemaStatements(changes));
    for (const schema of changes.newSchemas) applied.set(schema, new Map());
    for (const chunk of transactionsOf(changes.tables)) {
      try {
        await transaction(owner, statementsOf(chunk));
        note(applied, chunk);
      } catch (error) {
        if (!(error instanceof DatabaseError) || isInTheWay(error)) throw error;
        await oneByOne(owner, applied, chunk, logger);
      }
      done += chunk.length;
    }
    await transaction(owner, goneStatements(changes));
    for (const schema of changes.goneSchemas) applied.delete(schema);
    return { isWhole: true, changes: done };
  } catch (error) {
    if (isInTheWay(error)) return { isWhole: false, changes: done };
    throw error;
  }
}

/** What changes of tables leave behind, and what clients may change of their own roles. */
const CLEANED = [
  ...['pg_class', 'pg_attribute', 'pg_type', 'pg_index', 'pg_constraint', 'pg_depend', 'pg_shdepend'],
  ...['pg_description', 'pg_namespace', 'pg_authid', 'pg_db_role_setting'],
];

/** Gives the room of old rows free: nobody else does. */
export async function cleanCatalogs(owner: OwnerConnection): Promise<void> {
  await owner.run(`VACUUM (SKIP_LOCKED) ${CLEANED.map((name) => `pg_catalog.${name}`).join(', ')}`);
}
