/**
 * Whole results as Parquet, of plans whose rows come straight from one read: a few pages of items become a row group, which
 * goes out before the next pages are asked for.
 *
 * A file's types are those of its first row group. They are chosen wide enough for what samples saw besides.
 */
import type { ColumnBatch } from '../dynamodb/column-batch.ts';
import type { ScanSource } from '../duckdb-sql/sources.ts';
import { typeLabel, duckdbType, type SqlType } from '../duckdb-sql/types/sql-type.ts';
import { commonType } from '../duckdb-sql/types/common-type.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { oneStep } from '../scheduling/sliced-work.ts';
import { createBatchAppender, type BatchAppender } from './loading/append.ts';
import { expectedType, orExpected, shownTypes } from './loading/expected-types.ts';
import { inferencesOf, observeAll } from './loading/infer-column-type.ts';
import { bytesOf, createEmpty } from './loading/load-read.ts';
import { columnNamesOf } from './loading/sources.ts';
import { watched } from './loading/watch.ts';
import { createLosses } from './losses.ts';
import { NO_ROWS, PAGE_TABLE, writePageLosses, writePageQuery } from './page-rows.ts';
import { parquetType, type ParquetType } from './results/parquet/column-type.ts';
import { copyToParquet, type ParquetCopy } from './results/parquet/copy-to-parquet.ts';
import { GROUP_BYTES, GROUP_ROWS_MAX } from './results/parquet/limits.ts';
import { createParquetFile } from './results/parquet/parquet-file.ts';
import type { ResultPart } from './results/result.ts';
import { uniqueNames } from './results/row-format.ts';
import type { RunContext } from './run-context.ts';
import { openSession, type Session } from './session/session.ts';

/** Items that are in the table, and go out together. */
interface Group {
  readonly types: readonly SqlType[];
  readonly batches: BatchAppender;
  readonly rowCount: number;
  readonly bytes: number;
}

const storage = (types: readonly SqlType[]): string => types.map(duckdbType).join();

/** The types that are expected of a read's columns when more is to come: of what was read, and of what samples saw. */
function likelyTypes(plan: PhysicalPlan, types: readonly SqlType[]): readonly SqlType[] {
  const [read] = plan.reads;
  return types.map((type, i) => {
    const column = read?.columns[i];
    return read === undefined || column === undefined
      ? type
      : commonType([type, expectedType(read.table, column)]);
  });
}

type Header = Extract<ResultPart, { kind: 'header' }>;

/** What a row group is written by. */
interface Writing {
  readonly query: string;
  readonly types: readonly SqlType[];
}

/** Puts items into a table, and writes what they give as row groups. */
function createGroups(plan: PhysicalPlan, context: RunContext, session: Session) {
  const names = plan.statement.columns.map(({ name }) => name);
  const file = createParquetFile(uniqueNames(names));
  const rows = { offset: plan.execution.rows.offset, count: plan.execution.rows.count };
  let wanted: readonly ParquetType[] | null = null;
  let group: Group | null = null;
  const losses = createLosses();

  const outputs = (
    types: readonly SqlType[],
    loaded: Pick<ScanSource, 'rowCount' | 'bytes'> = NO_ROWS,
  ): Writing => {
    const { sql, columns } = writePageQuery(plan, types, loaded);
    return { query: sql, types: columns.slice(0, names.length).map(({ type }) => type) };
  };
  /** Chooses how columns are stored; says what they are shown as. `more`: rows follow that were not read yet. */
  const choose = (types: readonly SqlType[], own: readonly SqlType[], more: boolean): readonly SqlType[] => {
    const shown = shownTypes(own, () => outputs(orExpected(plan, 0, types)).types);
    let likely = shown;
    try {
      if (more) likely = outputs(likelyTypes(plan, types)).types;
    } catch {
      // What a sample saw need not fit the statement: what was read does.
    }
    wanted = likely.map((type, i) => parquetType(type.kind === 'null' ? (shown[i] ?? type) : type, more));
    return shown;
  };
  const table = async (types: readonly SqlType[]): Promise<Group> => {
    await createEmpty(session, PAGE_TABLE, types);
    return (group = { types, batches: createBatchAppender(types), rowCount: 0, bytes: 0 });
  };
  /** False where all its rows are to be left out. */
  const skip = async (query: string): Promise<boolean> => {
    if (rows.offset === 0) return true;
    const [[count] = []] = await session.rows(`SELECT count(*)::DOUBLE FROM (${query})`);
    if (Number(count) > rows.offset) return true;
    rows.offset -= Number(count);
    return false;
  };

  return {
    get rowCount() {
      return file.rowCount;
    },
    get isOver() {
      return rows.count === 0;
    },
    /** True where what is in the table should go out before the next items. */
    isFull: (types: readonly SqlType[], bytes: number): boolean =>
      group !== null &&
      group.rowCount > 0 &&
      (group.bytes + bytes > GROUP_BYTES ||
        group.rowCount >= GROUP_ROWS_MAX ||
        storage(types) !== storage(group.types)),
    async put(types: readonly SqlType[], batch: ColumnBatch): Promise<void> {
      const isSame = group !== null && storage(types) === storage(group.types);
      const into = isSame ? { ...group!, types } : await table(types);
      await session.append(PAGE_TABLE, (appender) => into.batches.append(appender, batch));
      group = { ...into, rowCount: into.rowCount + batch.rowCount, bytes: into.bytes + bytesOf(batch) };
    },
    /** Writes what is in the table; of the first, the header comes before it. */
    async *flush(types: readonly SqlType[], more: boolean): AsyncGenerator<ResultPart> {
      const { rowCount, bytes } = group ?? (await table(types));
      const stored = group?.types ?? types;
      const { query, types: own } = await context.runSpaced(
        oneStep(() => outputs(stored, { rowCount, bytes })),
      );
      if (wanted === null) {
        const shown = await context.runSpaced(oneStep(() => choose(stored, own, more)));
        yield { kind: 'header', columns: names, columnTypes: shown.map(typeLabel) } satisfies Header;
      }
      await losses.count(session, await context.runSpaced(writePageLosses(plan, stored)));
      if (await skip(query)) {
        const columns = own.map((type, i) => ({ type, wanted: wanted?.[i] ?? 'VARCHAR' }));
        const asked: ParquetCopy = { query, columns, names, groupRows: GROUP_ROWS_MAX, rows: { ...rows } };
        const before = file.rowCount;
        const copy = await copyToParquet(session, context, asked);
        try {
          for await (const batch of file.add(copy.path)) yield { kind: 'rows', ...batch };
        } finally {
          await copy.remove();
        }
        rows.offset = 0;
        rows.count -= file.rowCount - before;
      }
      await session.run(`DROP TABLE ${PAGE_TABLE}`);
      group = null;
    },
    end: (): ResultPart => ({ kind: 'rows', ...file.end() }),
    warnings: () => losses.warnings(),
  };
}

async function* groupsOf(
  plan: PhysicalPlan,
  context: RunContext,
  session: Session,
): AsyncGenerator<ResultPart> {
  const [read] = plan.reads;
  const inferences = inferencesOf(plan);
  const inferred = (): SqlType[] => inferences.map(({ type }) => type);
  const groups = createGroups(plan, context, session);
  if (read !== undefined && !groups.isOver) {
    // Leaving the loop ends what the read has under way.
    for await (const { batch } of watched(read, context, context.signal)) {
      const before = inferred();
      await context.runSliced(observeAll(inferences, batch));
      if (groups.isFull(inferred(), bytesOf(batch))) yield* groups.flush(before, true);
      if (groups.isOver) break;
      await groups.put(inferred(), batch);
    }
  }
  if (context.signal.aborted) throw context.signal.reason;
  // Of no rows at all there is a file, too; it has the types that are expected.
  yield* groups.flush(inferred(), false);
  yield groups.end();
  yield { kind: 'end', rowCount: groups.rowCount, resumeIdx: null, warnings: groups.warnings() };
}

export async function* runParquet(plan: PhysicalPlan, context: RunContext): AsyncGenerator<ResultPart> {
  const session = await openSession(context.database, {
    signal: context.signal,
    columnNames: columnNamesOf(plan.statement.plan),
    time: plan.time,
    runSliced: context.runSliced,
    enterStatement: context.enterStatement,
  });
  try {
    yield* groupsOf(plan, context, session);
  } finally {
    session.close();
  }
}
