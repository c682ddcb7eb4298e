/** Reads everything, then lets DuckDB run the residual query. */
import type { PhysicalPlan } from '../physical/physical-plan.ts';
import { typeLabel } from '../physical/types/sql-type.ts';
import { writeResidual, type ScanSource } from '../physical/write/plan.ts';
import { chunkRows } from './chunk-rows.ts';
import { jsonWriter } from './json-values.ts';
import { CONCURRENT_READS_MAX } from './limits.ts';
import { loadRead } from './load-read.ts';
import { createPage } from './page.ts';
import { UNWRITABLE_WARNING, type ResultPart } from './result.ts';
import { rowJoiner } from './row-format.ts';
import type { RunContext } from './run-context.ts';
import { openSession, type Session } from './session.ts';
import { columnNamesOf, sourceFinder } from './sources.ts';
import { watched } from './watch.ts';

/** All reads, a few side by side. The first that fails ends the others. */
async function loadAll(
  plan: PhysicalPlan,
  session: Session,
  context: RunContext,
): Promise<readonly (ScanSource | undefined)[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const loaded: (ScanSource | undefined)[] = plan.reads.map(() => undefined);
  const waiting = plan.reads.entries();
  const worker = async (): Promise<void> => {
    for (const [index, read] of waiting) {
      if (signal.aborted) return;
      const batches = watched(read, context, signal);
      loaded[index] = await loadRead(session, `r${index}`, read.columns.length, batches);
    }
  };
  let first: { readonly error: unknown } | null = null;
  const workers = Array.from({ length: Math.min(CONCURRENT_READS_MAX, plan.reads.length) }, () =>
    worker().catch((error: unknown) => {
      first ??= { error };
      failed.abort(error);
    }),
  );
  await Promise.all(workers);
  // What a read says of itself tells more than the signal that ended it.
  if (first !== null) throw (first as { readonly error: unknown }).error;
  if (signal.aborted) throw signal.reason;
  return loaded;
}

export async function* runFull(plan: PhysicalPlan, context: RunContext): AsyncGenerator<ResultPart> {
  const { statement, page: asked, execution } = plan;
  const session = await openSession(context.database, {
    signal: context.signal,
    columnNames: columnNamesOf(statement.plan),
  });
  try {
    const loaded = await loadAll(plan, session, context);
    const residual = writeResidual(statement.plan, sourceFinder(plan, loaded), execution.rows);
    const names = statement.columns.map(({ name }) => name);
    const types = residual.columns.map(({ type }) => type);
    yield { kind: 'header', columns: names, columnTypes: types.map(typeLabel) };
    let unwritable = false;
    const writers = types.map((type) => jsonWriter(type, () => (unwritable = true)));
    const page = createPage(asked);
    const join = rowJoiner(context.rowFormat, names);
    pages: for await (const chunk of session.stream(residual.sql)) {
      for (const cells of chunkRows(chunk, writers)) {
        if (!page.add(join(cells))) break pages;
        const batch = page.take(false);
        if (batch !== null) yield { kind: 'rows', ...batch };
      }
    }
    const last = page.take(true);
    if (last !== null) yield { kind: 'rows', ...last };
    const warnings = unwritable ? [UNWRITABLE_WARNING] : [];
    yield { kind: 'end', rowCount: page.rowCount, resumeIdx: page.resumeIdx(), warnings };
  } finally {
    session.close();
  }
}
