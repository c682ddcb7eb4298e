import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { createDatabase, type Database } from '../../src/execution/session/database.ts';
import type { Column } from '../../src/logical/expression.ts';
import type { LogicalPlan } from '../../src/logical/plan.ts';
import type { TestCell } from './batches.ts';
import { ref, runPlan, scanOf, testTable } from './tables.ts';

const MIB = 1024 * 1024;
const MEMORY_MB = 64;
const TEMP_MB = 64;
/** Several times what may be held and spilled. */
const TEXTS = 600;
/** What the process may grow by: DuckDB's memory, pages of a MiB on their way, and garbage. */
const GROWTH_MB_MAX = 300;

function sortedBy(input: LogicalPlan, key: Column | undefined): LogicalPlan {
  if (key === undefined) throw new Error('no such column');
  return { kind: 'Sort', input, keys: [{ expression: ref(key), descending: false, nullsFirst: true }] };
}

describe('large texts', () => {
  let directory: string;
  let database: Database;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'penstock-texts-'));
    database = createDatabase({
      memoryMb: MEMORY_MB,
      tempDirectory: join(directory, 'spilled'),
      tempMb: TEMP_MB,
      threads: 1,
    });
  });
  after(async () => {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });

  const rows = Array.from({ length: TEXTS }, (_, i): TestCell[] => [String(i), 'x'.repeat(MIB)]);
  const table = testTable('t', ['id', 'text'], rows);
  const { scan, c } = scanOf(table);

  it('end in a named limit when they are more than may be held, and stay within it', async () => {
    const before = process.memoryUsage.rss();
    let most = before;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    const error = await runPlan(database, [table], sortedBy(scan, c['text']), {
      pageRows: 1,
      maxRows: 1,
    }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    clearInterval(timer);
    expect(error).to.be.instanceOf(PenstockError);
    expect((error as PenstockError).code).to.equal('RESOURCE_EXHAUSTED');
    expect((most - before) / MIB).to.be.below(GROWTH_MB_MAX);
    // What others do goes on.
    const few = testTable('few', ['id', 'text'], rows.slice(0, 3));
    const { scan: all, c: columns } = scanOf(few);
    expect((await runPlan(database, [few], sortedBy(all, columns['id']))).pagesRead).to.equal(1);
  }).timeout(60_000);
});
