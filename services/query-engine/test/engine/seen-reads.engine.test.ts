/** What the engine tells the registry of its reads. */
import { expect } from 'chai';
import type { LearnedFilter, LearnedKeys } from '../../src/catalog/table.ts';
import { engineTable, n, s } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

describe('what reads saw', function () {
  this.timeout(60_000);
  let engine: TestEngine;

  before(async () => {
    const orders = engineTable(
      'orders',
      { partitionKey: { name: 'customer', type: 'S' }, sortKey: { name: 'number', type: 'N' } },
      Array.from({ length: 60 }, (_, i) => ({
        customer: s(`secret-c${i % 6}`),
        number: n(Math.floor(i / 6)),
        total: n(i),
      })),
    );
    engine = await startTestEngine([orders]);
  });
  after(() => engine.close());

  const seen = async (
    sql: string,
    options = {},
  ): Promise<{ readonly keys: readonly LearnedKeys[]; readonly filters: readonly LearnedFilter[] }> => {
    engine.reported.length = 0;
    await engine.run(sql, options);
    // Messages of a worker come in order, and its findings come before what it is asked next.
    await engine.run('SELECT 1');
    return engine.reported.at(0)?.seen ?? { keys: [], filters: [] };
  };

  it('are keys, those without items, their items and units', async () => {
    const { keys } = await seen(
      "SELECT COUNT(*), MAX(total) FROM shop.orders WHERE customer IN ('secret-c1', 'secret-c2', 'secret-none')",
    );
    expect(keys).to.deep.equal([
      { index: null, keyColumns: ['customer'], keys: 3, missing: 1, items: 20, units: 1.5 },
    ]);
  });

  it('are whole keys that were asked for', async () => {
    const { keys } = await seen(
      "SELECT total FROM shop.orders WHERE customer = 'secret-c1' AND number IN (1, 2, 99)",
    );
    expect(keys).to.deep.equal([
      { index: null, keyColumns: ['customer', 'number'], keys: 3, missing: 1, items: 2, units: 1.5 },
    ]);
  });

  it('are items before and after a filter, without its values', async () => {
    const { filters } = await seen(
      'SELECT customer, COUNT(*) FROM shop.orders WHERE total >= 54 GROUP BY customer',
    );
    expect(filters).to.have.length(1);
    expect(filters[0]).to.include({ index: null, read: 60, passed: 6 });
    expect(filters[0]?.form).to.include('total').and.to.not.include('54');
  });

  it('are no parts of partitions, nor partitions that were not read to their ends', async () => {
    const range = await seen(
      "SELECT MAX(total) FROM shop.orders WHERE customer = 'secret-c1' AND number > 3",
    );
    expect(range.keys).to.deep.equal([]);
    const page = await seen("SELECT total FROM shop.orders WHERE customer = 'secret-c1'", { maxRows: 2 });
    expect(page.keys).to.deep.equal([]);
  });

  it('never tell a value', async () => {
    await seen("SELECT total FROM shop.orders WHERE customer = 'secret-c1' AND total = 7");
    expect(JSON.stringify(engine.reported)).to.not.match(/secret|7"/);
  });
});
