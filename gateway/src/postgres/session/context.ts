/** What the parts of one session share: its state, how long its work may take, and what is told beside rows. */
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { CatalogSession } from '../catalog/catalog.ts';
import type { KnownTables } from '../engine/known-tables.ts';
import { PgError } from '../errors/pg-error.ts';
import * as backend from '../wire/backend.ts';
import type { Room } from '../wire/message-stream.ts';
import type { Identity } from './identity.ts';
import type { Output } from './output.ts';
import type { Portal } from './portal.ts';
import { createPortals } from './portals.ts';
import { createPreparedStatements } from './prepared.ts';
import { createSelects, type SelectParts, type Selects, type SelectSession } from './selects.ts';
import type { SessionState } from './session-statements.ts';
import { createSettings } from './settings.ts';
import type { RoomOf } from './tenant-rooms.ts';
import { createTransaction } from './transaction.ts';

/** Who answered a statement. */
export type AnsweredBy = 'engine' | 'catalog' | 'session';

export interface SessionParts extends SelectParts {
  readonly knownTables: KnownTables;
  readonly roomOf: RoomOf;
  /** Told of each statement: by whom it was answered, and the SQLSTATE that it ended with. */
  readonly onStatement: (by: AnsweredBy, sqlState: string, seconds: number) => void;
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

export interface SessionContext extends SessionState {
  readonly parts: SessionParts;
  readonly output: Output;
  readonly logger: Logger;
  readonly selects: Selects;
  readonly selectSession: SelectSession;
  /** What its tenant's sessions may hold together. */
  readonly room: Room;
  /** Aborted when the session is over. */
  readonly closing: AbortController;
  /** Of the statement under way. */
  answeredBy: AnsweredBy;
  /** Runs work that can be cancelled and that may take as long as the session says. */
  timed<T>(ending: AbortController, work: () => Promise<T>): Promise<T>;
  /** Ends the statement under way, if there is one. */
  cancel(reason: PgError): void;
  notice(severity: backend.NoticeSeverity, code: string, message: string): void;
  /** Warnings and read units of a portal that is at its end. */
  tellEnd(portal: Portal): void;
  /** Settings that clients are told of, where they have changed. */
  tellChanges(): void;
}

const SCHEMAS_SCOPE = 'schemas:read';

const CANCELLED_BY_TIME = (): PgError =>
  new PgError({ code: '57014', message: 'canceling statement due to statement timeout' });

export function createContext(parts: SessionParts, options: SessionOptions): SessionContext {
  const { identity, user, database, backendPid, output, logger } = options;
  const { principal } = identity;
  const settings = createSettings(user);
  const closing = new AbortController();
  const room = parts.roomOf(principal.tenantId);
  let running: AbortController | null = null;

  const catalogSession = (signal: AbortSignal): CatalogSession => ({
    ...{ user, database, tenantId: principal.tenantId, backendPid, signal },
    setting: (name) => settings.get(name.toLowerCase()),
    set: (name, value) => settings.set(name.toLowerCase(), value),
    // The catalogs show a schema public, though no table is in it.
    searchPath: () => (settings.searchPath().length === 0 ? ['public'] : settings.searchPath()),
    tables: async () => {
      if (!principal.scopes.includes(SCHEMAS_SCOPE)) return { version: 'none', schemas: [], tables: [] };
      const token = await identity.token();
      return parts.knownTables.of({ token, tenantId: principal.tenantId, requestId: `pg-${backendPid}` });
    },
  });
  const notice = (severity: backend.NoticeSeverity, code: string, message: string): void =>
    output.write(backend.noticeResponse(severity, { code, message }));

  return {
    ...{ parts, output, logger, settings, closing, notice, room },
    transaction: createTransaction(settings),
    portals: createPortals(),
    prepared: createPreparedStatements(room),
    selects: createSelects(parts),
    selectSession: {
      ...{ identity, catalogSession },
      searchPath: () => settings.searchPath(),
      maxReadUnits: () => settings.maxReadUnits(),
      refusesLate: () => settings.refusesLate(),
    },
    answeredBy: 'session',
    async timed(ending, work) {
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
    },
    cancel: (reason) => running?.abort(reason),
    tellEnd({ end }) {
      if (end === null) return;
      if (settings.shows('warning')) for (const warning of end.warnings) notice('WARNING', '01000', warning);
      if (end.readUnits !== null && settings.shows('log'))
        notice('LOG', '00000', `read units: ${end.readUnits}`);
    },
    tellChanges() {
      for (const [name, value] of settings.changes()) output.write(backend.parameterStatus(name, value));
    },
  };
}
