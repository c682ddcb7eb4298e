/** A statement that is bound: its rows stream out of one running query, as many at a time as are asked for. */
import { PgError } from '../errors/pg-error.ts';
import { PORTAL_IDLE_MS } from '../limits.ts';
import type { OpenResult, ResultColumn, Row } from '../results/open-result.ts';

export interface Portal {
  readonly name: string;
  readonly columns: readonly ResultColumn[];
  /** Of each column: 0 text, 1 binary. */
  readonly formats: readonly number[];
  /** It stays when its transaction ends. */
  readonly holds: boolean;
  /** Ends what runs for it. */
  readonly ending: AbortController;
  /** Hands out rows, at most so many, to whoever takes them; true at the end. Rejects with what the query failed with. */
  take(max: number, sink: (rows: readonly Row[]) => Promise<void>): Promise<boolean>;
  readonly rowCount: number;
  /** Null until its rows are at their end. */
  readonly end: OpenResult['end'];
  close(reason?: Error): Promise<void>;
}

interface PortalOptions {
  readonly name: string;
  readonly columns: readonly ResultColumn[];
  readonly formats: readonly number[];
  readonly holds?: boolean;
  /** How long it may be left alone. */
  readonly idleMs?: number;
  readonly open: (ending: AbortController) => Promise<OpenResult>;
  /** Called once, when it is closed. */
  readonly closed?: () => void;
}

export const portalClosed = (): PgError => new PgError({ code: '24000', message: 'the portal was closed' });

const leftAlone = (name: string): PgError =>
  new PgError({
    code: '57014',
    message: `portal "${name}" was ended: nobody asked for its rows for ${PORTAL_IDLE_MS / 1000} s`,
    hint: 'a portal holds a running query: fetch sooner, or run the statement again',
  });

/** Rows that are asked for at once where all are wanted: what is sent waits for the client in between. */
const ROWS_AT_ONCE = 10_000;

export function createPortal(options: PortalOptions): Portal {
  const { name, columns, formats, holds = false, idleMs = PORTAL_IDLE_MS } = options;
  const ending = new AbortController();
  let opened: OpenResult | null = null;
  let failure: Error | null = null;
  let rowCount = 0;
  let idle: NodeJS.Timeout | undefined;
  let { closed } = options;

  const close = async (reason: Error = portalClosed()): Promise<void> => {
    clearTimeout(idle);
    failure ??= reason;
    closed?.();
    closed = undefined;
    await opened?.close(reason);
    ending.abort(reason);
  };
  const watch = (): void => {
    idle = setTimeout(() => void close(leftAlone(name)), idleMs);
    idle.unref();
  };
  return {
    ...{ name, columns, formats, holds, ending },
    async take(max, sink) {
      clearTimeout(idle);
      if (failure !== null) throw failure;
      try {
        const result = (opened ??= await options.open(ending));
        for (let left = max; left > 0;) {
          const rows = await result.next(Math.min(left, ROWS_AT_ONCE));
          if (rows.length === 0) return true;
          left -= rows.length;
          rowCount += rows.length;
          await sink(rows);
        }
        // As in PostgreSQL, nothing is looked for beyond what was asked for.
        if (result.end !== null) return true;
        watch();
        return false;
      } catch (error) {
        const reason = (ending.signal.aborted ? ending.signal.reason : error) as Error;
        failure = reason;
        await opened?.close(reason);
        throw reason;
      }
    },
    get rowCount() {
      return rowCount;
    },
    get end() {
      return opened?.end ?? null;
    },
    close,
  };
}
