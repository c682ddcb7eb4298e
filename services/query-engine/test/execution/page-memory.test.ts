import { expect } from 'chai';
import type { ResultFormat } from '../../src/execution/results/row-format.ts';
import type { Expression } from '../../src/logical/expression.ts';
import type { TestCell } from './batches.ts';
import { column, ref, runPlan, scanOf, testDatabase, testTable } from './tables.ts';

const PAGE_ROWS = 2_048;
const PAGES = 40;
const TEXT_BYTES = 250;
const MIB = 1024 * 1024;

describe('memory of pages that DuckDB computes', () => {
  const rows = Array.from({ length: PAGE_ROWS }, (_, i): TestCell[] => [
    `k${i}`,
    String(i).padStart(TEXT_BYTES, 'x'),
  ]);
  const table = testTable('wide', ['id', 'filler'], Array.from({ length: PAGES }, () => rows).flat());

  /** The most that DuckDB held before a page. */
  async function heldMb(format: ResultFormat): Promise<number> {
    const database = testDatabase();
    const { scan, c } = scanOf(table);
    const [id, filler] = [c['id']!, c['filler']!];
    const upper: Expression = { kind: 'FunctionCall', name: 'UPPER', arguments: [ref(filler)] };
    const plan = {
      kind: 'Project',
      input: scan,
      columns: [
        { column: column('id'), expression: ref(id) },
        { column: column('upper'), expression: upper },
      ],
    } as const;
    let most = 0;
    try {
      const { pagesRead } = await runPlan(database, [table], plan, {
        format,
        maxRows: Infinity,
        pageRows: PAGE_ROWS,
        onPage: async () => void (most = Math.max(most, (await database.memory()).memoryBytes)),
      });
      expect(pagesRead).to.equal(PAGES);
    } finally {
      await database.close();
    }
    return most / MIB;
  }

  for (const format of ['csv', 'parquet'] as const)
    it(`is that of some of them, however many there are (${format})`, async function () {
      this.timeout(60_000);
      expect(await heldMb(format)).to.be.lessThan(8);
    });
});
