/** Statements over a tenant's tables: described, run and metered by the engine. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import type { DescribedColumn } from '../../clients/postgres-clients.ts';
import { LATE_ATTRIBUTES, SQL_RULES } from '../../clients/run-query.ts';
import { streamQuery, WHOLE_FORMATS, type ResultHeader } from '../../clients/stream-query.ts';
import { DEADLINE_GRACE_MS } from '../../limits.ts';
import type { QueryUsage } from '../../usage/query-usage.ts';
import { PgError } from '../errors/pg-error.ts';
import { STATEMENT_TIMEOUT_MS_MAX } from '../limits.ts';
import { cellTokens, createLines } from '../results/json-rows.ts';
import {
  ofBatches,
  type OpenResult,
  type ResultColumn,
  type ResultEnd,
  type Row,
} from '../results/open-result.ts';
import { columnWriter } from '../types/announced.ts';
import { MisfitError, type WriteValue } from '../types/misfit.ts';
import { digitsOf } from '../types/numeric-modifier.ts';
import { OID, typeNamed } from '../types/oids.ts';

export interface UserQuery {
  readonly sql: string;
  readonly parametersJson: string;
  readonly searchPath: readonly string[];
  /** The session's. */
  readonly database: string;
  /** The session's, by its IANA name. */
  readonly timeZone: string;
  /** It ends with an error once it has read more; null: no such bound. */
  readonly maxReadUnits: number | null;
  /** Whether it ends with an error where a star reads attributes that were not announced; else a warning names them. */
  readonly refusesLate: boolean;
  /** As the engine describes them. */
  readonly columns: readonly DescribedColumn[];
  /** As the client was told of them. */
  readonly announced: readonly ResultColumn[];
  /** Of each column: 0 text, 1 binary. */
  readonly formats: readonly number[];
}

export interface UserCall {
  readonly token: string;
  readonly tenantId: string;
  readonly requestId: string;
  /** Ends the query; its reason is the error to answer with. */
  readonly ending: AbortController;
}

export interface UserQueryParts {
  readonly queries: GatewayClients['queries'];
  readonly usage: QueryUsage;
}

const SHOWN_CHARS = 60;
const shown = (token: string): string =>
  token.length > SHOWN_CHARS ? `${token.slice(0, SHOWN_CHARS)}…` : token;

const CASTS: Readonly<Record<string, string>> = Object.freeze({ bytea: 'VARCHAR', bool: 'VARCHAR' });

/** The key of a row, as far as its columns have it. */
function keyOf(columns: readonly DescribedColumn[], tokens: readonly string[]): string {
  const parts = columns.flatMap(({ isKey, attribute }, i) =>
    isKey ? [`${attribute} = ${shown(tokens[i] ?? 'null')}`] : [],
  );
  return parts.length === 0 ? '' : ` of the item with ${parts.join(', ')}`;
}

/** A value that the announced type does not hold: no other value is given for it. */
function misfit(
  columns: readonly DescribedColumn[],
  announced: readonly ResultColumn[],
  tokens: readonly string[],
  i: number,
): PgError {
  const { name, attribute } = columns[i] ?? { name: '', attribute: '' };
  const what = attribute === '' ? `column "${name}"` : `attribute "${attribute}"`;
  const { code, type, detail, hint } = whyMisfit(
    attribute === '' ? name : attribute,
    attribute === '',
    announced[i],
  );
  return new PgError({
    code,
    message: `${what}${keyOf(columns, tokens)} holds ${shown(tokens[i] ?? '')}, which is no ${type}`,
    ...{ detail, hint },
  });
}

/** `name`: of the attribute, or of the column where `isComputed`. */
function whyMisfit(name: string, isComputed: boolean, announced: ResultColumn | undefined) {
  const { typeOid = OID.text, typeModifier = -1 } = announced ?? {};
  const type = typeNamed(typeOid) ?? 'array';
  if (type === 'numeric' && typeModifier >= 0) {
    const { precision, scale } = digitsOf(typeModifier);
    return {
      code: '22003',
      type: `numeric(${precision},${scale})`,
      detail: 'penstock.numeric says that numbers are announced with so many digits.',
      hint: 'set penstock.numeric to more digits, or round the value in the statement',
    };
  }
  const code = '22P02';
  if (isComputed && /^int/.test(type))
    return {
      ...{ code, type },
      detail:
        'PostgreSQL divides whole numbers to a whole number; numbers of tables, and of subqueries, divide exactly.',
      hint: 'TRUNC(…) cuts a quotient, CAST(… AS NUMERIC) keeps its digits',
    };
  return {
    ...{ code, type },
    detail: `The column was announced as ${type}, as all values of the table's sample were.`,
    hint: `CAST(${name} AS ${CASTS[type] ?? 'VARCHAR'}) reads all its values as text`,
  };
}

/** Texts and bytes are the same in JSON where bytes are base64: where both came, neither is told. */
const neither: WriteValue = (token) => {
  throw new MisfitError(token);
};

/** `found`: types of the columns, of what was read first. */
function rowWriter(
  { columns, announced, formats, timeZone }: UserQuery,
  found: readonly string[],
): (line: string) => Row {
  const writers: readonly WriteValue[] = announced.map((column, i) =>
    columns[i]?.type === 'bytea' && found[i] !== 'BLOB'
      ? neither
      : columnWriter(column, formats[i] ?? 0, timeZone),
  );
  return (line) => {
    const tokens = cellTokens(line);
    if (tokens.length < columns.length) throw changed();
    return columns.map((_, i) => {
      const token = tokens[i] ?? 'null';
      if (token === 'null') return null;
      try {
        return writers[i]?.(token) ?? null;
      } catch (error) {
        if (error instanceof MisfitError) throw misfit(columns, announced, tokens, i);
        throw error;
      }
    });
  };
}

const changed = (): PgError =>
  new PgError({
    code: '0A000',
    routine: 'RevalidateCachedQuery',
    message: 'cached plan must not change result type',
    hint: 'the tables have other attributes by now: prepare the statement again',
  });

/**
 * Names of the columns behind those that were announced: attributes that were met since. Where others have changed, the
 * statement is to be described anew.
 */
function unannounced(header: ResultHeader, columns: readonly DescribedColumn[]): readonly string[] {
  if (columns.some(({ name }, i) => name !== header.columns[i])) throw changed();
  return header.columns.slice(columns.length);
}

const NAMED_MAX = 20;

/** What is said of such columns. */
function aboutUnannounced(names: readonly string[]): string {
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
  const listed = names.slice(0, NAMED_MAX).map((name) => JSON.stringify(name));
  return `* has columns that were not announced, since their attributes were met later: ${listed.join(', ')}${more}`;
}

const REFUSED_HINT = 'prepare the statement again, or name its columns; penstock.late_attributes is error';

/**
 * Runs a statement; its rows are read when they are asked for. One request is counted, whatever becomes of it, and the
 * rows that were taken.
 */
export function runUserQuery(parts: UserQueryParts, query: UserQuery, caller: UserCall): OpenResult {
  const { queries, usage } = parts;
  const { tenantId, ending } = caller;
  usage.ensureAble();
  const usageId = uuidV7();
  let counted: Promise<void> | null = null;
  const count = (): Promise<void> => (counted ??= usage.recordRequest(tenantId, usageId));

  async function* batches(): AsyncGenerator<readonly Row[], ResultEnd> {
    const request = {
      ...{ sql: query.sql, parametersJson: query.parametersJson, searchPath: [...query.searchPath] },
      ...{ rules: SQL_RULES.postgresql, database: query.database, timeZone: query.timeZone },
      ...{ maxRows: 0, timeoutMs: STATEMENT_TIMEOUT_MS_MAX, format: WHOLE_FORMATS.ndjson },
      lateAttributes: query.refusesLate ? LATE_ATTRIBUTES.refuse : LATE_ATTRIBUTES.warn,
      ...(query.maxReadUnits === null ? {} : { maxReadUnits: query.maxReadUnits }),
    };
    const call = {
      ...{
        token: caller.token,
        requestId: caller.requestId,
        signal: ending.signal,
        usageId,
        count,
        tenantId,
        usage,
      },
      timeoutMs: STATEMENT_TIMEOUT_MS_MAX + DEADLINE_GRACE_MS,
    };
    const linesOf = createLines();
    let write: ((line: string) => Row) | null = null;
    let late: readonly string[] = [];
    try {
      for await (const part of streamQuery(queries, request, call)) {
        if (part.kind === 'header') {
          late = unannounced(part.header, query.columns);
          if (late.length > 0 && query.refusesLate)
            throw new PgError({ code: '22000', message: aboutUnannounced(late), hint: REFUSED_HINT });
          write = rowWriter(query, part.header.columnTypes);
        }
        if (part.kind === 'rows' && write !== null) yield linesOf(part.bytes).map(write);
        if (part.kind === 'end')
          return {
            readUnits: part.trailer.readUnits,
            warnings: [...part.trailer.warnings, ...(late.length === 0 ? [] : [aboutUnannounced(late)])],
          };
      }
      throw new PenstockError('INTERNAL', 'Internal error', { cause: new Error('a result has no end') });
    } catch (error) {
      const reason: unknown = ending.signal.aborted ? ending.signal.reason : error;
      // What the engine may still read for it is for nobody.
      ending.abort(reason);
      await count();
      throw reason;
    }
  }
  const running = batches();
  return ofBatches(running, async (reason, rowsTaken) => {
    ending.abort(reason);
    await running.return({ readUnits: null, warnings: [] }).catch(() => undefined);
    await count();
    // The engine may have counted all rows or none: those that were taken count.
    await usage.takeBackRows(tenantId, usageId);
    if (rowsTaken > 0) await usage.recordRows(tenantId, usageId, rowsTaken);
  });
}
