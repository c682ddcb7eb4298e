/** Statements over tables: what their parameters and rows are, and the rows. */
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import type { PacingLimiter } from '../../limiting/tenant-limiter.ts';
import type { ActedOn } from '../backend/acted-on.ts';
import type { Description } from '../../clients/postgres-clients.ts';
import type { Asked, Descriptions } from '../engine/descriptions.ts';
import { runUserQuery, type UserQueryParts } from '../engine/user-query.ts';
import { toPgError } from '../errors/from-penstock.ts';
import type { OpenResult } from '../results/open-result.ts';
import { parameterCount } from '../statements/lexer.ts';
import { arrayOidOf, OID } from '../types/oids.ts';
import { parameterType } from '../types/read-value.ts';
import type { Value } from '../wire/frontend.ts';
import type { DescribedSelect } from './described.ts';
import type { Identity } from './identity.ts';
import type { PreparedStatement } from './prepared.ts';
import { announcedColumns } from '../types/announced.ts';
import { parametersJson } from './parameters-json.ts';
import { zoneName } from '../types/session-zone.ts';

export interface SelectParts extends UserQueryParts {
  readonly descriptions: Descriptions;
  readonly limiter: PacingLimiter;
}

export interface SelectSession {
  readonly identity: Identity;
  /** As the client named it at the start. */
  readonly database: string;
  /** What the session has set of what statements over tables go by. Rejects with PgError. */
  readonly actedOn: () => Promise<ActedOn>;
}

export interface BoundValues {
  readonly values: readonly Value[];
  readonly formats: readonly number[];
  /** Of each column of the result. */
  readonly resultFormats: readonly number[];
}

/** A statement that is to be described. `declaredOids`: 0 where the client leaves a type open. */
type Described = Pick<PreparedStatement, 'declaredOids' | 'announced'>;

export interface Selects {
  /**
   * `sql`: the SELECT of the statement. `pace` is awaited where the engine has to be asked. Rejects with
   * PgError.
   */
  describe(
    one: Described,
    sql: string,
    session: SelectSession,
    signal: AbortSignal,
    pace: () => Promise<void>,
  ): Promise<DescribedSelect>;
  open(
    select: DescribedSelect,
    bound: BoundValues,
    session: SelectSession,
    ending: AbortController,
  ): Promise<OpenResult>;
}

const isOpen = (oid: number): boolean => oid === 0 || oid === OID.unknown;

/** Types of texts, and of lists of them. */
const TEXTS: ReadonlySet<number> = new Set(
  (['text', 'varchar'] as const).flatMap((name) => [OID[name], arrayOidOf(name)]),
);

export function createSelects(parts: SelectParts): Selects {
  const { descriptions, limiter } = parts;

  const describe = async (
    { declaredOids, announced }: Described,
    sql: string,
    session: SelectSession,
    signal: AbortSignal,
    pace: () => Promise<void>,
  ): Promise<DescribedSelect> => {
    const { identity } = session;
    const count = Math.max(parameterCount(sql), declaredOids.length);
    const oids = Array.from({ length: count }, (_, i) => declaredOids[i] ?? 0);
    const parameters = oids.map((oid) => (isOpen(oid) ? { type: null, isList: false } : parameterType(oid)));
    const { searchPath, numericModifier } = await session.actedOn();
    const { database } = session;
    const call = {
      token: await identity.token(),
      tenantId: identity.principal.tenantId,
      requestId: uuidV7(),
      signal,
      pace,
    };
    const asWith = (asked: Asked['parameters']): Promise<Description> =>
      descriptions.of({ sql, parameters: asked, searchPath, database }, call).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : fromConnectError(error);
      });
    const description = await asWith(parameters);
    // A text that is cast to bytes is in PostgreSQL's text form of them; the engine takes base64.
    const isCast = /\bbytea\b/i.test(sql) && oids.some((oid) => TEXTS.has(oid));
    const open = isCast
      ? await asWith(
          parameters.map((one, i) => (TEXTS.has(oids[i] ?? 0) ? { type: null, isList: false } : one)),
        )
      : null;
    const castToBytes = new Map(
      (open?.parameters ?? []).flatMap(({ type, isList }, i) =>
        type === 'bytea' && TEXTS.has(oids[i] ?? 0) ? [[i, isList ? arrayOidOf(type) : OID[type]]] : [],
      ),
    );
    return {
      ...{ sql, searchPath, numericModifier, database, castToBytes },
      parameterOids: oids.map((oid, i) => {
        const { type = 'text', isList = false } = description.parameters[i] ?? {};
        if (!isOpen(oid)) return oid;
        return isList ? arrayOidOf(type) : OID[type];
      }),
      columns: announcedColumns(description.columns, announced, numericModifier),
      described: description.columns,
    };
  };
  return {
    describe: (one, sql, session, signal, pace) =>
      describe(one, sql, session, signal, pace).catch((error: unknown) => {
        throw toPgError(error, sql);
      }),
    async open(select, bound, session, ending) {
      const json = parametersJson(select, bound);
      const { identity } = session;
      const { maxReadUnits, refusesLate, timeZone } = await session.actedOn();
      const { tenantId } = identity.principal;
      const token = await identity.token();
      await limiter.admit(identity.principal);
      const { sql, searchPath, database, described, columns } = select;
      const query = {
        ...{
          sql,
          parametersJson: json,
          searchPath,
          database,
          columns: described,
          formats: bound.resultFormats,
        },
        ...{ announced: columns, maxReadUnits, refusesLate, timeZone: zoneName(timeZone) },
      };
      return runUserQuery(parts, query, { token, tenantId, requestId: uuidV7(), ending });
    },
  };
}
