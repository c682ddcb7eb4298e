/** Who answers a statement: the engine what reads the tenant's tables, the session's own PostgreSQL server all else. */
import { UNSET } from '../backend/acted-on.ts';
import { tokensOf } from '../statements/lexer.ts';
import { WRITE_HINT } from '../errors/write-hint.ts';
import type { ResultColumn } from '../results/open-result.ts';
import { hasSelect, type Statement } from '../statements/statement.ts';
import { PgError } from '../errors/pg-error.ts';
import { isOpenNumeric } from '../types/announced.ts';
import type { SessionContext } from './context.ts';
import { within } from './error-place.ts';
import { once } from './pace.ts';
import type { AnsweredBy, PreparedStatement } from './prepared.ts';
import type { Rows } from './rows.ts';

/** A statement as it was read. */
export type Read = Pick<PreparedStatement, 'sql' | 'statement' | 'declaredOids'>;

/** Rejects with PgError where nobody can answer it. */
export type WhoAnswers = (read: Read) => Promise<PreparedStatement>;

const ENGINE: AnsweredBy = Object.freeze({ who: 'engine' });
/** Of the session: what it sets stays. */
const SESSION: AnsweredBy = Object.freeze({ who: 'server', isPlain: false, looksUp: false });
/** What may name a table in vain: PostgreSQL has to have it to say so. */
const NAMES_TABLES: AnsweredBy = Object.freeze({ who: 'server', isPlain: false, looksUp: true });

/** Refused here: of a table that no query has named yet PostgreSQL would say that there is none, and a role may alter itself. */
const WRITES: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'delete',
  'merge',
  'truncate',
  'copy',
  'alter',
]);

/** Commands that name no table. */
const OF_THE_SESSION: ReadonlySet<string> = new Set([
  ...['set', 'show', 'reset', 'begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release'],
  ...['execute', 'listen', 'unlisten', 'notify', ';'],
]);

/** @throws PgError 25006 */
function ofCommand(sql: string): AnsweredBy {
  const [first] = tokensOf(sql);
  if (first === undefined || OF_THE_SESSION.has(first.text)) return SESSION;
  if (!WRITES.has(first.text)) return NAMES_TABLES;
  throw new PgError({
    code: '25006',
    message: `cannot execute ${first.text === 'copy' ? 'COPY FROM' : first.text.toUpperCase()} in a read-only transaction`,
    hint: WRITE_HINT,
  });
}

/** Of statements without relations, those whose functions or types look names up. */
const LOOKS_NAMES_UP =
  /reg(?:class|type|namespace|proc|role)|schema|visible|privilege|_description|pg_get_|format_type|size/i;

const mixed = (catalog: string, table: string): PgError =>
  new PgError({
    code: '0A000',
    message: `a statement reads either system catalogs or tables: ${catalog} and ${table} cannot be in one`,
    hint: 'ask the catalogs first, then the tables',
  });

/** SQLSTATEs of a server that cannot tell, rather than of a statement. */
const SERVERS_OWN = /^(?:08|53|57|58|XX)/;
/** Data exceptions, such as a division by zero. */
const CANNOT_COMPUTE = /^22/;
const OF_CATALOGS = /^relation "(?:pg_|information_schema\.)/;

const CATALOG = /^(?:pg_|information_schema$)/;

/** Whether a name of a statement is one that is looked for. */
const names = (sql: string, isOne: (name: string) => boolean): boolean =>
  tokensOf(sql).some(({ kind, text }) => (kind === 'word' || kind === 'quoted') && isOne(text));

/** PostgreSQL has no table either where there is no schema. */
const meaning = ({ fields: { code } }: PgError): string => (code === '3F000' ? '42P01' : code);

/** Whether both refuse the same thing at the same place. */
const agree = (byServer: PgError, byEngine: PgError): boolean =>
  meaning(byServer) === meaning(byEngine) && byServer.fields.position === byEngine.fields.position;

/** PostgreSQL's words, which programs look for (`column "x" does not exist`), with what the engine knows besides. */
function inWordsOfServer(byServer: PgError, byEngine: PgError): PgError {
  const { code, message, hint } = byEngine.fields;
  const said = [...(code === '3F000' ? [message] : []), ...(hint === undefined ? [] : [hint])].join('; ');
  return said === '' ? byServer : new PgError({ ...byServer.fields, hint: said }, { cause: byEngine });
}

/** Of two that cannot read a statement, which says more of it. */
function better(byServer: PgError, byEngine: PgError, sql: string, tables: ReadonlySet<string>): PgError {
  const { code, message } = byServer.fields;
  if (SERVERS_OWN.test(code)) return byEngine;
  if (agree(byServer, byEngine)) return inWordsOfServer(byServer, byEngine);
  // What tables there are is the engine's to know.
  if (code === '42P01' || code === '3F000') return OF_CATALOGS.test(message) ? byServer : byEngine;
  return names(sql, (name) => tables.has(name)) ? byEngine : byServer;
}

export function createWhoAnswers(context: SessionContext, rows: Rows): WhoAnswers {
  const { backend, portals, prepared } = context;

  /** As far as they can be had: those who cannot tell decide nothing but who is asked, and whose error is shown. */
  const tableNames = async (): Promise<ReadonlySet<string>> => {
    await backend.bringTables().catch(() => undefined);
    return backend.tableNames();
  };

  /**
   * Whether digits of numbers are announced, of a statement that reads none of its tables, as `WHERE 1 = 0` does: PostgreSQL knows
   * nothing of those digits.
   */
  const hasDigits = async (columns: readonly ResultColumn[], select: string): Promise<boolean> => {
    if (!columns.some(isOpenNumeric)) return false;
    const tables = await tableNames();
    if (!names(select, (name) => tables.has(name))) return false;
    // A setting of ours that cannot be read is no reason to refuse a statement that PostgreSQL itself answers.
    const { numericModifier } = await backend.settings().catch(() => UNSET);
    return numericModifier !== UNSET.numericModifier;
  };

  /** Of statements that name no table of their own. */
  const byName = (statement: Exclude<Statement, { readonly sql: string }>, sql: string): AnsweredBy => {
    switch (statement.kind) {
      case 'fetch':
        return portals.find(statement.cursor) === undefined ? SESSION : ENGINE;
      case 'closeCursor':
        return statement.name === null || portals.find(statement.name) === undefined ? SESSION : ENGINE;
      case 'deallocate':
        return statement.name !== null && prepared.find(statement.name)?.by.who === 'engine'
          ? ENGINE
          : SESSION;
      case 'discardAll':
        return SESSION;
      case 'other':
        return ofCommand(sql);
    }
  };

  return async ({ sql, statement, declaredOids }) => {
    let isAdmitted = false;
    const of = (by: AnsweredBy, announced: PreparedStatement['announced'] = null): PreparedStatement => ({
      ...{ sql, statement, declaredOids, described: null, announced, by, isAdmitted, generation: 0 },
    });
    if (!hasSelect(statement)) return of(byName(statement, sql));
    const { sql: select } = statement;
    const pace = once(async (signal) => {
      await context.pace(signal);
      isAdmitted = true;
    });
    const ending = new AbortController();
    const found = await context.timed(ending, () =>
      backend.classify(select, declaredOids, () => pace(ending.signal)),
    );
    switch (found.by) {
      case 'engine':
        return of(ENGINE, found.columns);
      case 'server': {
        const { columns, readsCatalogs } = found;
        if (!readsCatalogs && (await context.timed(ending, () => hasDigits(columns, select))))
          return of(ENGINE, columns);
        // Cursors, prepared statements and the like stay.
        const isPlain = found.isPlain && ['select', 'explain', 'copyOut'].includes(statement.kind);
        const looksUp = readsCatalogs || LOOKS_NAMES_UP.test(select);
        return of({ who: 'server', isPlain, looksUp });
      }
      case 'neither':
        throw mixed(found.catalog, found.table);
      case 'unknown': {
        // What cannot be computed was read: planning computes what is constant, and PostgreSQL says what that means.
        const byServer = within(found.error, select, sql);
        if (CANNOT_COMPUTE.test(byServer.fields.code)) throw byServer;
        const tables = await context.timed(ending, () => tableNames());
        // Nobody but PostgreSQL has the catalogs; the engine would look for tables of their names.
        if (names(select, (name) => CATALOG.test(name)) && !names(select, (name) => tables.has(name)))
          throw byServer;
        const one = of(ENGINE);
        try {
          await rows.described(one, pace);
          return one;
        } catch (error) {
          const byEngine = within(error, select, sql);
          if (byEngine.fields.severity === 'FATAL') throw byEngine;
          throw better(byServer, byEngine, select, tables);
        }
      }
    }
  };
}
