/** Statements that give rows: who answers each, what its rows look like, and the rows. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import type { PacingLimiter } from '../../limiting/tenant-limiter.ts';
import type { Catalog, CatalogSession, Classified } from '../catalog/catalog.ts';
import type { Description } from '../../clients/postgres-clients.ts';
import type { Asked, Descriptions } from '../engine/descriptions.ts';
import { runUserQuery, type UserQueryParts } from '../engine/user-query.ts';
import { PgError } from '../errors/pg-error.ts';
import { toPgError } from '../errors/from-penstock.ts';
import { ofRows, type OpenResult } from '../results/open-result.ts';
import { parameterCount } from '../statements/lexer.ts';
import { catalogWriter } from '../types/catalog-value.ts';
import { arrayOidOf, OID } from '../types/oids.ts';
import { parameterText, parameterType } from '../types/read-value.ts';
import type { Value } from '../wire/frontend.ts';
import { engineColumns, type DescribedSelect } from './described.ts';
import type { Identity } from './identity.ts';
import { parametersJson } from './parameters-json.ts';
import type { TurnOf } from './turns.ts';

export interface SelectParts extends UserQueryParts {
  readonly catalog: Catalog;
  readonly descriptions: Descriptions;
  readonly limiter: PacingLimiter;
  /** Of statements over the catalogs, by tenant. */
  readonly turnOf: TurnOf;
}

export interface SelectSession {
  readonly identity: Identity;
  readonly searchPath: () => readonly string[];
  /** Of one statement; null: no bound of the session's. */
  readonly maxReadUnits: () => number | null;
  /** See `UserQuery`. */
  readonly refusesLate: () => boolean;
  readonly catalogSession: (signal: AbortSignal) => CatalogSession;
}

export interface BoundValues {
  readonly values: readonly Value[];
  readonly formats: readonly number[];
  /** Of each column of the result. */
  readonly resultFormats: readonly number[];
}

export interface Selects {
  /**
   * `declaredOids`: 0 where the client leaves a type open. Takes one request of the tenant's rate limit at most, and none
   * of what is known. Rejects with PgError.
   */
  describe(
    sql: string,
    declaredOids: readonly number[],
    session: SelectSession,
    signal: AbortSignal,
  ): Promise<DescribedSelect>;
  open(
    select: DescribedSelect,
    bound: BoundValues,
    session: SelectSession,
    ending: AbortController,
  ): Promise<OpenResult>;
}

const MIXED = new PgError({
  code: '0A000',
  message: 'a statement cannot read both the system catalogs and tables of yours',
  hint: 'ask for each in a statement of its own',
});

/** Constants that only PostgreSQL's own functions can tell. */
const ABOUT_THE_SESSION =
  /\b(version|current_\w+|session_user|user|pg_\w+|set_config|has_\w+_privilege|to_reg\w+|\w+_description|inet_\w+|txid_\w+|array_to_string|format_type|quote_ident)\b|::\s*"?(reg|oid|name|pg_)/i;

const isOpen = (oid: number): boolean => oid === 0 || oid === OID.unknown;

/** Types of texts, and of lists of them. */
const TEXTS: ReadonlySet<number> = new Set(
  (['text', 'varchar'] as const).flatMap((name) => [OID[name], arrayOidOf(name)]),
);

/** What makes a constant be asked of the catalogs: the engine knows no such thing. */
const isUnknownToEngine = (error: unknown): error is PenstockError =>
  error instanceof PenstockError &&
  ['FUNCTION_NOT_FOUND', 'COLUMN_NOT_FOUND', 'UNSUPPORTED_SQL', 'PARSE_ERROR', 'INVALID_QUERY'].includes(
    error.code,
  );

export function createSelects(parts: SelectParts): Selects {
  const { catalog, descriptions, limiter } = parts;
  /** Statements over the catalogs that were admitted to be described, and may run once for that. */
  const admitted = new WeakSet<DescribedSelect>();

  const byEngine = async (
    sql: string,
    declaredOids: readonly number[],
    session: SelectSession,
    signal: AbortSignal,
    pace: () => Promise<void>,
  ): Promise<DescribedSelect> => {
    const { identity } = session;
    const count = Math.max(parameterCount(sql), declaredOids.length);
    const oids = Array.from({ length: count }, (_, i) => declaredOids[i] ?? 0);
    const parameters = oids.map((oid) => (isOpen(oid) ? { type: null, isList: false } : parameterType(oid)));
    const searchPath = session.searchPath();
    const call = {
      token: await identity.token(),
      tenantId: identity.principal.tenantId,
      requestId: uuidV7(),
      signal,
      pace,
    };
    const describe = (asked: Asked['parameters']): Promise<Description> =>
      descriptions.of({ sql, parameters: asked, searchPath }, call).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : fromConnectError(error);
      });
    const description = await describe(parameters);
    // A text that is cast to bytes is in PostgreSQL's text form of them; the engine takes base64.
    const isCast = /\bbytea\b/i.test(sql) && oids.some((oid) => TEXTS.has(oid));
    const open = isCast
      ? await describe(
          parameters.map((one, i) => (TEXTS.has(oids[i] ?? 0) ? { type: null, isList: false } : one)),
        )
      : null;
    const castToBytes = new Map(
      (open?.parameters ?? []).flatMap(({ type, isList }, i) =>
        type === 'bytea' && TEXTS.has(oids[i] ?? 0) ? [[i, isList ? arrayOidOf(type) : OID[type]]] : [],
      ),
    );
    return {
      ...{ by: 'engine', sql, searchPath, castToBytes },
      parameterOids: oids.map((oid, i) => {
        const { type = 'text', isList = false } = description.parameters[i] ?? {};
        if (!isOpen(oid)) return oid;
        return isList ? arrayOidOf(type) : OID[type];
      }),
      columns: engineColumns(description.columns),
      described: description.columns,
    };
  };
  const byCatalog = async (
    sql: string,
    declaredOids: readonly number[],
    session: SelectSession,
    signal: AbortSignal,
    pace: () => Promise<void>,
  ): Promise<DescribedSelect> => {
    await pace();
    const found = await catalog.describe(sql, declaredOids, session.catalogSession(signal));
    const select: DescribedSelect = { by: 'catalog', sql, ...found };
    admitted.add(select);
    return select;
  };

  const openByCatalog = async (
    select: Extract<DescribedSelect, { by: 'catalog' }>,
    { values, formats, resultFormats }: BoundValues,
    session: SelectSession,
    signal: AbortSignal,
  ): Promise<OpenResult> => {
    await session.identity.check();
    if (!admitted.delete(select)) await limiter.pace(session.identity.principal, signal);
    const texts = values.map((value, i) =>
      parameterText(select.parameterOids[i] ?? OID.text, value, formats[i] ?? 0),
    );
    const leave = await parts.turnOf(session.identity.principal.tenantId, signal);
    try {
      const { columns, rows } = await catalog.run(
        select.sql,
        texts,
        select.parameterOids,
        session.catalogSession(signal),
      );
      const writers = columns.map(({ typeOid }, i) => catalogWriter(typeOid, resultFormats[i] ?? 0));
      return ofRows(
        rows.map((row) => row.map((cell, i) => (cell === null ? null : (writers[i]?.(cell) ?? cell)))),
      );
    } finally {
      leave();
    }
  };

  return {
    async describe(sql, declaredOids, session, signal) {
      let paced: Promise<void> | null = null;
      const pace = (): Promise<void> => (paced ??= limiter.pace(session.identity.principal, signal));
      const kind: Classified = await catalog.classify(sql, session.catalogSession(signal), pace);
      if (kind === 'mixed') throw MIXED;
      if (kind === 'catalog') return byCatalog(sql, declaredOids, session, signal, pace);
      const isOurs = kind === 'user' || !ABOUT_THE_SESSION.test(sql);
      if (!isOurs) return byCatalog(sql, declaredOids, session, signal, pace);
      try {
        return await byEngine(sql, declaredOids, session, signal, pace);
      } catch (error) {
        if (kind === 'constant' && isUnknownToEngine(error))
          return byCatalog(sql, declaredOids, session, signal, pace).catch(() => {
            throw toPgError(error, sql);
          });
        throw toPgError(error, sql);
      }
    },
    async open(select, bound, session, ending) {
      if (select.by === 'catalog') return openByCatalog(select, bound, session, ending.signal);
      const json = parametersJson(select, bound);
      const { identity } = session;
      const { tenantId } = identity.principal;
      const token = await identity.token();
      await limiter.admit(identity.principal);
      const { sql, searchPath, described } = select;
      const query = {
        ...{ sql, parametersJson: json, searchPath, columns: described, formats: bound.resultFormats },
        maxReadUnits: session.maxReadUnits(),
        refusesLate: session.refusesLate(),
      };
      return runUserQuery(parts, query, { token, tenantId, requestId: uuidV7(), ending });
    },
  };
}
