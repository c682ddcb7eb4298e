/**
 * Decides who answers a statement. The statement is explained on the tenant's own server, which has the tenant's tables without
 * rows: a table of the tenant's in the plan makes it the engine's, and one that is in no plan has nothing to do with the answer.
 */
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { CLASSIFIED_CHARS_MAX, CLASSIFIED_KEPT_MAX } from '../limits.ts';
import type { ResultColumn } from '../results/open-result.ts';
import { PgError } from '../errors/pg-error.ts';
import { plannedRelations } from './plan-relations.ts';

/** The party that answers a statement, and what else the statement's plan told. */
export type Classified =
  /** It reads tables of the tenant. `columns`: its rows', as PostgreSQL describes them. */
  | { readonly by: 'engine'; readonly columns: readonly ResultColumn[] }
  /**
   * It reads catalogs, or nothing at all, as with `WHERE 1 = 0`. `isPlain`: nothing that it calls leaves something behind in its
   * session.
   */
  | {
      readonly by: 'server';
      readonly columns: readonly ResultColumn[];
      readonly readsCatalogs: boolean;
      readonly isPlain: boolean;
    }
  /** Both: on the server the tables have no rows. */
  | { readonly by: 'neither'; readonly catalog: string; readonly table: string }
  /** PostgreSQL cannot read it: it may be in the engine's own SQL, or wrong. */
  | { readonly by: 'unknown'; readonly error: PgError };

/** A statement as it is asked about. */
export interface Asked {
  readonly sql: string;
  /** As the client declared them; 0 where it left a type open. */
  readonly parameterOids: readonly number[];
  /** The session's setting. */
  readonly searchPath: string;
}

export interface Planned {
  readonly columns: readonly ResultColumn[];
  /** As JSON. */
  readonly plan: string;
}

/** Rejects with PgError where PostgreSQL cannot read the statement. */
export type Plan = (asked: Asked) => Promise<Planned>;

export interface Classifier {
  /** `pace` is awaited before a statement is looked at that is not known. Rejects with what `pace` rejects with, or FATAL ones. */
  of(asked: Asked, pace: () => Promise<void>): Promise<Classified>;
  /** Names the version of the tenant's tables; what was found with another version is forgotten. */
  tablesAre(version: string): void;
}

const CATALOGS: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema', 'pg_toast']);

/** Functions whose effect outlives their statement. */
const LEAVES_SOMETHING = /\b(?:set_config|pg_(?:try_)?advisory\w*|pg_notify|setseed)\(/;

function classified({ plan, columns }: Planned): Classified {
  const relations = plannedRelations(plan);
  const catalog = relations.find(({ schema }) => CATALOGS.has(schema));
  const table = relations.find(({ schema }) => !CATALOGS.has(schema));
  if (table === undefined)
    return {
      ...{ by: 'server', columns, readsCatalogs: catalog !== undefined },
      isPlain: !LEAVES_SOMETHING.test(plan),
    };
  if (catalog === undefined) return { by: 'engine', columns };
  return { by: 'neither', catalog: catalog.name, table: `${table.schema}.${table.name}` };
}

const TOO_DEEP = new PgError({
  code: '54001',
  message: 'stack depth limit exceeded: the statement is too deep',
});

/** A statement that PostgreSQL cannot read. @throws the error itself where it is not about the statement */
function unknown(error: unknown): Classified {
  if (error instanceof RangeError) return { by: 'unknown', error: TOO_DEEP };
  if (error instanceof PgError && error.fields.severity !== 'FATAL') return { by: 'unknown', error };
  throw error;
}

export function createClassifier(plan: Plan): Classifier {
  let kept = boundedCache<Classified>(CLASSIFIED_KEPT_MAX);
  let tables: string | null = null;
  return {
    async of(asked, pace) {
      const key = JSON.stringify([asked.sql, asked.searchPath, asked.parameterOids]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      await pace();
      const found = await plan(asked).then(classified).catch(unknown);
      // Types of parameters are as long as a client likes, too.
      if (key.length <= CLASSIFIED_CHARS_MAX) kept.set(key, found);
      return found;
    },
    tablesAre(version) {
      if (version !== tables) kept = boundedCache<Classified>(CLASSIFIED_KEPT_MAX);
      tables = version;
    },
  };
}
