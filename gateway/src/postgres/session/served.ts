/** Statements that the session's own server answers: they go there as they are, and its answers to the client. */
import { createForward, type Executed, type Run } from '../backend/forward.ts';
import { PgError } from '../errors/pg-error.ts';
import { PORTALS_OF_SERVER_MAX } from '../limits.ts';
import { tokensOf } from '../statements/lexer.ts';
import type { FrontendMessage } from '../wire/frontend.ts';
import type { SessionContext } from './context.ts';
import type { PreparedStatement } from './prepared.ts';

type Message<Kind> = Extract<FrontendMessage, { kind: Kind }>;

export interface Served {
  /** A statement of a simple query, but for the ReadyForQuery. Rejects with PgError. */
  simple(one: PreparedStatement): Promise<void>;
  parse(message: Message<'parse'>, one: PreparedStatement): Promise<void>;
  /** `one`: null for a statement that only the server may know. */
  bind(message: Message<'bind'>, one: PreparedStatement | null): Promise<void>;
  describe(message: Message<'describe' | 'close'>): Promise<void>;
  execute(message: Message<'execute'>): Promise<void>;
  close(message: Message<'describe' | 'close'>): Promise<void>;
  /** The text of the statement that a portal is of, where that is known. */
  sqlOf(portal: string): string | null;
  /** Portals end with their transaction. */
  ended(): void;
}

const TRANSACTION_TAGS: ReadonlySet<string> = new Set(['BEGIN', 'START TRANSACTION', 'COMMIT', 'ROLLBACK']);

/** ROLLBACK TO a savepoint, whose tag is the same as that of a whole one. */
function isToSavepoint(sql: string): boolean {
  let words = 0;
  for (const { kind, text } of tokensOf(sql)) {
    if (kind === 'word' && text === 'to') return true;
    if (++words > 2) return false;
  }
  return false;
}

const TOO_MANY_PORTALS = new PgError({
  code: '53400',
  message: `a transaction has at most ${PORTALS_OF_SERVER_MAX} portals over the system catalogs`,
  hint: 'close those that are not needed',
});

export function createServed(context: SessionContext): Served {
  const { backend, output, portals, prepared, parts } = context;
  const { tenantId } = context.selectSession.identity.principal;
  const forward = createForward(backend, output);
  /** What portals of the server were bound from. */
  const bound = new Map<string, PreparedStatement | null>();

  const isPlain = ({ by }: PreparedStatement): boolean => by.who === 'server' && by.isPlain;
  const looksUp = ({ by }: PreparedStatement): boolean => by.who === 'server' && by.looksUp;

  const runWith = (one: PreparedStatement | null, signal: AbortSignal): Run => ({
    ...{ signal, sql: one?.sql ?? null, isPlain: one !== null && isPlain(one) },
    turn: () => parts.turnOf(tenantId, signal),
  });
  /** What a command means for what the endpoint itself keeps of the session. */
  const ran = async (tag: Executed, one: PreparedStatement | null): Promise<void> => {
    if (tag === null) return;
    if (tag === 'DEALLOCATE ALL' || tag === 'DISCARD ALL') prepared.clear();
    if (tag === 'CLOSE CURSOR ALL' || tag === 'DISCARD ALL') await portals.closeAll(true);
    const statement = one?.statement;
    if (statement?.kind === 'deallocate' && statement.name !== null) prepared.delete(statement.name);
    if (!TRANSACTION_TAGS.has(tag) || (one !== null && isToSavepoint(one.sql))) return;
    if (tag === 'COMMIT' || tag === 'ROLLBACK') await portals.closeAll();
    // What follows before the client's next Sync goes by the transaction as it is now.
    await backend.sync();
  };
  /** What looks names up is told the tables as they are now. */
  const prepare = async (one: PreparedStatement, signal: AbortSignal): Promise<void> => {
    context.answeredBy = 'server';
    await context.selectSession.identity.check();
    if (!isPlain(one) && !looksUp(one)) return;
    if (!one.isAdmitted) await context.pace(signal);
    one.isAdmitted = false;
    if (looksUp(one)) await backend.bringTables();
  };
  /** Prepares anew what an earlier backend of the session had. */
  const ensureParsed = async (name: string, signal: AbortSignal): Promise<void> => {
    const one = prepared.find(name);
    if (one?.by.who !== 'server') return;
    await backend.open();
    if (one.generation === backend.generation) return;
    await forward.parseAnew(name, one.sql, one.declaredOids, signal);
    one.generation = backend.generation;
  };
  const timed = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const ending = new AbortController();
    return context.timed(ending, () => work(ending.signal));
  };

  return {
    simple: (one) =>
      timed(async (signal) => {
        await prepare(one, signal);
        await ran(await forward.simple(one.sql, runWith(one, signal)), one);
      }),
    parse: (message, one) =>
      timed(async (signal) => {
        await prepare(one, signal);
        await forward.parse(message, signal);
        one.generation = backend.generation;
        one.isAdmitted = true;
      }),
    bind: (message, one) =>
      timed(async (signal) => {
        context.answeredBy = 'server';
        if (bound.size >= PORTALS_OF_SERVER_MAX && !bound.has(message.portal)) throw TOO_MANY_PORTALS;
        await ensureParsed(message.statement, signal);
        await forward.bind(message, signal);
        bound.set(message.portal, one);
      }),
    describe: (message) =>
      timed(async (signal) => {
        if (message.what === 'statement') await ensureParsed(message.name, signal);
        await forward.describe(message, signal);
      }),
    execute: (message) =>
      timed(async (signal) => {
        const one = bound.get(message.portal) ?? null;
        if (one !== null) await prepare(one, signal);
        await ran(await forward.execute(message, runWith(one, signal)), one);
      }),
    close: (message) =>
      timed(async (signal) => {
        if (message.what === 'portal') bound.delete(message.name);
        await forward.close(message, signal);
      }),
    sqlOf: (portal) => bound.get(portal)?.sql ?? null,
    ended: () => bound.clear(),
  };
}
