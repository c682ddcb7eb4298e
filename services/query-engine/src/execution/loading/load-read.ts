/** One read into DuckDB: a table per segment, so that the order of rows is the same however the segments interleave. */
import type { ColumnBatch } from '../../dynamodb/column-batch.ts';
import type { ReadBatch } from '../../dynamodb/read-table.ts';
import type { RunSliced } from '../../scheduling/sliced-work.ts';
import type { ScanSource } from '../../duckdb-sql/sources.ts';
import { convertTo } from '../../duckdb-sql/types/convert.ts';
import { duckdbType, type SqlType } from '../../duckdb-sql/types/sql-type.ts';
import { createBatchAppender, type BatchAppender } from './append.ts';
import { APPEND_BYTES, APPEND_ROWS } from '../limits.ts';
import type { Session } from '../session/session.ts';
import { observeAll, type ColumnTypeInference } from './infer-column-type.ts';

/** A column of a loaded read, by its position. */
const storedColumn = (position: number): string => `k${position}`;

/** What is to be created for these types; a table needs a column, though the read may have none. */
function createTable(name: string, types: readonly SqlType[]): string {
  const columns = types.map((type, i) => `${storedColumn(i)} ${duckdbType(type)}`);
  return `TEMP TABLE ${name} (${columns.length === 0 ? 'none VARCHAR' : columns.join(', ')})`;
}

/**
 * Makes an empty table of these types in place of any of that name: what plan mode checks a statement against, and what
 * pages are put into one after the other. (Of rows that are deleted from a temporary table DuckDB keeps the memory as long
 * as it keeps the table.)
 */
export async function createEmpty(
  session: Session,
  name: string,
  types: readonly SqlType[],
): Promise<ScanSource> {
  await session.run(`CREATE OR REPLACE ${createTable(name, types)}`);
  return sourceOf(name, types);
}

/** A table made by `createEmpty` or loaded here. */
export function sourceOf(name: string, types: readonly SqlType[]): ScanSource {
  return { name, columns: types.map((type, i) => ({ name: storedColumn(i), type })) };
}

/** Tables of one read, by segment, all of the same types. */
interface Tables {
  readonly names: Map<number, string>;
  readonly inferences: readonly ColumnTypeInference[];
  types: SqlType[];
  /** For these types; made when it is needed. */
  appender: BatchAppender | null;
}

async function widenTypes(
  session: Session,
  tables: Tables,
  batch: ColumnBatch,
  runSliced: RunSliced,
): Promise<void> {
  for (const i of await runSliced(observeAll(tables.inferences, batch))) {
    const inference = tables.inferences[i];
    if (inference === undefined) continue;
    const from = tables.types[i] ?? inference.type;
    tables.types[i] = inference.type;
    tables.appender = null;
    if (duckdbType(from) === duckdbType(inference.type) && from.kind === inference.type.kind) continue;
    for (const table of tables.names.values()) await convertColumn(session, table, i, from, tables.types);
  }
}

/** A value becomes a mixed one by more than ALTER … USING takes: then the table is written anew. */
async function convertColumn(
  session: Session,
  table: string,
  position: number,
  from: SqlType,
  types: readonly SqlType[],
): Promise<void> {
  const target = types[position];
  if (target !== undefined && target.kind !== 'mixed') {
    const column = storedColumn(position);
    const using = convertTo({ sql: column, type: from }, target).sql;
    return session.run(`ALTER TABLE ${table} ALTER ${column} TYPE ${duckdbType(target)} USING ${using}`);
  }
  const columns = types.map((to, i) => {
    const column = storedColumn(i);
    return i === position ? `${convertTo({ sql: column, type: from }, to).sql} AS ${column}` : column;
  });
  const converted = `${table}_converted`;
  await session.run(`CREATE TEMP TABLE ${converted} AS SELECT ${columns.join(', ')} FROM ${table}`);
  await session.run(`DROP TABLE ${table}`);
  await session.run(`ALTER TABLE ${converted} RENAME TO ${table}`);
}

async function tableOf(session: Session, tables: Tables, name: string, segment: number): Promise<string> {
  const known = tables.names.get(segment);
  if (known !== undefined) return known;
  const table = `${name}s${segment}`;
  await session.run(`CREATE ${createTable(table, tables.types)}`);
  tables.names.set(segment, table);
  return table;
}

/** Batches of a segment that are still to be appended. */
interface Waiting {
  readonly batches: ColumnBatch[];
  rows: number;
  bytes: number;
}

export function bytesOf({ columns }: ColumnBatch): number {
  return columns.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Puts all batches away and says where. `name` is new in the session, and so is what infers each column's type. */
export async function loadRead(
  session: Session,
  name: string,
  inferences: readonly ColumnTypeInference[],
  batches: AsyncIterable<ReadBatch>,
  runSliced: RunSliced,
): Promise<ScanSource> {
  return unite(session, name, await load(session, name, inferences, batches, runSliced));
}

/** As `loadRead`. Null where the rows turned out to be of no use at their end: then they are dropped, and the name is new. */
export async function tryLoadRead(
  session: Session,
  name: string,
  inferences: readonly ColumnTypeInference[],
  batches: AsyncIterable<ReadBatch>,
  runSliced: RunSliced,
  isOfNoUse: () => boolean,
): Promise<ScanSource | null> {
  const loaded = await load(session, name, inferences, batches, runSliced);
  if (!isOfNoUse()) return unite(session, name, loaded);
  for (const table of loaded.tables.names.values()) await session.run(`DROP TABLE ${table}`);
  return null;
}

interface Loaded {
  readonly tables: Tables;
  readonly rows: number;
  readonly bytes: number;
}

async function load(
  session: Session,
  name: string,
  inferences: readonly ColumnTypeInference[],
  batches: AsyncIterable<ReadBatch>,
  runSliced: RunSliced,
): Promise<Loaded> {
  const types = inferences.map(({ type }) => type);
  const tables: Tables = { names: new Map(), inferences, types, appender: null };
  const waiting = new Map<number, Waiting>();
  const append = async (segment: number, together: Waiting): Promise<void> => {
    waiting.delete(segment);
    const table = await tableOf(session, tables, name, segment);
    const to = (tables.appender ??= createBatchAppender(tables.types));
    await session.append(table, function* (appender) {
      for (const batch of together.batches) yield* to.append(appender, batch);
    });
  };
  let rows = 0;
  let bytes = 0;
  for await (const { segment, batch } of batches) {
    if (batch.rowCount === 0) continue;
    rows += batch.rowCount;
    bytes += bytesOf(batch);
    // Only how many rows there are counts.
    if (inferences.length === 0) continue;
    await widenTypes(session, tables, batch, runSliced);
    const together = waiting.get(segment) ?? { batches: [], rows: 0, bytes: 0 };
    waiting.set(segment, together);
    together.batches.push(batch);
    together.rows += batch.rowCount;
    together.bytes += bytesOf(batch);
    if (together.rows >= APPEND_ROWS || together.bytes >= APPEND_BYTES) await append(segment, together);
  }
  for (const [segment, together] of waiting) await append(segment, together);
  return { tables, rows, bytes };
}

/** Gives all segments of a read, in their order, its name. */
async function unite(session: Session, name: string, { tables, rows, bytes }: Loaded): Promise<ScanSource> {
  await session.run(union(name, tables.inferences.length === 0 ? rows : null, tables));
  return { ...sourceOf(name, tables.types), rowCount: rows, bytes };
}

/** DDL of the union; `rowsOnly`: how many rows there are, where they have no columns. */
function union(name: string, rowsOnly: number | null, tables: Tables): string {
  if (rowsOnly !== null) return `CREATE TEMP VIEW ${name} AS SELECT TRUE AS none FROM range(${rowsOnly})`;
  if (tables.names.size === 0) return `CREATE ${createTable(name, tables.types)}`;
  const inOrder = [...tables.names].sort(([a], [b]) => a - b).map(([, table]) => `SELECT * FROM ${table}`);
  return `CREATE TEMP VIEW ${name} AS ${inOrder.join(' UNION ALL ')}`;
}
