/** What the parts of one session share: its state, how long its work may take, and what is told beside rows. */
import type { Logger } from '@penstock/common/logging/logger.ts';
import { createSessionBackend, type BackendParts, type SessionBackend } from '../backend/session-backend.ts';
import type { KnownTables } from '../engine/known-tables.ts';
import type { CatalogTables } from '../servers/tables/catalog-tables.ts';
import { PgError } from '../errors/pg-error.ts';
import * as wire from '../wire/backend.ts';
import type { Room } from '../wire/message-stream.ts';
import type { Identity } from './identity.ts';
import type { Output } from './output.ts';
import type { Pace } from './pace.ts';
import type { Portal } from './portal.ts';
import { createPortals, type Portals } from './portals.ts';
import { createPreparedStatements, type PreparedStatements } from './prepared.ts';
import { createSelects, type SelectParts, type Selects, type SelectSession } from './selects.ts';
import type { RoomOf } from './tenant-rooms.ts';
import type { TurnOf } from './turns.ts';

/** Who answered a statement: for metrics. */
export type Answerer = 'engine' | 'server';

export interface SessionParts extends SelectParts, BackendParts {
  readonly knownTables: KnownTables;
  readonly roomOf: RoomOf;
  /** Of statements that servers answer, by tenant. */
  readonly turnOf: TurnOf;
  /** Told of each statement: by whom it was answered, and the SQLSTATE that it ended with. */
  readonly onStatement: (by: Answerer, sqlState: string, seconds: number) => void;
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
  /** The session is over, for its backend is. */
  readonly onGone: (reason: PgError) => void;
}

export interface SessionContext {
  readonly parts: SessionParts;
  /** On the tenant's server: settings and the transaction. */
  readonly backend: SessionBackend;
  readonly prepared: PreparedStatements;
  readonly portals: Portals;
  /** Takes a request of the tenant's rate limit. */
  readonly pace: Pace;
  readonly output: Output;
  readonly logger: Logger;
  readonly selects: Selects;
  readonly selectSession: SelectSession;
  /** What its tenant's sessions may hold together. */
  readonly room: Room;
  /** Aborted when the session is over. */
  readonly closing: AbortController;
  /** Of the statement under way. */
  answeredBy: Answerer;
  /** Runs work that can be cancelled and that may take as long as the session says. */
  timed<T>(ending: AbortController, work: () => Promise<T>): Promise<T>;
  /** Ends the statement under way, if there is one. */
  cancel(reason: PgError): void;
  /** Warnings and read units of a portal that is at its end. */
  tellEnd(portal: Portal): void;
}

const SCHEMAS_SCOPE = 'schemas:read';

const CANCELLED_BY_TIME = (): PgError =>
  new PgError({ code: '57014', message: 'canceling statement due to statement timeout' });

export function createContext(parts: SessionParts, options: SessionOptions): SessionContext {
  const { identity, user, database, startup, backendPid, output, logger, onGone } = options;
  const { principal } = identity;
  const closing = new AbortController();
  const room = parts.roomOf(principal.tenantId);
  let running: AbortController | null = null;

  const tables = async (): Promise<CatalogTables> => {
    const token = await identity.token();
    return parts.knownTables.of({ token, tenantId: principal.tenantId, requestId: `pg-${backendPid}` });
  };
  const backend = createSessionBackend(parts, {
    ...{ tenantId: principal.tenantId, user, database, startup, onGone },
    tables: principal.scopes.includes(SCHEMAS_SCOPE) ? tables : null,
    write: (bytes) => output.write(bytes),
    flush: () => output.flush(),
  });
  const notice = (severity: wire.NoticeSeverity, code: string, message: string): void =>
    output.write(wire.noticeResponse(severity, { code, message }));

  return {
    ...{ parts, output, logger, backend, closing, room },
    pace: (signal) => parts.limiter.pace(principal, signal),
    portals: createPortals(),
    prepared: createPreparedStatements(room),
    selects: createSelects(parts),
    selectSession: { identity, database, actedOn: () => backend.settings() },
    answeredBy: 'server',
    async timed(ending, work) {
      const timeoutMs = backend.acted.statementTimeoutMs;
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
      const { shows } = backend.acted;
      if (shows.warning) for (const warning of end.warnings) notice('WARNING', '01000', warning);
      if (end.readUnits !== null && shows.log) notice('LOG', '00000', `read units: ${end.readUnits}`);
    },
  };
}
