/** The tables of one server, brought up to date for whoever comes next. */
import type { Logger } from '@penstock/common/logging/logger.ts';
import { PgError } from '../errors/pg-error.ts';
import type { NumericDigits } from '../types/numeric-modifier.ts';
import { DDL_RETRY_MS, VACUUM_CHANGES } from './limits.ts';
import type { RunningServer } from './server.ts';
import { applyTables, cleanCatalogs } from './tables/apply.ts';
import type { CatalogTables } from './tables/catalog-tables.ts';
import type { AppliedTables } from './tables/changes.ts';
import { databaseObjects } from './tables/database-objects.ts';

export interface ServerTables {
  /** See Place. */
  bring(tables: CatalogTables): Promise<void>;
}

const broken = (cause: unknown): PgError =>
  new PgError(
    {
      code: '57P03',
      message: 'the tables cannot be shown at the moment',
      hint: 'try again in a few seconds',
    },
    { cause },
  );

/** `digits`: those that its columns of numbers have; null: as many as they like. */
export function createServerTables(
  server: RunningServer,
  logger: Logger,
  digits: NumericDigits | null,
): ServerTables {
  const applied: AppliedTables = new Map();
  let version: string | null = null;
  let running: { readonly version: string; readonly done: Promise<void> } | null = null;
  let notBefore = 0;
  let changes = 0;

  const apply = async (tables: CatalogTables): Promise<void> => {
    const wanted = databaseObjects(tables, digits);
    try {
      const owner = await server.owner();
      try {
        const done = await applyTables(owner, applied, wanted, logger);
        if (done.isWhole) version = tables.version;
        // The session that is in the way may be the one that asks: each of its statements would wait for itself.
        else notBefore = performance.now() + DDL_RETRY_MS;
        changes += done.changes;
        if (changes < VACUUM_CHANGES) return;
        changes = 0;
        await cleanCatalogs(owner);
      } finally {
        await owner.close();
      }
    } catch (error) {
      if (server.ended.aborted) throw server.ended.reason;
      logger.error({ err: error }, 'tables cannot be shown to PostgreSQL clients');
      throw broken(error);
    }
  };
  return {
    async bring(tables) {
      while (!server.ended.aborted) {
        if (version === tables.version) return;
        if (running === null) {
          if (performance.now() < notBefore) return;
          const done = apply(tables).finally(() => (running = null));
          running = { version: tables.version, done };
          return done;
        }
        if (running.version === tables.version) return running.done;
        // Another version is on its way; whatever becomes of it, this one is next.
        await running.done.catch(() => undefined);
      }
      throw server.ended.reason;
    },
  };
}
