/** A session's place in its tenant's server: entered when it is first needed, and again where the server has ended. */
import type { CatalogTables } from '../servers/tables/catalog-tables.ts';
import { PgError } from '../errors/pg-error.ts';
import type { NumericDigits } from '../types/numeric-modifier.ts';
import type { Place, TenantServers } from '../servers/tenant-servers.ts';
import type { Asked, Classified } from './classify.ts';
import type { Planner, PlannerPlace } from './planner.ts';

export interface PlaceParts {
  readonly servers: TenantServers;
  readonly planners: { of(place: PlannerPlace): Planner };
}

export interface PlaceOptions {
  readonly tenantId: string;
  readonly database: string;
  /** Digits of the numbers in the server's tables; null: numbers have as many as they like. */
  readonly digits: NumericDigits | null;
  /** Of the session's tenant; null where the client may not read schemas. Rejects with PgError. */
  readonly tables: (() => Promise<CatalogTables>) | null;
}

export interface TenantPlace {
  /** Rejects with PgError where the server cannot be had. */
  enter(): Promise<Place>;
  /** What a statement is about, as the server says; unknown, too, where the server cannot be had. */
  classify(asked: Asked, pace: () => Promise<void>): Promise<Classified>;
  /** Has the server's tables be what they are now. Rejects with PgError. */
  bringTables(): Promise<void>;
  /** Names of the tenant's tables, as far as they were asked for. */
  tableNames(): ReadonlySet<string>;
  /** Ends a backend that does not end what it runs. */
  stop(pid: number): void;
  leave(): void;
}

export function createTenantPlace(
  { servers, planners }: PlaceParts,
  { tenantId, database, digits, tables }: PlaceOptions,
): TenantPlace {
  let place: Place | null = null;
  let entering: Promise<Place> | null = null;
  let names: ReadonlySet<string> = new Set();
  let hasLeft = false;

  const enter = (): Promise<Place> => {
    if (place !== null && !place.ended.aborted) return Promise.resolve(place);
    place?.leave();
    place = null;
    return (entering ??= servers
      .enter({ tenantId, seesTables: tables !== null, database, digits })
      .then(
        (entered) => {
          if (hasLeft) entered.leave();
          else place = entered;
          return entered;
        },
        (error: unknown) => {
          // What the session has does not depend on it: it goes on without.
          throw error instanceof PgError ? new PgError({ ...error.fields, severity: 'ERROR' }) : error;
        },
      )
      .finally(() => (entering = null)));
  };
  return {
    enter,
    async classify(asked, pace) {
      try {
        return await planners.of(await enter()).of(asked, pace);
      } catch (error) {
        // A server that is away takes no tables with it.
        if (error instanceof PgError) return { by: 'unknown', error };
        throw error;
      }
    },
    async bringTables() {
      if (tables === null) return void (await enter());
      const [entered, now] = await Promise.all([enter(), tables()]);
      await entered.bring(now);
      planners.of(entered).tablesAre(now.version);
      names = new Set(now.tables.map(({ tableName }) => tableName));
    },
    tableNames: () => names,
    stop: (pid) => place?.stop(pid),
    leave() {
      hasLeft = true;
      place?.leave();
      place = null;
    },
  };
}
