import { expect } from 'chai';
import { customers, orders } from './shop.ts';
import { emptyTable, mixed } from './odd-tables.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

describe('columns without a value', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([customers(), orders(), mixed(), emptyTable()]);
  });
  after(() => engine.close());

  for (const [sql, types] of [
    // Looked up, computed row by row, and by a query over everything.
    [`SELECT customer, number, total, quantity, code, note FROM shop.orders WHERE customer = 'zz'`, ['VARCHAR', 'BIGINT', 'DECIMAL(18,2)', 'BIGINT', 'MIXED', 'VARCHAR']],
    [`SELECT quantity, total, UPPER(note), number + 1 FROM shop.orders WHERE customer = 'zz' AND total > 1`, ['BIGINT', 'DECIMAL(18,2)', 'VARCHAR', 'BIGINT']],
    [`SELECT max(total), min(note), count(*), quantity FROM shop.orders WHERE customer = 'zz' GROUP BY quantity`, ['DECIMAL(18,2)', 'VARCHAR', 'BIGINT', 'BIGINT']],
    [`SELECT * FROM shop.customers WHERE id = 'zz'`, ['VARCHAR', 'JSON', 'VARCHAR', 'VARCHAR', 'JSON', 'BOOLEAN']],
    [`SELECT id, number FROM shop.orders, shop.customers WHERE 1 = 0`, ['VARCHAR', 'BIGINT']],
    [`SELECT total FROM shop.orders LIMIT 0`, ['DECIMAL(18,2)']],
    [`SELECT v FROM shop.mixed WHERE id = 'zz'`, ['MIXED']],
    [`SELECT o.number, c.vip FROM shop.orders o LEFT JOIN shop.customers c ON c.id = 'zz' WHERE o.customer = 'c0' AND o.number = 0`, ['BIGINT', 'BOOLEAN']],
    // Nothing is known of these.
    [`SELECT id, "nothing" FROM shop.empty`, ['VARCHAR', 'VARCHAR']],
    // What the sample expects is no reason to fail.
    [`SELECT sum(address) FROM shop.customers WHERE id = 'zz'`, ['HUGEINT']],
  ] as const) {
    it(`have the types that the sample expects in ${sql}`, async () => {
      expect((await engine.run(sql)).types).to.deep.equal(types);
    });
  } // oxfmt-ignore
});
