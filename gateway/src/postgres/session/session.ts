/**
 * One signed-in client: its messages, one after the other, and what is answered to each.
 *
 * The simple and the extended protocol meet in portals: whatever gives rows is one. Kept in one file, since each message's
 * meaning depends on what the ones before it left: a failed message makes the rest be skipped up to the next Sync.
 */
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { CatalogSession } from '../catalog/catalog.ts';
import type { KnownTables } from '../engine/known-tables.ts';
import { PgError } from '../errors/pg-error.ts';
import { toPgError } from '../errors/from-penstock.ts';
import { STATEMENT_BYTES_MAX, STATEMENTS_PER_QUERY_MAX } from '../limits.ts';
import { copyHeader, copyLine } from '../results/copy-lines.ts';
import { ofRows, type ResultColumn } from '../results/open-result.ts';
import { splitStatements } from '../statements/lexer.ts';
import { recognize } from '../statements/recognize.ts';
import type { Statement } from '../statements/statement.ts';
import { typeSize } from '../types/oids.ts';
import * as backend from '../wire/backend.ts';
import type { FrontendMessage, Value } from '../wire/frontend.ts';
import { textColumn, type DescribedSelect } from './described.ts';
import { explainSelect } from './explain.ts';
import type { Identity } from './identity.ts';
import { ConnectionGoneError, type Output } from './output.ts';
import { createPortal, type Portal } from './portal.ts';
import { createPortals } from './portals.ts';
import { createPreparedStatements, type PreparedStatement } from './prepared.ts';
import { createSelects, type SelectParts, type SelectSession } from './selects.ts';
import {
  isSessionStatement,
  runSessionStatement,
  sessionColumns,
  type SessionState,
} from './session-statements.ts';
import { createSettings } from './settings.ts';
import { createTransaction } from './transaction.ts';

export interface SessionParts extends SelectParts {
  readonly knownTables: KnownTables;
  /** Told of each statement: by whom it was answered, and the SQLSTATE that it ended with. */
  readonly onStatement: (by: 'engine' | 'catalog' | 'session', sqlState: string, seconds: number) => void;
}

export interface SessionOptions {
  readonly identity: Identity;
  readonly user: string;
  readonly database: string;
  readonly backendPid: number;
  /** Of the client's start: settings and others. */
  readonly startup: ReadonlyMap<string, string>;
  readonly output: Output;
  readonly logger: Logger;
}

export interface Session {
  /** What a client is told once it has signed in. @throws PgError FATAL where a setting of its start is none */
  begin(): void;
  /** Handles one message; the next must not come before. False: the client is leaving. Rejects where the session is over. */
  handle(message: FrontendMessage): Promise<boolean>;
  /** Ends the statement under way, if there is one. */
  cancel(reason: PgError): void;
  close(): Promise<void>;
}

const CANCELLED_BY_TIME = (): PgError =>
  new PgError({ code: '57014', message: 'canceling statement due to statement timeout' });

const FAILED_TRANSACTION = new PgError({
  code: '25P02',
  message: 'current transaction is aborted, commands ignored until end of transaction block',
});

/** Settings that PostgreSQL takes at the start under other names, and what is no setting. */
const NO_SETTINGS: ReadonlySet<string> = new Set(['user', 'database', 'options', 'replication']);

const ENDS_FAILURE: ReadonlySet<Statement['kind']> = new Set(['commit', 'rollback', 'rollbackTo']);

const SCHEMAS_SCOPE = 'schemas:read';

/** Words of the start's options: a backslash keeps what follows it. */
function words(options: string): readonly string[] {
  const found: string[] = [];
  let word = '';
  for (let at = 0; at < options.length; at++) {
    const char = options[at] ?? '';
    if (char === '\\') word += options[++at] ?? '';
    else if (char.trim() !== '') word += char;
    else if (word !== '') {
      found.push(word);
      word = '';
    }
  }
  return word === '' ? found : [...found, word];
}

/** `-c name=value`, `-cname=value` and `--name=value` of the start's options. */
function settingsOfOptions(options: string): readonly (readonly [string, string])[] {
  const all = words(options);
  return all.flatMap((word, i) => {
    const text = word.startsWith('--')
      ? word.slice(2)
      : all[i - 1] === '-c'
        ? word
        : word.startsWith('-c')
          ? word.slice(2)
          : '';
    const at = text.indexOf('=');
    return at < 1
      ? []
      : [[text.slice(0, at).replaceAll('-', '_').toLowerCase(), text.slice(at + 1)] as const];
  });
}

const fieldsOf = (
  columns: readonly ResultColumn[],
  formats: readonly number[],
): readonly backend.FieldDescription[] =>
  columns.map(({ name, typeOid, typeModifier }, i) => ({
    ...{ name, typeOid, typeModifier, typeSize: typeSize(typeOid), format: formats[i] ?? 0 },
  }));

/** Of so many values: none given means text, one means all. */
function formatsFor(given: readonly number[], count: number, what: string): readonly number[] {
  if (given.length === 0) return [];
  if (given.length === 1) return Array.from({ length: count }, () => given[0] ?? 0);
  if (given.length === count) return given;
  throw new PgError({
    code: '08P01',
    message: `bind message has ${given.length} ${what} formats but there are ${count} ${what}s`,
  });
}

/** What needs no place any more, or has it. */
const known = (error: unknown): boolean => error instanceof ConnectionGoneError || error instanceof PgError;

export function createSession(parts: SessionParts, options: SessionOptions): Session {
  const { identity, user, database, backendPid, output, logger } = options;
  const { principal } = identity;
  const settings = createSettings(user);
  const transaction = createTransaction(settings);
  const portals = createPortals();
  const prepared = createPreparedStatements();
  const state: SessionState = { settings, transaction, portals, prepared };
  const selects = createSelects(parts);
  const closing = new AbortController();
  /** Of the statement under way. */
  let running: AbortController | null = null;
  /** After an error in the extended protocol. */
  let skipsToSync = false;
  let answeredBy: 'engine' | 'catalog' | 'session' = 'session';

  const catalogSession = (signal: AbortSignal): CatalogSession => ({
    ...{ user, database, tenantId: principal.tenantId, backendPid, signal },
    setting: (name) => settings.get(name.toLowerCase()),
    set: (name, value) => settings.set(name.toLowerCase(), value),
    searchPath: () => settings.searchPath(),
    tables: async () => {
      if (!principal.scopes.includes(SCHEMAS_SCOPE)) return { version: 'none', schemas: [], tables: [] };
      const call = {
        token: await identity.token(),
        tenantId: principal.tenantId,
        requestId: `pg-${backendPid}`,
      };
      return parts.knownTables.of(call);
    },
  });
  const selectSession: SelectSession = { identity, searchPath: () => settings.searchPath(), catalogSession };

  /** Runs work that can be cancelled and that may take as long as the session says. */
  const timed = async <T>(ending: AbortController, work: () => Promise<T>): Promise<T> => {
    const timeoutMs = settings.statementTimeoutMs();
    const timer =
      timeoutMs === null ? undefined : setTimeout(() => ending.abort(CANCELLED_BY_TIME()), timeoutMs);
    const outer = running;
    running = ending;
    const onClose = (): void => ending.abort(closing.signal.reason);
    closing.signal.addEventListener('abort', onClose, { once: true });
    if (closing.signal.aborted) onClose();
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      closing.signal.removeEventListener('abort', onClose);
      running = outer;
    }
  };

  const notice = (severity: backend.NoticeSeverity, code: string, message: string): void =>
    output.write(backend.noticeResponse(severity, { code, message }));

  const tellEnd = (portal: Portal): void => {
    const { end } = portal;
    if (end === null) return;
    if (settings.shows('warning')) for (const warning of end.warnings) notice('WARNING', '01000', warning);
    if (end.readUnits !== null && settings.shows('log'))
      notice('LOG', '00000', `read units: ${end.readUnits}`);
  };
  const tellChanges = (): void => {
    for (const [name, value] of settings.changes()) output.write(backend.parameterStatus(name, value));
  };

  const describeSelect = (sql: string, declaredOids: readonly number[]): Promise<DescribedSelect> => {
    const ending = new AbortController();
    return timed(ending, () => selects.describe(sql, declaredOids, selectSession, ending.signal));
  };

  /** The columns of a statement's rows; null where it has none. */
  const columnsOf = async (one: PreparedStatement): Promise<readonly ResultColumn[] | null> => {
    const { statement } = one;
    if (statement.kind === 'select') return (await described(one)).columns;
    if (statement.kind === 'explain') return [textColumn('QUERY PLAN')];
    if (statement.kind === 'fetch' && !statement.moves)
      return portals.find(statement.cursor)?.columns ?? null;
    return sessionColumns(statement);
  };

  /** What rows are found by: the SELECT of a statement, of an EXPLAIN, a DECLARE or a COPY too. */
  const selectOf = (statement: Statement): string | null => ('sql' in statement ? statement.sql : null);

  async function described(one: PreparedStatement): Promise<DescribedSelect> {
    const sql = selectOf(one.statement);
    if (sql === null) throw new Error('a statement without a SELECT is not described');
    // Tables without a schema may be others by now.
    const isStale =
      one.described?.by === 'engine' && one.described.searchPath.join() !== settings.searchPath().join();
    if (isStale) one.described = null;
    try {
      return (one.described ??= await describeSelect(sql, one.declaredOids));
    } catch (error) {
      throw within(error, sql, one.sql);
    }
  }

  /** An error's place in the whole statement, of which the SELECT is a part. */
  function within(error: unknown, sql: string, whole: string): PgError {
    const before = whole.slice(0, Math.max(0, whole.lastIndexOf(sql)));
    if (!(error instanceof PgError)) return toPgError(error, sql, before);
    const { position } = error.fields;
    if (position === undefined || before === '') return error;
    return new PgError({ ...error.fields, position: position + [...before].length }, { cause: error });
  }

  /** A portal over what the statement gives, with its parameters bound. */
  const portalOf = (
    name: string,
    one: PreparedStatement,
    select: DescribedSelect,
    bound: { readonly values: readonly Value[]; readonly formats: readonly number[] },
    resultFormats: readonly number[],
    holds = false,
  ): Portal => {
    const formats = formatsFor(resultFormats, select.columns.length, 'result');
    return createPortal({
      ...{ name, columns: select.columns, formats, holds },
      open: async (ending) => {
        answeredBy = select.by;
        return selects
          .open(select, { ...bound, resultFormats: formats }, selectSession, ending)
          .catch((error: unknown) => {
            throw within(error, select.sql, one.sql);
          });
      },
    });
  };

  /** Rows of a portal to the client; true at the end. */
  const sendRows = (portal: Portal, max: number, one: PreparedStatement): Promise<boolean> =>
    timed(portal.ending, () =>
      portal.take(max, async (rows) => {
        for (const row of rows) {
          output.write(backend.dataRow(row));
        }
        await output.drained();
      }),
    ).catch((error: unknown) => {
      throw known(error) ? error : within(error, selectOf(one.statement) ?? one.sql, one.sql);
    });

  const explainRows = async (
    one: PreparedStatement,
    bound: { readonly values: readonly Value[]; readonly formats: readonly number[] },
  ): Promise<readonly string[]> => {
    const select = await described(one);
    if (select.by === 'catalog')
      throw new PgError({
        code: '0A000',
        message: 'EXPLAIN of a statement over the system catalogs is not supported',
      });
    answeredBy = 'engine';
    const ending = new AbortController();
    return timed(ending, () =>
      explainSelect(parts, select, bound.values, bound.formats, selectSession, ending.signal),
    ).catch((error: unknown) => {
      throw within(error, select.sql, one.sql);
    });
  };

  const copyOut = async (
    one: PreparedStatement,
    statement: Extract<Statement, { kind: 'copyOut' }>,
  ): Promise<string> => {
    const select = await described(one);
    const portal = portalOf('', one, select, { values: [], formats: [] }, []);
    const { format } = statement;
    const line = copyLine(format);
    output.write(backend.copyOutResponse(select.columns.length));
    if (format.header)
      output.write(
        backend.copyData(
          copyHeader(
            select.columns.map(({ name }) => name),
            format,
          ),
        ),
      );
    await timed(portal.ending, () =>
      portal.take(Infinity, async (rows) => {
        for (const row of rows) output.write(backend.copyData(line(row)));
        await output.drained();
      }),
    ).catch((error: unknown) => {
      throw known(error) ? error : within(error, select.sql, one.sql);
    });
    output.write(backend.COPY_DONE);
    tellEnd(portal);
    return `COPY ${portal.rowCount}`;
  };

  const declare = async (
    one: PreparedStatement,
    { cursor, holds }: Extract<Statement, { kind: 'declare' }>,
    bound: { readonly values: readonly Value[]; readonly formats: readonly number[] },
  ): Promise<string> => {
    if (!holds && transaction.status === 'I')
      throw new PgError({
        code: '25P01',
        message: 'DECLARE CURSOR can only be used in transaction blocks',
        hint: 'BEGIN first, or declare it WITH HOLD',
      });
    const select = await described(one);
    await portals.add(portalOf(cursor, one, select, bound, [], holds));
    return 'DECLARE CURSOR';
  };

  const cursorNamed = (name: string): Portal => {
    const portal = portals.find(name);
    if (portal !== undefined) return portal;
    throw new PgError({ code: '34000', message: `cursor "${name}" does not exist` });
  };

  const fetch = async (
    one: PreparedStatement,
    { cursor, count, moves }: Extract<Statement, { kind: 'fetch' }>,
  ): Promise<string> => {
    const portal = cursorNamed(cursor);
    const before = portal.rowCount;
    if (moves) await timed(portal.ending, () => portal.take(count ?? Infinity, async () => undefined));
    else await sendRows(portal, count ?? Infinity, one);
    if (portal.end !== null) tellEnd(portal);
    return `${moves ? 'MOVE' : 'FETCH'} ${portal.rowCount - before}`;
  };

  const checkTransaction = (statement: Statement): void => {
    if (transaction.status === 'E' && !ENDS_FAILURE.has(statement.kind)) throw FAILED_TRANSACTION;
  };

  /** Everything but a SELECT: what is sent before the tag, and the tag. */
  const runOther = async (
    one: PreparedStatement,
    bound: { readonly values: readonly Value[]; readonly formats: readonly number[] },
    describes: boolean,
  ): Promise<string> => {
    const { statement } = one;
    const sendAll = (
      columns: readonly ResultColumn[],
      rows: readonly (readonly (string | null)[])[],
    ): void => {
      if (describes) output.write(backend.rowDescription(fieldsOf(columns, [])));
      for (const row of rows) output.write(backend.dataRow(row));
    };
    if (isSessionStatement(statement)) {
      const { tag, notice: told, columns, rows } = await runSessionStatement(statement, state);
      if (told !== undefined && settings.shows('warning')) notice(told.severity, told.code, told.message);
      if (columns !== undefined) sendAll(columns, rows ?? []);
      return tag;
    }
    switch (statement.kind) {
      case 'refused': {
        const { code, message, hint } = statement;
        throw new PgError({ code, message, ...(hint === undefined ? {} : { hint }) });
      }
      case 'explain': {
        const lines = await explainRows(one, bound);
        sendAll(
          [textColumn('QUERY PLAN')],
          lines.map((line) => [line]),
        );
        return 'EXPLAIN';
      }
      case 'declare':
        return declare(one, statement, bound);
      case 'fetch':
        if (describes && !statement.moves)
          output.write(backend.rowDescription(fieldsOf(cursorNamed(statement.cursor).columns, [])));
        return fetch(one, statement);
      case 'copyOut':
        return copyOut(one, statement);
      default:
        throw new Error(`a ${statement.kind} is run elsewhere`);
    }
  };

  const NOTHING_BOUND = { values: [], formats: [] };

  const runSimple = async (sql: string): Promise<void> => {
    const one: PreparedStatement = { sql, statement: recognize(sql), declaredOids: [], described: null };
    checkTransaction(one.statement);
    if (one.statement.kind !== 'select') {
      const tag = await runOther(one, NOTHING_BOUND, true);
      tellChanges();
      output.write(backend.commandComplete(tag));
      return;
    }
    const select = await described(one);
    if (select.parameterOids.length > 0)
      throw new PgError({
        code: '42P02',
        message: 'there is no parameter $1',
        hint: 'a simple query has no parameters',
      });
    const portal = portalOf('', one, select, NOTHING_BOUND, []);
    output.write(backend.rowDescription(fieldsOf(select.columns, [])));
    await sendRows(portal, Infinity, one);
    tellEnd(portal);
    tellChanges();
    output.write(backend.commandComplete(`SELECT ${portal.rowCount}`));
  };

  /** Runs work, and tells of its error; a FATAL one ends the session. True where it went well. */
  const attempt = async (work: () => Promise<void>, sql: string | null, before = ''): Promise<boolean> => {
    const startedAt = performance.now();
    answeredBy = 'session';
    const told = (sqlState: string): void =>
      parts.onStatement(answeredBy, sqlState, (performance.now() - startedAt) / 1000);
    try {
      await work();
      if (sql !== null) told('00000');
      return true;
    } catch (error) {
      if (error instanceof ConnectionGoneError || closing.signal.aborted) throw error;
      const shown = within(error, sql ?? '', before + (sql ?? ''));
      const { code, severity } = shown.fields;
      told(code);
      if (code === 'XX000') logger.error({ err: error }, 'a statement failed unexpectedly');
      transaction.fail();
      // Whoever ends the connection says why.
      if (severity === 'FATAL') throw shown;
      output.write(backend.errorResponse(shown.fields));
      return false;
    }
  };

  const ready = async (): Promise<void> => {
    if (transaction.status === 'I') await portals.closeAll();
    output.write(backend.readyForQuery(transaction.status));
    output.flush();
    await output.drained();
  };

  const checkLength = (sql: string): void => {
    if (Buffer.byteLength(sql) > STATEMENT_BYTES_MAX)
      throw new PgError({ code: '54000', message: `a statement has at most ${STATEMENT_BYTES_MAX} bytes` });
  };

  const simpleQuery = async (sql: string): Promise<void> => {
    await portals.close('');
    const isShort = await attempt(async () => checkLength(sql), null);
    const pieces = isShort ? splitStatements(sql) : [];
    if (isShort && pieces.length === 0) output.write(backend.EMPTY_QUERY);
    if (pieces.length > STATEMENTS_PER_QUERY_MAX) {
      await attempt(async () => {
        throw new PgError({
          code: '54000',
          message: `a query has at most ${STATEMENTS_PER_QUERY_MAX} statements`,
        });
      }, null);
      return ready();
    }
    for (const piece of pieces) {
      const went = await attempt(() => runSimple(piece.sql), piece.sql, sql.slice(0, piece.offset));
      if (!went) break;
    }
    return ready();
  };

  const parse = async ({
    name,
    sql,
    parameterOids,
  }: Extract<FrontendMessage, { kind: 'parse' }>): Promise<void> => {
    checkLength(sql);
    const pieces = splitStatements(sql);
    if (pieces.length > 1)
      throw new PgError({
        code: '42601',
        message: 'cannot insert multiple commands into a prepared statement',
      });
    const text = pieces[0]?.sql ?? '';
    const one: PreparedStatement = {
      ...{ sql: text, statement: recognize(text), declaredOids: parameterOids, described: null },
    };
    checkTransaction(one.statement);
    prepared.add(name, one);
    output.write(backend.PARSE_COMPLETE);
  };

  /** What each portal was bound from: what runs when it is executed. */
  const boundTo = new WeakMap<
    Portal,
    {
      readonly one: PreparedStatement;
      readonly values: readonly Value[];
      readonly formats: readonly number[];
    }
  >();

  const bind = async (message: Extract<FrontendMessage, { kind: 'bind' }>): Promise<void> => {
    const one = prepared.get(message.statement);
    checkTransaction(one.statement);
    const hasSelect = selectOf(one.statement) !== null;
    // Tables may have other attributes by now, and the path may be another: what was described is asked for again.
    const select = hasSelect ? await described(one) : null;
    const wanted = select?.parameterOids.length ?? 0;
    if (message.parameters.length !== wanted)
      throw new PgError({
        code: '08P01',
        message: `bind message supplies ${message.parameters.length} parameters, but prepared statement "${message.statement}" requires ${wanted}`,
      });
    const formats = formatsFor(message.parameterFormats, wanted, 'parameter');
    const bound = { values: message.parameters, formats };
    const columns = (await columnsOf(one)) ?? [];
    const portal =
      select !== null && one.statement.kind === 'select'
        ? portalOf(message.portal, one, select, bound, message.resultFormats)
        : createPortal({
            ...{ name: message.portal, columns, formats: [] },
            open: async () => ofRows([]),
          });
    await portals.add(portal);
    boundTo.set(portal, { one, ...bound });
    output.write(backend.BIND_COMPLETE);
  };

  const portalNamed = (name: string): Portal => {
    const portal = portals.find(name);
    if (portal !== undefined) return portal;
    throw new PgError({ code: '34000', message: `portal "${name}" does not exist` });
  };

  const describe = async ({
    what,
    name,
  }: Extract<FrontendMessage, { kind: 'describe' | 'close' }>): Promise<void> => {
    if (what === 'portal') {
      const portal = portalNamed(name);
      const from = boundTo.get(portal);
      const columns = from === undefined ? portal.columns : await columnsOf(from.one);
      output.write(
        columns === null ? backend.NO_DATA : backend.rowDescription(fieldsOf(columns, portal.formats)),
      );
      return;
    }
    const one = prepared.get(name);
    checkTransaction(one.statement);
    const select = selectOf(one.statement) === null ? null : await described(one);
    output.write(backend.parameterDescription(select?.parameterOids ?? []));
    const columns = await columnsOf(one);
    output.write(columns === null ? backend.NO_DATA : backend.rowDescription(fieldsOf(columns, [])));
  };

  const execute = async ({
    portal: name,
    maxRows,
  }: Extract<FrontendMessage, { kind: 'execute' }>): Promise<void> => {
    const portal = portalNamed(name);
    const from = boundTo.get(portal);
    const one = from?.one ?? {
      sql: '',
      statement: { kind: 'select', sql: '' },
      declaredOids: [],
      described: null,
    };
    checkTransaction(one.statement);
    if (one.statement.kind === 'empty') return output.write(backend.EMPTY_QUERY);
    if (from !== undefined && one.statement.kind !== 'select') {
      const tag = await runOther(one, from, false);
      tellChanges();
      return output.write(backend.commandComplete(tag));
    }
    const before = portal.rowCount;
    const isOver = await sendRows(portal, maxRows === 0 ? Infinity : maxRows, one);
    if (!isOver) return output.write(backend.PORTAL_SUSPENDED);
    tellEnd(portal);
    tellChanges();
    output.write(backend.commandComplete(`SELECT ${portal.rowCount - before}`));
  };

  const close = async ({
    what,
    name,
  }: Extract<FrontendMessage, { kind: 'describe' | 'close' }>): Promise<void> => {
    if (what === 'portal') await portals.close(name);
    else prepared.delete(name);
    output.write(backend.CLOSE_COMPLETE);
  };

  /** A message of the extended protocol. */
  const extended = async (work: () => Promise<void>, sql: string | null): Promise<void> => {
    if (skipsToSync) return;
    const went = await attempt(work, sql);
    if (!went) {
      skipsToSync = true;
      // Whoever waits for this without a Sync hears of it.
      output.flush();
    }
  };

  const sqlOf = (name: string, what: 'statement' | 'portal'): string | null => {
    const portal = what === 'portal' ? portals.find(name) : undefined;
    return portal === undefined ? null : (boundTo.get(portal)?.one.sql ?? null);
  };

  const fail = (code: string, message: string): Promise<void> =>
    attempt(async () => {
      throw new PgError({ code, message });
    }, null).then(() => undefined);

  return {
    begin() {
      const given = [...settingsOfOptions(options.startup.get('options') ?? ''), ...options.startup];
      for (const [name, value] of given) {
        if (NO_SETTINGS.has(name) || name.startsWith('_pq_.')) continue;
        try {
          settings.set(name.toLowerCase(), value);
        } catch (error) {
          // Clients send settings of servers that we are not; those that we have must be right.
          if (error instanceof PgError && error.fields.code === '42704') continue;
          throw error instanceof PgError ? new PgError({ ...error.fields, severity: 'FATAL' }) : error;
        }
      }
      tellChanges();
    },

    async handle(message) {
      switch (message.kind) {
        case 'query':
          await simpleQuery(message.sql);
          return true;
        case 'parse':
          await extended(() => parse(message), null);
          return true;
        case 'bind':
          await extended(() => bind(message), null);
          return true;
        case 'describe':
          await extended(() => describe(message), null);
          return true;
        case 'execute':
          await extended(() => execute(message), sqlOf(message.portal, 'portal'));
          return true;
        case 'close':
          await extended(() => close(message), null);
          return true;
        case 'flush':
          output.flush();
          return true;
        case 'sync':
          skipsToSync = false;
          await ready();
          return true;
        case 'functionCall':
          await fail('0A000', 'function calls by the protocol are not supported');
          await ready();
          return true;
        case 'refused':
          if (message.isExtended) {
            await extended(() => Promise.reject(new PgError(message)), null);
          } else {
            await fail(message.code, message.message);
            await ready();
          }
          return true;
        case 'terminate':
          return false;
        // Of a COPY that is over, as the protocol allows.
        case 'copyData':
        case 'copyDone':
        case 'copyFail':
          return true;
        case 'password':
          throw new PgError({ code: '08P01', message: 'nobody asked for a password', severity: 'FATAL' });
      }
    },
    cancel: (reason) => running?.abort(reason),
    async close() {
      closing.abort(new ConnectionGoneError('the session is over'));
      await portals.closeAll(true);
      prepared.clear();
    },
  };
}
