/** Whole results have the rows that pages have, in their order, digit by digit, and are read once. */
import { expect } from 'chai';
import { keySchema } from '../dynamodb/fixtures.ts';
import { customers, engineTable, n, orders, s } from './shop.ts';
import { comparable, readParquet } from './parquet-rows.ts';
import { readIndependently } from './parquet-reader.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

/** Some five pages of a scan; a number that no column of the first page's type holds comes late. */
const LONG = 3_000;
const long = engineTable(
  'long',
  keySchema('id, sk:N'),
  Array.from({ length: LONG }, (_, i) => ({
    id: s(`p${i % 7}`),
    sk: n(i),
    filler: s('x'.repeat(1_750)),
    amount: i === LONG - 1 ? n('12345678901234567890.123456789') : n(i / 4),
    ...(i % 3 === 0 ? {} : { note: i % 5 === 0 ? s('') : s(`"${i}", or\n`) }),
  })),
  1_800,
);

const STATEMENTS: readonly string[] = [
  "SELECT * FROM shop.customers WHERE id = 'c1'",
  'SELECT * FROM shop.customers',
  'SELECT name, address, tags, vip FROM shop.customers ORDER BY name DESC',
  'SELECT id, sk, amount, note FROM shop.long',
  'SELECT sk, UPPER(note) AS note FROM shop.long WHERE amount > 100',
  "SELECT sk, amount FROM shop.long WHERE id = 'p3' ORDER BY sk DESC",
  'SELECT sk, amount FROM shop.long ORDER BY amount DESC, sk',
  'SELECT sk FROM shop.long LIMIT 175 OFFSET 1250',
  'SELECT id, COUNT(*) AS n, SUM(amount) AS amount FROM shop.long GROUP BY id ORDER BY id',
  'SELECT c.name, o.total FROM shop.customers c JOIN shop.orders o ON o.customer = c.id ORDER BY 1, 2',
  "SELECT name FROM shop.customers WHERE id = 'nobody'",
  'SELECT 1 AS one, NULL AS nothing',
  'SELECT sk, SUM(amount) OVER (ORDER BY sk) AS total, -amount / 3 AS part, amount > 5 AS much FROM shop.long',
  "SELECT sk, DATE '2024-02-29' - CAST(sk % 900 AS INTEGER) AS day, TIMESTAMP '2024-02-29 23:59:59.123456' AS at, note IS NULL AS no FROM shop.long",
];

describe('whole results', function () {
  this.timeout(240_000);
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([customers(), orders(), long]);
  });
  after(() => engine.close());

  /** All rows, page by page, as JSON texts. */
  async function paged(sql: string): Promise<readonly string[]> {
    const pages: string[] = [];
    for (let resumeIdx: number | null = 0; resumeIdx !== null;) {
      const page: Awaited<ReturnType<TestEngine['run']>> = await engine.run(sql, {
        resumeIdx,
        maxRows: 2_500,
      });
      if (page.json !== '[]') pages.push(page.json.slice(1, -1));
      resumeIdx = page.resumeIdx;
    }
    return pages;
  }

  for (const sql of STATEMENTS)
    it(`have the rows of pages: ${sql}`, async () => {
      const whole = await engine.run(sql, { format: 'ndjson' });
      const lines = whole.text.split('\n');
      expect(lines.pop()).to.equal('');
      expect(lines.join(',')).to.equal((await paged(sql)).join(','));
      const one = await engine.run(sql, { maxRows: 10_000 });
      expect(whole.columns).to.deep.equal(one.columns);
      expect(whole.resumeIdx).to.equal(null);
    });

  for (const sql of STATEMENTS)
    it(`have the same rows as Parquet, as DuckDB and a reader of another kind read it back: ${sql}`, async () => {
      const whole = await engine.run(sql, { format: 'parquet' });
      const json = `[${(await paged(sql)).join(',')}]`;
      for (const read of [readParquet, readIndependently]) {
        const file = await read(whole.bytes);
        expect(file.names).to.deep.equal(whole.columns);
        const rows = comparable(file, { json, types: whole.types });
        expect(rows.file).to.deep.equal(rows.page);
      }
    });

  it('are read once, for what one scan costs', async () => {
    const whole = await engine.run('SELECT id, sk, amount FROM shop.long', { format: 'csv' });
    const { readUnits } = await engine.run('SELECT COUNT(amount) FROM shop.long');
    expect(whole.readUnits).to.be.within(readUnits, readUnits + 4);
    expect(whole.text.split('\r\n')).to.have.length(LONG + 2);
  });

  it('end with as many rows as are asked for', async () => {
    const { text, readUnits } = await engine.run('SELECT sk FROM shop.long', { format: 'csv', maxRows: 5 });
    expect(text.split('\r\n')).to.have.length(7);
    expect(readUnits).to.be.lessThan(10);
  });

  it('are CSV with a line of names, also where there are no rows', async () => {
    const none = await engine.run("SELECT name, city FROM shop.customers WHERE id = 'x'", { format: 'csv' });
    expect(none.text).to.equal('name,city\r\n');
    const some = await engine.run("SELECT name, city FROM shop.customers WHERE id = 'c3'", { format: 'csv' });
    expect(some.text).to.equal('name,city\r\ndee,\r\n');
  });
});
