/** Reads statements: from text to a tree that DuckDB reads as we do, each kept for the next asker. */
import { setImmediate } from 'node:timers/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { tablesNamed } from './binder/table-names.ts';
import type { CatalogCall } from './clients/catalog-client.ts';
import { TEXT_AT_ONCE_MAX } from './limits.ts';
import type { AstQuery } from './parser/ast.ts';
import { agreedExample, type AgreedExample } from './parser/agreed-example.ts';
import { crossCheck, type CrossCheckOutcome, type SerializeSql } from './parser/cross-check.ts';
import { SqlSyntaxError } from './parser/errors.ts';
import { fingerprintOf, printedWithValues, treeWithValues, type Fingerprint } from './parser/fingerprint.ts';
import { parse } from './parser/parse.ts';
import { print } from './parser/print.ts';
import { keyPlacesOf, keyValuesOf } from './planning/generic/key-values.ts';
import type { RunSliced } from './scheduling/sliced-work.ts';
import type { RecordWork } from './scheduling/work-record.ts';
import type { KnownExample, Parsed, StatementCaches } from './statement-caches.ts';

/** For whom a statement is prepared, and where it is recorded. */
export type PrepareCall = CatalogCall & { readonly work: RecordWork };

/** Runs work in a turn among the statements of all tenants, in slices. */
export type InTurn = <T>(call: PrepareCall, work: (inSlices: RunSliced) => Promise<T>) => Promise<T>;

export interface StatementReaderOptions {
  readonly kept: Pick<StatementCaches, 'parsed' | 'seen' | 'examples'>;
  readonly inTurn: InTurn;
  /** DuckDB's reading of a text, as JSON. */
  readonly serialize: (sql: string, asker: Pick<CatalogCall, 'tenantId' | 'signal'>) => Promise<string>;
  /** Told of a statement that DuckDB reads otherwise than we do: a bug of the parser. */
  readonly onDisagreement: (sql: string, outcome: CrossCheckOutcome) => void;
  /** Told of each lookup of a text among those that are kept. */
  readonly onLookup: (hit: boolean) => void;
}

export interface StatementReader {
  /**
   * Only a statement that DuckDB reads as we do gets past this.
   * @throws PenstockError PARSE_ERROR or UNSUPPORTED_SQL with line and column; INTERNAL where DuckDB reads it otherwise
   */
  read(sql: string, call: PrepareCall): Promise<Parsed>;
  /** Reads a statement that may be offered, as every statement is read; null where DuckDB reads it otherwise. */
  readOffer(sql: string, call: PrepareCall): Promise<Parsed | null>;
}

/** Turns errors of the parser into those that are told. */
function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SqlSyntaxError)) throw error;
    const code = error.kind === 'parse' ? 'PARSE_ERROR' : 'UNSUPPORTED_SQL';
    throw new PenstockError(code, error.message, { detail: error.detail, cause: error });
  }
}

const fingerprintOfText = (sql: string): Fingerprint | null => told(() => fingerprintOf(sql));

function* parseStatement(sql: string): Generator<void, Parsed> {
  const query = told(() => parse(sql));
  yield;
  return { query, tables: tablesNamed(query), normalizedSql: print(query), keyValues: null };
}

function knownExample(agreed: AgreedExample, fingerprint: Fingerprint): KnownExample {
  const tables = tablesNamed(agreed.query);
  return Object.freeze({ ...agreed, tables, keyPlaces: keyPlacesOf(agreed.query, fingerprint) });
}

/** The same for a statement of a known fingerprint, without parsing it. */
class ReadByFingerprint implements Parsed {
  readonly tables: Parsed['tables'];
  readonly normalizedSql: string;
  readonly keyValues: Parsed['keyValues'];
  private readonly makeQuery: () => AstQuery;
  private made: AstQuery | null = null;

  constructor(sql: string, fingerprint: Fingerprint, example: KnownExample) {
    this.tables = treeWithValues(example.tables, sql, fingerprint);
    this.normalizedSql = printedWithValues(example.printed, fingerprint);
    this.keyValues = keyValuesOf(fingerprint, example.keyPlaces);
    this.makeQuery = () => treeWithValues(example.query, sql, fingerprint);
  }

  /** Needed only where a plan is not known. */
  get query(): AstQuery {
    return (this.made ??= this.makeQuery());
  }
}

export function createStatementReader(options: StatementReaderOptions): StatementReader {
  const { inTurn, serialize, onDisagreement, onLookup } = options;
  const { parsed, seen, examples } = options.kept;
  const serializeFor =
    (call: PrepareCall): SerializeSql =>
    async (text) => {
      const done = call.work.compute();
      try {
        return await serialize(text, call);
      } finally {
        done();
      }
    };

  /** DuckDB's reading of a statement, as far as it is not known from its fingerprint. */
  const crossChecked = async (
    sql: string,
    fingerprint: Fingerprint | null,
    statement: Parsed,
    call: PrepareCall,
  ): Promise<CrossCheckOutcome> => {
    const serialized = serializeFor(call);
    const inPieces: SerializeSql = async (text) => {
      const tree = await serialized(text);
      // What is done with it takes as long as parsing.
      await setImmediate();
      call.work.hold();
      return tree;
    };
    if (fingerprint !== null && examples.get(fingerprint.key) === undefined) {
      const agreed = await agreedExample(fingerprint, statement.normalizedSql, inPieces);
      examples.set(fingerprint.key, agreed === null ? null : knownExample(agreed, fingerprint));
      if (agreed !== null) return { kind: 'Agreed' };
    }
    return crossCheck(sql, statement.query, inPieces);
  };

  const checkedStatement = async (
    sql: string,
    fingerprint: Fingerprint | null,
    call: PrepareCall,
    inSlices: RunSliced,
  ): Promise<Parsed> => {
    const statement = await inSlices(parseStatement(sql));
    const outcome = await crossChecked(sql, fingerprint, statement, call);
    if (outcome.kind !== 'Agreed') {
      onDisagreement(sql, outcome);
      throw new PenstockError('INTERNAL', 'Internal error', {
        cause: new Error(`the parser's reading was not confirmed: ${outcome.kind}`),
      });
    }
    parsed.set(sql, statement);
    return statement;
  };

  /** Without parsing it, where a statement of its fingerprint was checked before. */
  const knownByFingerprint = (sql: string, fingerprint: Fingerprint | null): Parsed | null => {
    const example = fingerprint === null ? null : examples.get(fingerprint.key);
    if (fingerprint === null || example == null) return null;
    const statement = new ReadByFingerprint(sql, fingerprint, example);
    // Most texts that hold values come once: keeping what was read of each would only make garbage that lives long.
    if (seen.get(sql) === true) parsed.set(sql, statement);
    else seen.set(sql, true);
    return statement;
  };

  /** Only a statement that DuckDB reads as we do gets past this. */
  const read = async (sql: string, call: PrepareCall): Promise<Parsed> => {
    const known = parsed.get(sql);
    onLookup(known !== undefined);
    if (known !== undefined) return known;
    if (sql.length <= TEXT_AT_ONCE_MAX) {
      const statement = knownByFingerprint(sql, fingerprintOfText(sql));
      if (statement !== null) return statement;
    }
    return inTurn(call, async (inSlices) => {
      // Another call may have been there first.
      const found = parsed.get(sql);
      if (found !== undefined) return found;
      call.work.hold();
      const fingerprint = fingerprintOfText(sql);
      return knownByFingerprint(sql, fingerprint) ?? checkedStatement(sql, fingerprint, call, inSlices);
    });
  };

  const readOffer = async (sql: string, call: PrepareCall): Promise<Parsed | null> => {
    const statement = await inTurn(call, (inSlices) => inSlices(parseStatement(sql)));
    const outcome = await crossCheck(sql, statement.query, serializeFor(call));
    return outcome.kind === 'Agreed' ? statement : null;
  };

  return Object.freeze({ read, readOffer } satisfies StatementReader);
}
