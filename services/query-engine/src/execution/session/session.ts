/** One query's work in DuckDB: statements one after the other, each ended when the query is. */
import type {
  DuckDBAppender,
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBResult,
  DuckDBValue,
} from '@duckdb/node-api';
import { runInOneGo, type RunSliced, type Sliced } from '../../scheduling/sliced-work.ts';
import { counterFor } from '../../duckdb-sql/nodes/recursion.ts';
import { asksForTime, settingTime } from '../../duckdb-sql/statement-clock.ts';
import type { StatementTime } from '../../logical/statement-time.ts';
import type { Database } from './database.ts';
import { fromDuckDbError, isFatal } from './duckdb-errors.ts';
import { INTERRUPT_EVERY_MS } from '../limits.ts';

export interface Session {
  /** `ending`: ends the statement besides the session's own signal. */
  run(sql: string, ending?: AbortSignal): Promise<void>;
  /** All rows of a small result at once, so that other statements may come between this and the next. */
  rows(sql: string): Promise<readonly (readonly DuckDBValue[])[]>;
  /** Chunks of the result, as DuckDB computes them. No other statement may run until it is at its end. */
  stream(sql: string): AsyncGenerator<DuckDBDataChunk>;
  /** Binds the statement without running it. */
  prepare(sql: string): Promise<void>;
  /** Hands an appender to `fill`, and closes it. */
  append(table: string, fill: (appender: DuckDBAppender) => Sliced<void>): Promise<void>;
  close(): void;
}

export interface SessionOptions {
  readonly signal: AbortSignal;
  /** Names to show for columns, by ID. */
  readonly columnNames: ReadonlyMap<number, string>;
  /** Of the statement, where it reads the clock. */
  readonly time?: StatementTime | undefined;
  /** See RunContext. Where absent: in one go, and at once. */
  readonly runSliced?: RunSliced;
  readonly enterStatement?: (signal: AbortSignal) => Promise<() => void>;
}

const atOnce = async (): Promise<() => void> => () => undefined;

/** Throws the signal's reason (a PenstockError where we aborted). */
function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason;
}

/** Runs `work`; once the signal is given, tells DuckDB to stop until it does. */
async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  throwIfAborted(signal);
  let timer: NodeJS.Timeout | undefined;
  // A single interrupt is lost when the statement has not started yet.
  const stop = (): void => {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', stop);
    clearInterval(timer);
  }
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

async function* streamed(
  inTurn: InTurn,
  begin: () => Promise<DuckDBResult>,
): AsyncGenerator<DuckDBDataChunk> {
  const result = await inTurn(begin);
  for (;;) {
    const chunk = await inTurn(() => result.fetchChunk());
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk;
  }
}

export async function openSession(database: Database, options: SessionOptions): Promise<Session> {
  const { signal, columnNames, time, runSliced = runInOneGo, enterStatement = atOnce } = options;
  const connection = await database.connect();
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  let knowsTime = false;

  const translated = (error: unknown): unknown => {
    if (signal.aborted) return signal.reason;
    if (isFatal(error)) database.replace();
    return fromDuckDbError(error, columnNames);
  };
  /** What a statement needs that is not there from the start. */
  const ready = async (sql: string): Promise<void> => {
    const counter = counterFor(sql);
    if (counter !== null) await connection.run(counter);
    if (knowsTime || !asksForTime(sql)) return;
    if (time === undefined) throw new Error('a statement that reads the clock has no time');
    await connection.run(settingTime(time));
    knowsTime = true;
  };
  /** One at a time: reads of several tables append to the same connection. */
  const inTurn = <T>(work: () => Promise<T>, ending = signal): Promise<T> => {
    const turn = last.then(async () => {
      let leave: (() => void) | null = null;
      try {
        leave = await enterStatement(signal);
        return await interruptible(connection, ending, work);
      } catch (error) {
        throw ending.aborted ? ending.reason : translated(error);
      } finally {
        leave?.();
      }
    });
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    run: (sql, ending) =>
      inTurn(
        async () => {
          await ready(sql);
          await connection.run(sql);
        },
        ending === undefined ? signal : AbortSignal.any([signal, ending]),
      ),
    rows: (sql) =>
      inTurn(async () => {
        await ready(sql);
        return (await connection.runAndReadAll(sql)).getRows();
      }),
    stream: (sql) =>
      streamed(inTurn, async () => {
        await ready(sql);
        return connection.stream(sql);
      }),
    prepare: (sql) =>
      inTurn(async () => {
        await ready(sql);
        const statement = await connection.prepare(sql);
        statement.destroySync();
      }),
    append: (table, fill) =>
      inTurn(async () => {
        const appender = await connection.createAppender(table, 'main', 'temp');
        try {
          await runSliced(fill(appender));
        } finally {
          appender.closeSync();
        }
      }),
    close() {
      if (closed) return;
      closed = true;
      // A statement may still be winding down after an interrupt.
      void last.then(() => connection.closeSync());
    },
  };
}
