/** The whole engine over tables in the local AWS endpoint; only the registry is played. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { CatalogTable } from '../../src/catalog/table.ts';
import { createCatalog } from '../../src/clients/catalog.ts';
import type { NewAttributes } from '../../src/execution/loading/new-attributes.ts';
import { createEngine, type Engine } from '../../src/engine.ts';
import { createAdmission } from '../../src/scheduling/admission.ts';
import type { RowFormat } from '../../src/execution/results/row-format.ts';
import { createThreadShares } from '../../src/execution/thread-share.ts';
import { TENANT_SHARE_PERCENT } from '../../src/limits.ts';
import { createUnitMeter } from '../../src/execution/unit-meter.ts';
import { createTranslationWorker } from '../../src/parser/dialects/worker/translation-worker.ts';
import type { CrossCheckOutcome } from '../../src/parser/cross-check.ts';
import { startTestAws } from '../dynamodb/aws.ts';
import { classBounds } from '../scheduling/class-bounds.ts';
import { testDatabase } from '../execution/tables.ts';
import { createTable } from './create-table.ts';

export type TestItem = Readonly<Record<string, AttributeValue>>;

export interface EngineTable {
  readonly catalog: CatalogTable;
  readonly items: readonly TestItem[];
}

export interface TestQuery {
  readonly maxRows?: number;
  readonly resumeIdx?: number;
  readonly parameters?: unknown;
  readonly rowFormat?: RowFormat;
  readonly maxReadUnits?: number;
  readonly signal?: AbortSignal;
  readonly consistentRead?: boolean;
}

export interface TestAnswer {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  /** The rows' JSON text. */
  readonly json: string;
  readonly rows: readonly unknown[];
  readonly resumeIdx: number | null;
  readonly readUnits: number;
  readonly warnings: readonly string[];
}

const foldCase = (name: string): string => name.toLowerCase();

export type TestEngine = Awaited<ReturnType<typeof startTestEngine>>;

export async function startTestEngine(tables: readonly EngineTable[]) {
  const aws = await startTestAws();
  for (const { catalog, items } of tables) await createTable(aws.client, catalog, items);
  await aws.clear();
  const database = testDatabase();
  const disagreements: CrossCheckOutcome[] = [];
  const reported: NewAttributes[] = [];
  const catalog = createCatalog({
    resolve: async (_, references) =>
      references.map(({ schema, table }) => {
        const found = tables.find(
          ({ catalog: known }) =>
            foldCase(known.tableName) === foldCase(table) &&
            (schema === null || foldCase(known.schemaName) === foldCase(schema)),
        );
        if (found !== undefined) return { kind: 'table', table: found.catalog };
        const message = `Table not found: ${schema}.${table}`;
        return { kind: 'error', error: new PenstockError('TABLE_NOT_FOUND', message) };
      }),
    report: async (_, found) => void reported.push(found),
  });
  const translations = createTranslationWorker();
  const parts = {
    database,
    translations,
    catalog,
    clients: { clientFor: async () => aws.client },
    admission: createAdmission(classBounds()),
    shares: createThreadShares({
      poolThreads: 4,
      tenantSharePercent: TENANT_SHARE_PERCENT,
      admission: { runningShort: 0 },
    }),
    onDisagreement: (_: string, outcome: CrossCheckOutcome) => void disagreements.push(outcome),
  };
  const engine = createEngine(parts);
  const scanning = createEngine({ ...parts, pushdown: false });

  const call = (signal = new AbortController().signal) => ({
    tenantId: 'tenant-1',
    token: 'token',
    requestId: 'request-1',
    signal,
  });
  const requestOf = (sql: string, options: TestQuery) => ({
    sql,
    parametersJson: options.parameters === undefined ? '' : JSON.stringify(options.parameters),
    firstRowIdx: options.resumeIdx ?? 0,
    maxRows: options.maxRows ?? 1000,
    consistentRead: options.consistentRead ?? false,
  });

  const runOn = async (on: Engine, sql: string, options: TestQuery = {}): Promise<TestAnswer> => {
    const meter = createUnitMeter(options.maxReadUnits ?? null);
    const { rowFormat = 'array' } = options;
    let answer: TestAnswer = {
      columns: [],
      types: [],
      json: '',
      rows: [],
      resumeIdx: null,
      readUnits: 0,
      warnings: [],
    };
    const decoder = new TextDecoder();
    for await (const part of on.execute(requestOf(sql, options), call(options.signal), {
      rowFormat,
      meter,
    })) {
      if (part.kind === 'header') answer = { ...answer, columns: part.columns, types: part.columnTypes };
      else if (part.kind === 'rows') {
        const comma = answer.json === '' ? '' : ',';
        answer = { ...answer, json: `${answer.json}${comma}${decoder.decode(part.json)}` };
      } else
        answer = { ...answer, resumeIdx: part.resumeIdx, readUnits: part.readUnits, warnings: part.warnings };
    }
    const json = `[${answer.json}]`;
    return { ...answer, json, rows: JSON.parse(json) as unknown[] };
  };

  return {
    aws,
    disagreements,
    reported,
    run: (sql: string, options?: TestQuery) => runOn(engine, sql, options),
    /** With every table scanned whole. */
    runScanning: (sql: string, options?: TestQuery) => runOn(scanning, sql, options),
    plan: (sql: string, options: TestQuery = {}) =>
      engine.plan(requestOf(sql, options), call(options.signal)),
    /** The error that a query ends with. */
    failure: async (sql: string, options?: TestQuery): Promise<PenstockError> => {
      try {
        await runOn(engine, sql, options);
      } catch (error) {
        if (error instanceof PenstockError) return error;
        throw error;
      }
      throw new Error(`the query did not fail: ${sql}`);
    },
    async close() {
      await translations.close();
      await database.close();
      await aws.close();
    },
  };
}
