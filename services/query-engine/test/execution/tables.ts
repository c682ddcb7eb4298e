/** In-memory tables and a runner for hand-made plans. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogTable } from '../../src/catalog/table.ts';
import type { ReadBatch } from '../../src/dynamodb/read-table.ts';
import type { TableRead } from '../../src/dynamodb/table-read.ts';
import { runInOneGo } from '../../src/scheduling/sliced-work.ts';
import { createDatabase, type Database } from '../../src/execution/session/database.ts';
import type { ResultFormat, RowFormat } from '../../src/execution/results/row-format.ts';
import { runQuery } from '../../src/execution/run-query.ts';
import type { Column, Expression } from '../../src/logical/expression.ts';
import { outputColumns } from '../../src/logical/output.ts';
import type { LogicalPlan, TableScan } from '../../src/logical/plan.ts';
import { batchOf, type TestCell } from './batches.ts';
import { readingToTheEnd } from '../../src/planning/read-to-the-end.ts';
import { planQuery } from '../planning/in-one-go.ts';

export interface TestTable {
  readonly catalog: CatalogTable;
  readonly names: readonly string[];
  readonly rows: readonly (readonly TestCell[])[];
}

export function testDatabase(memoryMb = 256): Database {
  return createDatabase({
    memoryMb,
    tempDirectory: join(tmpdir(), `penstock-test-${process.pid}`),
    tempMb: 512,
    threads: 1,
  });
}

/** The first name is the partition key, of type S. */
export function testTable(
  tableName: string,
  names: readonly string[],
  rows: readonly (readonly TestCell[])[],
): TestTable {
  const key = { partitionKey: { name: names[0] ?? 'id', type: 'S' as const }, sortKey: null };
  const catalog: CatalogTable = {
    version: '1',
    schemaName: 'shop',
    tableName,
    access: { roleArn: 'r', externalId: 'e', region: 'us-east-1', tableAllowlist: [] },
    key,
    indexes: [],
    itemCount: rows.length,
    sizeBytes: rows.length * 100,
    attributes: [],
    sampledItems: 0,
  };
  return { catalog, names, rows };
}

let nextId = 1;

export function column(name: string): Column {
  return { id: nextId++, name };
}

export function ref(of: Column): Expression {
  return { kind: 'ColumnReference', column: of };
}

export function num(text: string | number): Expression {
  return { kind: 'Literal', value: { type: 'number', text: String(text) } };
}

export function text(value: string): Expression {
  return { kind: 'Literal', value: { type: 'text', value } };
}

/** A scan of some of a table's columns, and these by name. */
export function scanOf(
  table: TestTable,
  names: readonly string[] = table.names,
): { readonly scan: TableScan; readonly c: Readonly<Record<string, Column>> } {
  const columns = names.map((name) => ({ ...column(name), path: [name] }));
  return {
    scan: {
      kind: 'TableScan',
      table: table.catalog,
      alias: table.catalog.tableName,
      columns,
      filter: [],
      limitHint: null,
      orderHint: [],
    },
    c: Object.fromEntries(columns.map((entry) => [entry.name, entry])),
  };
}

/** Reads everything, in one segment. */
export function scanRead(scan: TableScan): TableRead {
  return {
    kind: 'TableRead',
    table: scan.table,
    alias: scan.alias,
    path: { kind: 'Scan', index: null, segments: 1 },
    filter: null,
    projection: null,
    isExact: false,
    countOnly: scan.columns.length === 0,
    consistent: false,
    columns: scan.columns,
    stopAfter: scan.limitHint,
    pageLimit: null,
    firstPageItems: null,
    ordered: scan.orderHint.length === 0,
    prefetch: scan.limitHint === null,
    estimate: { rows: scan.table.itemCount, units: 1, low: 1, high: 1 },
    reason: 'test',
    assumption: null,
    warnings: [],
  };
}

export interface TestRun {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  /** The rows' JSON text. */
  readonly json: string;
  readonly resumeIdx: number | null;
  readonly warnings: readonly string[];
  readonly pagesRead: number;
}

export interface RunOptions {
  readonly maxRows?: number;
  readonly resumeIdx?: number;
  readonly pageRows?: number;
  readonly signal?: AbortSignal;
  readonly rowFormat?: RowFormat;
  readonly chooseRead?: (scan: TableScan) => TableRead;
  readonly segments?: number;
  readonly format?: ResultFormat;
  /** Awaited before each page. */
  readonly onPage?: () => Promise<void>;
}

/** What lies below a cell: of documents the value at the steps, of anything else nothing. */
function below(cell: TestCell, steps: readonly (string | number)[]): TestCell {
  if (steps.length === 0) return cell;
  if (typeof cell !== 'object' || cell === null || !('json' in cell)) return undefined;
  let value = JSON.parse(cell.json) as unknown;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return typeof value === 'object' && value !== null ? { json: JSON.stringify(value) } : (value as TestCell);
}

/** Runs a plan over the tables' rows, a few to a page. */
export async function runPlan(
  database: Database,
  tables: readonly TestTable[],
  plan: LogicalPlan,
  options: RunOptions = {},
): Promise<TestRun> {
  const physical = planQuery(
    { plan, columns: outputColumns(plan), warnings: [], columnCount: 0, star: null, others: 0 },
    {
      firstRowIdx: options.resumeIdx ?? 0,
      maxRows: options.maxRows ?? 1000,
      chooseRead: options.chooseRead ?? scanRead,
    },
  );
  let pagesRead = 0;
  async function* read(wanted: TableRead): AsyncGenerator<ReadBatch> {
    const table = tables.find(({ catalog }) => catalog === wanted.table);
    if (table === undefined) throw new Error('no such test table');
    const pageRows = options.pageRows ?? 3;
    for (let start = 0; start < table.rows.length; start += pageRows) {
      await options.onPage?.();
      pagesRead++;
      const rows = table.rows.slice(start, start + pageRows);
      const wide = rows.map((row) =>
        wanted.columns.map(({ path: [attribute, ...steps] }) =>
          below(row[table.names.indexOf(String(attribute))], steps),
        ),
      );
      yield {
        segment: (pagesRead * 7) % (options.segments ?? 1),
        batch: batchOf(wide, wanted.columns.length),
      };
      await Promise.resolve();
    }
  }
  let json = '';
  let header = { columns: [] as readonly string[], columnTypes: [] as readonly string[] };
  let end = { resumeIdx: null as number | null, warnings: [] as readonly string[] };
  const signal = options.signal ?? new AbortController().signal;
  for await (const part of runQuery(physical, {
    database,
    chooseRead: readingToTheEnd(options.chooseRead ?? scanRead),
    read,
    signal,
    rowFormat: options.rowFormat ?? 'array',
    format: options.format ?? 'json',
    runSliced: runInOneGo,
    runSpaced: runInOneGo,
    unitsLeft: () => Infinity,
    enterStatement: async () => () => undefined,
  })) {
    if (part.kind === 'header') header = part;
    else if (part.kind === 'rows') json += (json === '' ? '' : ',') + new TextDecoder().decode(part.json);
    else end = part;
  }
  return {
    columns: header.columns,
    types: header.columnTypes,
    json: `[${json}]`,
    resumeIdx: end.resumeIdx,
    warnings: end.warnings,
    pagesRead,
  };
}
