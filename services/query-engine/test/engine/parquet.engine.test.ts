/** Parquet: its types, several row groups, and values that come too late to be of their column's type. */
import { expect } from 'chai';
import { oneIn } from '../../../common/test/support/random-budget.ts';
import { keySchema } from '../dynamodb/fixtures.ts';
import { comparable, readParquet } from './parquet-rows.ts';
import { readIndependently } from './parquet-reader.ts';
import { engineTable, n, s } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const ITEMS = 6_000;
/** Some ten pages of a scan, so that there are several row groups. What comes late is of the last item of all. */
const whole = engineTable(
  'events',
  keySchema('id, sk:N'),
  Array.from({ length: ITEMS }, (_, i) => ({
    id: s('p'),
    sk: n(i),
    filler: s(`${i} ${'x'.repeat(1_950)}`),
    count: n(i),
    price: n((i % 1000) / 100),
    measured: n(`0.${String((i + 1) * 7919).padStart(9, '0')}`),
    label: i === ITEMS - 1 ? n('12.5') : s(`l${i}`),
    doc: { M: { i: n(i), t: s('"ü"') } },
    flag: { BOOL: i % 2 === 0 },
    raw: { B: Buffer.from([i % 256, 1, 2]) },
    late: i === ITEMS - 1 ? n('12.5') : n(i),
    wide: i === ITEMS - 1 ? n('1234567890123456789012345') : n(i),
    kind: i === ITEMS - 1 ? s('none') : { BOOL: true },
    fine: i === ITEMS - 1 ? n('0.123456789012345') : n(`0.${String(i + 1).padStart(8, '0')}`),
  })),
  2_160,
);

/** As a registry knows it that sampled some of the first items. */
const early = engineTable('events', whole.catalog.key, whole.items.slice(0, 200));
const events = { ...whole, catalog: { ...whole.catalog, attributes: early.catalog.attributes } };

describe('Parquet', function () {
  this.timeout(240_000);
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([events]);
  });
  after(() => engine.close());

  const SAME = 'SELECT sk, count, price, measured, label, doc, flag, raw, fine FROM shop.events';

  it('has row groups as they were read, with exact types', async () => {
    const result = await engine.run(SAME, { format: 'parquet' });
    const file = await readParquet(result.bytes);
    expect(file.rows).to.have.length(ITEMS);
    expect(file.groups).to.be.within(2, 10);
    expect(Object.fromEntries(file.names.map((name, i) => [name, file.types[i]]))).to.include({
      sk: 'BIGINT',
      count: 'BIGINT',
      price: 'DECIMAL(38,2)',
      label: 'VARCHAR',
      doc: 'VARCHAR',
      flag: 'BOOLEAN',
      raw: 'BLOB',
    });
    const pages: string[] = [];
    for (let resumeIdx: number | null = 0; resumeIdx !== null;) {
      const page: Awaited<ReturnType<TestEngine['run']>> = await engine.run(SAME, {
        resumeIdx,
        maxRows: 2_500,
      });
      pages.push(page.json.slice(1, -1));
      resumeIdx = page.resumeIdx;
    }
    const other = await readIndependently(result.bytes);
    expect([other.names, other.types, other.groups]).to.deep.equal([file.names, file.types, file.groups]);
    for (const read of [file, other]) {
      const rows = comparable(read, { json: `[${pages.join(',')}]`, types: result.types });
      expect(rows.file).to.deep.equal(rows.page);
    }
  });

  it('has the rows that are wanted, across row groups', async () => {
    const sql = 'SELECT sk FROM shop.events LIMIT 2250 OFFSET 2750';
    const file = await readParquet((await engine.run(sql, { format: 'parquet' })).bytes);
    expect(file.rows.map(([sk]) => Number(sk))).to.deep.equal(
      Array.from({ length: 2250 }, (_, i) => 2750 + i),
    );
  });

  it('keeps the order of what is sorted, over many rows', async () => {
    const sql = 'SELECT filler, sk FROM shop.events ORDER BY price DESC, sk DESC';
    const file = await readParquet((await engine.run(sql, { format: 'parquet' })).bytes);
    const csv = await engine.run(sql, { format: 'csv' });
    const order = csv.text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',').at(-1));
    expect(file.rows.map(([, sk]) => String(sk))).to.deep.equal(order);
  });

  for (const [column, value, wanted, cast] of oneIn(3, [
    ['late', '12.5', 'BIGINT', 'CAST(late AS DECIMAL(38,1)) AS late'],
    ['wide', '1234567890123456789012345', 'BIGINT', 'CAST(wide AS DECIMAL(38,0)) AS wide'],
    ['kind', 'none', 'BOOLEAN', 'CAST(kind AS VARCHAR) AS kind'],
  ] as const))
    it(`ends with an error that helps where a value comes too late for its type: ${column}`, async () => {
      const failure = await engine.failure(`SELECT filler, ${column} FROM shop.events`, {
        format: 'parquet',
      });
      expect(failure.code).to.equal('EXECUTION_ERROR');
      expect(failure.message).to.include(`Column ${column} is written as ${wanted}`).and.to.include(value);
      expect(failure.detail).to.include(cast);
      const mended = await engine.run(`SELECT filler, ${cast} FROM shop.events`, { format: 'parquet' });
      const { rows } = await readParquet(mended.bytes);
      expect(String(rows.at(-1)![1])).to.equal(value);
      // A row that is not selected is no reason.
      const without = `SELECT filler, ${column} FROM shop.events WHERE sk <> ${ITEMS - 1}`;
      expect(
        (await readParquet((await engine.run(without, { format: 'parquet' })).bytes)).rows,
      ).to.have.length(ITEMS - 1);
    });

  it('names columns as JSON does, those of one name apart', async () => {
    const sql = 'SELECT sk AS a, count AS "A", sk AS a, price AS "weird "" name" FROM shop.events LIMIT 1';
    const { names } = await readParquet((await engine.run(sql, { format: 'parquet' })).bytes);
    // DuckDB's reader tells `a` and `A` apart, which are two names in the file.
    expect(names).to.deep.equal(['a', 'A_1', 'a_2', 'weird " name']);
  });
});
