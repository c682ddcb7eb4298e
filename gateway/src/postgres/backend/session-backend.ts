/**
 * A session's own backend on its tenant's server: what the session has set, its transaction, and what it prepared live there.
 * It is opened when the session first needs one, and given back while the session says nothing.
 */
import { PgError } from '../errors/pg-error.ts';
import { BACKEND_IDLE_MS, BACKEND_WAIT_MS_MAX } from '../limits.ts';
import { parameterStatus, type TransactionStatus } from '../wire/backend.ts';
import { actedOn, READ_SETTINGS, UNSET, type ActedOn } from './acted-on.ts';
import type { Classified } from './classify.ts';
import { connectBackend, type BackendConnection } from './connect.ts';
import { parameterOf, ServerError, tagOf, type Frame } from './frames.ts';
import { leavesSettingsAlone, mayPark, READ_WHAT_IS_SET, setAgain } from './parking.ts';
import { ask, synced } from './question.ts';
import * as requests from './requests.ts';
import { digitsAtStart, plainlyTold, settingsOf } from './start-parameters.ts';
import { createTenantPlace, type PlaceOptions, type PlaceParts } from './tenant-place.ts';

export interface BackendParts extends PlaceParts {
  /** What a session that has set nothing is told of its settings. */
  readonly reported: ReadonlyMap<string, string>;
}

export interface BackendOptions extends Omit<PlaceOptions, 'digits'> {
  /** The client's ID. */
  readonly user: string;
  readonly startup: ReadonlyMap<string, string>;
  /** To the client. */
  readonly write: (bytes: Buffer) => void;
  readonly flush: () => void;
  /** The session is over: its backend has ended. */
  readonly onGone: (reason: PgError) => void;
}

export interface SessionBackend {
  /** Tells the client what its session begins with. Rejects with PgError FATAL where a setting of its start is none. */
  begin(): Promise<void>;
  /** Of the session's transaction. */
  readonly status: TransactionStatus;
  /** A backend that is open and ready to be asked. Rejects with PgError. */
  open(): Promise<BackendConnection>;
  /** How many backends the session has had: statements that were prepared in another are to be prepared anew. */
  readonly generation: number;
  /** What a statement is about, as its server says. `pace` is awaited where that is not known. */
  classify(sql: string, parameterOids: readonly number[], pace: () => Promise<void>): Promise<Classified>;
  bringTables(): Promise<void>;
  tableNames(): ReadonlySet<string>;
  /** Rejects with PgError where the session has set what statements over tables cannot be answered by. */
  settings(): Promise<ActedOn>;
  /** As they were last read. */
  readonly acted: ActedOn;
  /** Hands on what is no answer to anything: notices, settings that changed, notifications. False for other messages. */
  isAside(frame: Frame): boolean;
  /** A command has ended; what it may have set is read anew. `isPlain`: it has set nothing. */
  completed(frame: Frame, sql: string | null, isPlain: boolean): void;
  /** Has all be answered to what was asked, and learns the transaction's status. */
  sync(): Promise<void>;
  /** Does what another answers while the backend would take the session for idle, which it is not. */
  awake<T>(work: () => Promise<T>): Promise<T>;
  /** The backend has answered with an error: it skips what comes up to the next Sync. */
  erred(): void;
  /** A statement has failed, whoever answered it: so has the transaction. */
  fail(): Promise<void>;
  /** Ends the backend where it does not end what runs. */
  stop(): void;
  close(): void;
}

/** Commands that change no setting. */
const SETS_NOTHING =
  /^(?:BEGIN|START TRANSACTION|SHOW|FETCH|MOVE|SAVEPOINT|DECLARE CURSOR|CLOSE CURSOR|PREPARE|EXPLAIN)\b/;

const unreadable = (name: string, value: string, wanted: string): PgError =>
  new PgError({
    code: '0A000',
    message: `statements over tables are not answered with ${name} ${value}`,
    hint: `SET ${name} TO ${wanted}`,
  });

const WAIT_MS = 100;
const TOO_MANY = '53300';
const busy = (): PgError =>
  new PgError({
    code: TOO_MANY,
    message: 'too many sessions of this tenant use the system catalogs at once',
    hint: 'end transactions that are idle, or ask again',
  });

/** A connection of its own; where the server has none left, those of sessions that say nothing are waited for. */
async function connected(options: Parameters<typeof connectBackend>[0]): Promise<BackendConnection> {
  const until = performance.now() + BACKEND_WAIT_MS_MAX;
  for (;;)
    try {
      return await connectBackend(options);
    } catch (error) {
      if (!(error instanceof ServerError) || error.fields.code !== TOO_MANY) throw error;
      if (performance.now() > until) throw busy();
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
}

export function createSessionBackend(parts: BackendParts, options: BackendOptions): SessionBackend {
  const { user, write } = options;
  const place = createTenantPlace(parts, { ...options, digits: digitsAtStart(options.startup) });
  const asked = settingsOf(options.startup);
  const plain = plainlyTold(asked, parts.reported);
  let connection: BackendConnection | null = null;
  let generation = 0;
  let told: ReadonlyMap<string, string> = new Map();
  let isClosed = false;
  /** Something was asked since the last Sync. */
  let isTouched = false;
  /** It has answered with an error since: what comes before the next Sync is not heard. */
  let isSkipping = false;
  /** It has more than settings: what a backend that is opened anew would not have. */
  let keeps = false;
  /** Names and values that the next backend is to have set. */
  let parked: readonly string[] = [];
  let parking: Promise<void> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let known: ActedOn | null = plain === null ? null : UNSET;
  let acted = UNSET;

  const tell = (name: string, value: string): void => {
    if (told.get(name) === value) return;
    told = new Map(told).set(name, value);
    write(parameterStatus(name, value));
  };
  const isAside = (frame: Frame): boolean => {
    if (frame.type === 'S') tell(...parameterOf(frame));
    else if (frame.type === 'N' || frame.type === 'A') write(frame.bytes);
    else return false;
    return true;
  };
  const connect = async (): Promise<BackendConnection> => {
    const entered = await place.enter();
    await entered.role(user);
    const opened = await connected({
      socketPath: entered.socketPath,
      parameters: new Map([...asked, ['user', user], ['database', entered.database]]),
    });
    // What it reports first is what the session began with, not what it has set since.
    try {
      if (parked.length > 0) {
        await ask(opened, setAgain(parked.length / 2), parked, () => true);
        await synced(opened, () => true);
      }
    } catch (error) {
      opened.close();
      throw error;
    }
    generation++;
    for (const [name, value] of opened.parameters) tell(name, value);
    opened.onUnasked((frame) => {
      if (isAside(frame)) options.flush();
    });
    opened.gone.addEventListener('abort', () => {
      if (!isClosed && connection === opened) options.onGone(opened.gone.reason as PgError);
    });
    if (isClosed) opened.close();
    return (connection = opened);
  };
  const open = async (): Promise<BackendConnection> => {
    clearTimeout(idle);
    await parking;
    const opened = connection ?? (await connect());
    if (opened.gone.aborted) throw opened.gone.reason;
    isTouched = true;
    return opened;
  };
  const sync = async (): Promise<void> => {
    if (!isTouched || connection === null) return;
    await synced(connection, isAside);
    isTouched = false;
    isSkipping = false;
    clearTimeout(idle);
    if (connection.status === 'I' && !keeps)
      idle = setTimeout(() => void (parking = park()), BACKEND_IDLE_MS).unref();
  };

  /** Gives the backend back, with what it has set remembered. */
  const park = async (): Promise<void> => {
    const leaving = connection;
    if (leaving === null || isTouched) return;
    try {
      const rows = await ask(leaving, READ_WHAT_IS_SET, [], isAside);
      await synced(leaving, isAside);
      keeps = !mayPark(rows);
      if (keeps) return;
      parked = rows.flatMap(([name, value]) => [name ?? '', value ?? '']);
      connection = null;
      leaving.close();
    } catch {
      // It is gone, which the session hears by itself, or cannot tell: then it stays.
      keeps = true;
    } finally {
      parking = null;
    }
  };

  const checkReadable = (): void => {
    if (told.get('standard_conforming_strings') === 'off')
      throw unreadable('standard_conforming_strings', 'off', 'on');
    const encoding = told.get('client_encoding') ?? 'UTF8';
    if (!['UTF8', 'SQL_ASCII'].includes(encoding)) throw unreadable('client_encoding', encoding, 'UTF8');
    const style = told.get('DateStyle') ?? 'ISO';
    if (!style.startsWith('ISO')) throw unreadable('DateStyle', style, 'ISO');
  };
  const read = async (): Promise<ActedOn> => {
    if (known !== null) return known;
    const asking = await open();
    const [row = []] = await ask(asking, READ_SETTINGS, [], isAside).catch((error: unknown) => {
      isSkipping = true;
      throw error;
    });
    return (acted = known = actedOn(row));
  };

  return {
    async begin() {
      // By the time that the first statement comes it runs.
      void place.bringTables().catch(() => undefined);
      if (plain === null) {
        await open();
        return sync();
      }
      for (const [name, value] of plain) tell(name, value);
      tell('session_authorization', user);
    },
    get status() {
      return connection?.status ?? 'I';
    },
    open,
    get generation() {
      return generation;
    },
    async classify(sql, parameterOids, pace) {
      // Where quotes end is told otherwise by a planner.
      if (told.get('standard_conforming_strings') === 'off') checkReadable();
      const { searchPathText } = await read();
      return place.classify({ sql, parameterOids, searchPath: searchPathText }, pace);
    },
    bringTables: () => place.bringTables(),
    tableNames: () => place.tableNames(),
    async settings() {
      checkReadable();
      return read();
    },
    get acted() {
      return acted;
    },
    isAside,
    completed(frame, sql, isPlain) {
      if (isPlain) return;
      const tag = tagOf(frame);
      if (!SETS_NOTHING.test(tag)) known = null;
      keeps = tag === 'DISCARD ALL' ? false : keeps || sql === null || !leavesSettingsAlone(sql);
    },
    sync,
    async awake(work) {
      if (connection === null || isTouched || acted.idleMs === null) return work();
      const waiting = connection;
      let last = Promise.resolve();
      const ping = (): void => {
        isTouched = true;
        last = last.then(sync);
        last.catch(() => undefined);
      };
      const timer = setInterval(ping, acted.idleMs / 2);
      try {
        return await work();
      } finally {
        clearInterval(timer);
        if (!waiting.gone.aborted) await last;
      }
    },
    erred: () => void (isSkipping = true),
    async fail() {
      if (connection === null || connection.status !== 'T' || isSkipping) return;
      // What is no statement fails, and the transaction with it.
      connection.send(requests.parse('', 'failed'));
      isTouched = true;
      isSkipping = true;
      for (let frame = await connection.next(); frame.type !== 'E'; frame = await connection.next())
        isAside(frame);
    },
    stop: () => {
      if (connection !== null) place.stop(connection.pid);
    },
    close() {
      isClosed = true;
      clearTimeout(idle);
      connection?.close();
      place.leave();
    },
  };
}
