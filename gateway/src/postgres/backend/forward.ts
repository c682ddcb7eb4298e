/** Hands statements on to a session's backend, and what it answers to the client, byte for byte. */
import { PgError } from '../errors/pg-error.ts';
import { WRITE_HINT } from '../errors/write-hint.ts';
import { CATALOG_STATEMENT_MS_MAX, CATALOG_STOP_MS_MAX } from '../limits.ts';
import type { FrontendMessage } from '../wire/frontend.ts';
import type { BackendConnection } from './connect.ts';
import { parameterOidsOf, ServerError, tagOf, type Frame } from './frames.ts';
import * as requests from './requests.ts';
import type { SessionBackend } from './session-backend.ts';

type Message<Kind> = Extract<FrontendMessage, { kind: Kind }>;

/** The command's tag that ended an Execute; null where rows are left, or there was no statement. */
export type Executed = string | null;

/** Hands on one message each; what answers it, and no more. All reject with PgError; `signal`: its reason is the error to answer with. */
export interface Forward {
  /** A statement of a simple query, answered but for the ReadyForQuery. */
  simple(sql: string, run: Run): Promise<Executed>;
  parse(message: Message<'parse'>, signal: AbortSignal): Promise<void>;
  /** The same, of which the client hears nothing. */
  parseAnew(name: string, sql: string, parameterOids: readonly number[], signal: AbortSignal): Promise<void>;
  bind(message: Message<'bind'>, signal: AbortSignal): Promise<void>;
  describe(message: Message<'describe' | 'close'>, signal: AbortSignal): Promise<void>;
  execute(message: Message<'execute'>, run: Run): Promise<Executed>;
  close(message: Message<'describe' | 'close'>, signal: AbortSignal): Promise<void>;
}

/** What running a statement takes. */
export interface Run {
  readonly signal: AbortSignal;
  /** The statement, where it is known. */
  readonly sql: string | null;
  /** Nothing of what it sets outlives it. */
  readonly isPlain: boolean;
  /** Takes a turn among the tenant's statements; what it gives ends that. */
  readonly turn: () => Promise<() => void>;
}

export interface ForwardOutput {
  write(bytes: Buffer): void;
  /** Whether the client has taken so little that it is waited for. */
  readonly isFull: boolean;
  drained(): Promise<void>;
}

/** What PostgreSQL refuses of a write, also within a transaction that would write. */
const isWrite = ({ code, message }: ServerError['fields']): boolean =>
  code === '25006' || (code === '42501' && /^permission denied for (?:schema|database) /.test(message));

function explained(error: ServerError): ServerError {
  return isWrite(error.fields) && error.fields.hint === undefined ? error.with({ hint: WRITE_HINT }) : error;
}

const tooLong = (): PgError =>
  new PgError({
    code: '57014',
    message: `canceling statement: one over the system catalogs has ${CATALOG_STATEMENT_MS_MAX / 1000} s`,
    hint: 'ask for less at once',
  });

const NO_PARAMETERS = new PgError({
  code: '42P02',
  message: 'there is no parameter $1',
  hint: 'a simple query has no parameters',
});

/** Answers that end an Execute. */
const ENDS: ReadonlySet<string> = new Set(['C', 's', 'I']);

/** A conversation with the backend about one message. */
interface Talk {
  readonly send: (...messages: readonly Buffer[]) => void;
  /** The next answer; what is none is handed on. Rejects with PgError. */
  readonly next: () => Promise<Frame>;
}

export function createForward(backend: SessionBackend, output: ForwardOutput): Forward {
  const next = async (connection: BackendConnection): Promise<Frame> => {
    for (;;) {
      const frame = await connection.next();
      if (frame.type === 'E') {
        backend.erred();
        throw explained(new ServerError(frame));
      }
      if (!backend.isAside(frame)) return frame;
    }
  };

  /** Has what runs end when the signal says so, or when it has computed for too long. */
  const talk = async <T>(signal: AbortSignal, work: (talk: Talk) => Promise<T>): Promise<T> => {
    const connection = await backend.open();
    let reason: unknown = null;
    let stopping: NodeJS.Timeout | undefined;
    let left = CATALOG_STATEMENT_MS_MAX;
    const end = (why: unknown): void => {
      if (reason !== null) return;
      reason = why;
      connection.cancel();
      stopping = setTimeout(() => backend.stop(), CATALOG_STOP_MS_MAX);
    };
    const onAbort = (): void => end(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await work({
        send: (...messages) => connection.send(...messages, requests.FLUSH),
        async next() {
          const from = performance.now();
          const late = setTimeout(() => end(tooLong()), left);
          try {
            return await next(connection);
          } finally {
            clearTimeout(late);
            left = Math.max(0, left - (performance.now() - from));
          }
        },
      });
    } catch (error) {
      const isEnded = reason !== null && error instanceof ServerError && error.fields.code === '57014';
      throw isEnded ? reason : error;
    } finally {
      clearTimeout(stopping);
      signal.removeEventListener('abort', onAbort);
    }
  };

  /** Executes a portal and hands on its rows, to its end. `first`: what they look like, where the client hears of that. */
  const rows = async (
    { send, next: nextAnswer }: Talk,
    request: Buffer,
    { sql, isPlain, turn }: Run,
    first: Frame | null = null,
  ): Promise<Executed> => {
    let leave: (() => void) | null = await turn();
    try {
      send(request);
      if (first !== null) output.write(first.bytes);
      for (;;) {
        const frame = await nextAnswer();
        // It would read from the client, which sends nothing to a session that only reads.
        if (frame.type === 'G') send(requests.copyFail('this endpoint only reads'));
        else output.write(frame.bytes);
        if (frame.type === 'C') {
          backend.completed(frame, sql, isPlain);
          return tagOf(frame);
        }
        if (ENDS.has(frame.type)) return null;
        if (!output.isFull) continue;
        // Others have their turn while the client reads.
        leave();
        leave = null;
        await output.drained();
        leave = await turn();
      }
    } finally {
      leave?.();
    }
  };
  /** Sends a message, and hands on so many answers. */
  const pass = (request: Buffer, answers: number, signal: AbortSignal): Promise<void> =>
    talk(signal, async ({ send, next: nextAnswer }) => {
      send(request);
      for (let left = answers; left > 0; left--) output.write((await nextAnswer()).bytes);
    });

  return {
    simple: (sql, run) =>
      talk(run.signal, async (begun) => {
        const bound = { portal: '', statement: '', parameterFormats: [], parameters: [], resultFormats: [] };
        begun.send(requests.parse('', sql), requests.describe('statement', ''), requests.bind(bound));
        await begun.next();
        const parameters = await begun.next();
        const described = await begun.next();
        if (parameterOidsOf(parameters).length > 0) throw NO_PARAMETERS;
        await begun.next();
        return rows(begun, requests.execute('', 0), run, described.type === 'T' ? described : null);
      }),
    parse: ({ name, sql, parameterOids }, signal) =>
      pass(requests.parse(name, sql, parameterOids), 1, signal),
    parseAnew: (name, sql, parameterOids, signal) =>
      talk(signal, async ({ send, next: nextAnswer }) => {
        send(requests.parse(name, sql, parameterOids));
        await nextAnswer();
      }),
    bind: (message, signal) => pass(requests.bind(message), 1, signal),
    describe: ({ what, name }, signal) =>
      pass(requests.describe(what, name), what === 'statement' ? 2 : 1, signal),
    execute: ({ portal, maxRows }, run) =>
      talk(run.signal, (begun) => rows(begun, requests.execute(portal, maxRows), run)),
    close: ({ what, name }, signal) => pass(requests.close(what, name), 1, signal),
  };
}
