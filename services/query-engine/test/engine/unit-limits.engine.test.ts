/** What a query may consume: refused before anything is read where it is certain to exceed it. */
import { expect } from 'chai';
import { keySchema } from '../dynamodb/fixtures.ts';
import { engineTable } from './shop.ts';
import type { TestItem } from './engine-table.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

describe('units of a query', function () {
  this.timeout(60_000);
  let engine: TestEngine;
  /** 100 items of 4,000 bytes in 20 partitions: 50 units or so. */
  const items = Array.from({ length: 100 }, (_, i): TestItem => {
    const filler = { S: 'x'.repeat(3_970) };
    return { pk: { S: `p${i % 20}` }, sk: { N: String(i) }, filler };
  });
  const table = engineTable('items', keySchema('pk, sk:N'), items, 4_000);
  const few = engineTable('few', keySchema('id'), [{ id: { S: 'none' } }], 10);
  const uncounted = { ...table, catalog: { ...table.catalog, tableName: 'uncounted', itemCount: 0 } };

  before(async () => {
    engine = await startTestEngine([table, few, uncounted]);
  });
  after(() => engine.close());

  const requests = async () => (await engine.aws.requests()).length;

  const refused: readonly [string, number][] = [
    ['SELECT count(filler) FROM shop.items', 20],
    ['SELECT sum(sk) FROM shop.items WHERE filler = 1', 40],
    ["SELECT count(filler) FROM shop.items WHERE (pk, sk) IN (('p0', 0), ('p1', 1), ('p2', 2))", 1],
    ["SELECT count(*) FROM shop.items WHERE pk IN ('p0', 'p1', 'p2')", 1],
    ["SELECT sk FROM shop.items WHERE pk = 'p0' AND sk = 0", 0],
    ['SELECT * FROM shop.items LIMIT 5', 0],
  ];
  for (const [sql, maxReadUnits] of refused)
    it(`are too many before anything is read: ${sql}, within ${maxReadUnits}`, async () => {
      await engine.aws.clear();
      const failure = await engine.failure(sql, { maxReadUnits });
      expect(failure.code).to.equal('READ_UNIT_LIMIT');
      expect(failure.message).to.match(
        new RegExp(
          `^The query would consume at least [0-9.]+ read units, and maxReadUnits allows ${maxReadUnits}: nothing was read$`,
        ),
      );
      expect(await requests()).to.equal(0);
    });

  it('are enough where they are just what is consumed', async () => {
    for (const sql of [
      'SELECT count(filler) FROM shop.items',
      "SELECT sk FROM shop.items WHERE pk = 'p0' AND sk = 0",
      "SELECT sk FROM shop.items WHERE (pk, sk) IN (('p0', 0), ('p1', 1), ('p2', 2))",
      "SELECT count(*) FROM shop.items WHERE pk IN ('p0', 'p1', 'p2')",
      'SELECT * FROM shop.items LIMIT 5',
      'SELECT i.sk FROM shop.few f JOIN shop.items i ON i.pk = f.id',
    ]) {
      const { readUnits } = await engine.run(sql);
      expect((await engine.run(sql, { maxReadUnits: readUnits })).readUnits, sql).to.equal(readUnits);
    }
  });

  it('stop a query that turned out to need more, however little was expected', async () => {
    const failure = await engine.failure("SELECT count(filler) FROM shop.items WHERE pk = 'p0'", {
      maxReadUnits: 1,
    });
    expect(failure.message).to.equal(
      'The query consumed more than 1 read units and was stopped: maxReadUnits allows no more',
    );
  });

  it('are not guessed: a table that was not counted is read until they are consumed', async () => {
    await engine.aws.clear();
    const { readUnits } = await engine.run('SELECT count(filler) FROM shop.uncounted', { maxReadUnits: 60 });
    expect(readUnits).to.be.within(45, 60);
    const failure = await engine.failure('SELECT count(filler) FROM shop.uncounted', { maxReadUnits: 20 });
    expect(failure.message).to.match(/was stopped/);
  });

  it('are shown by plan mode whatever the limit', async () => {
    expect((await engine.plan('SELECT count(filler) FROM shop.items')).text).to.include('Scan');
  });
});
