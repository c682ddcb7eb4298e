/** Answers statements over PostgreSQL's system catalogs, in processes of their own. */
import type { SessionFacts } from './binder/context.ts';
import type { Catalog, CatalogSession, CatalogTables, Classified } from './catalog.ts';
import { readsTables } from './classify/at-first-sight.ts';
import { CLASSIFIED_CHARS_MAX, CLASSIFIED_KEPT_MAX } from './limits.ts';
import { readSystemCatalog } from './system/read-system.ts';
import type { Answer, AnswerOf, Kind } from './worker/messages.ts';
import { createWorkerPool } from './worker/worker-pool.ts';

/** What statements without relations see, where their tenant's database holds no tables yet. */
const NO_TABLES: CatalogTables = Object.freeze({ version: '', schemas: [], tables: [] });

/** Of statements without relations, those whose functions or types look names up. */
const LOOKS_NAMES_UP =
  /reg(?:class|type|namespace|proc|role)|schema|visible|privilege|_description|pg_get_|format_type|size/i;

/** What a session has set of what PostgreSQL has settings for. */
function settingsOf({ setting }: CatalogSession, names: readonly string[]): SessionFacts['settings'] {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = setting(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function ofKind<K extends Kind>(kind: K, answer: Answer): AnswerOf<K> {
  if (answer.kind !== kind) throw new Error('A catalog worker answered something else');
  return answer as AnswerOf<K>;
}

/** `version`: of the PostgreSQL whose catalogs these are, such as 15.18. */
export function createCatalog(): Catalog & { readonly version: string } {
  const { version, sets } = readSystemCatalog();
  const names = (sets['pg_show_all_settings'] ?? []).flatMap(([name]) => name?.toLowerCase() ?? []);
  const pool = createWorkerPool();
  const kept = new Map<string, Classified>();

  const factsOf = (session: CatalogSession): SessionFacts => {
    const { user, database, backendPid, searchPath } = session;
    return {
      user,
      database,
      backendPid,
      searchPath: [...searchPath()],
      settings: settingsOf(session, names),
    };
  };

  const keep = (sql: string, classified: Classified): void => {
    if (sql.length > CLASSIFIED_CHARS_MAX) return;
    const [oldest] = kept.keys();
    if (kept.size >= CLASSIFIED_KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    kept.set(sql, classified);
  };

  const classify: Catalog['classify'] = async (sql, { tenantId, signal }, pace) => {
    if (readsTables(sql)) return 'user';
    const known = kept.get(sql);
    if (known !== undefined) return known;
    await pace?.();
    const work = { kind: 'classify', sql } as const;
    const answer = await pool.perform({ work, tables: NO_TABLES, signal, tenantId });
    const { classified } = ofKind('classify', answer);
    keep(sql, classified);
    return classified;
  };

  const perform = async <K extends Exclude<Kind, 'classify'>>(
    kind: K,
    sql: string,
    parameters: readonly (string | null)[] | null,
    parameterOids: readonly number[],
    session: CatalogSession,
  ): Promise<AnswerOf<K>> => {
    const needsTables = (await classify(sql, session)) !== 'constant' || LOOKS_NAMES_UP.test(sql);
    const tables = needsTables ? await session.tables() : NO_TABLES;
    const work = {
      kind,
      sql,
      parameters,
      parameterOids,
      session: factsOf(session),
      tenantId: session.tenantId,
      version: needsTables ? tables.version : null,
    };
    return ofKind(
      kind,
      await pool.perform({ work, tables, signal: session.signal, tenantId: session.tenantId }),
    );
  };

  return {
    version,
    classify,
    async describe(sql, parameterOids, session) {
      return (await perform('describe', sql, null, parameterOids, session)).described;
    },
    async run(sql, parameters, parameterOids, session) {
      const { result, settings } = await perform('run', sql, parameters, parameterOids, session);
      for (const { name, value } of settings) session.set(name, value);
      return result;
    },
    close: () => pool.close(),
  };
}
