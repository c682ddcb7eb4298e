/** LATERAL: the rows of statements that say the same without it, and no more reads than these. */
import { expect } from 'chai';
import { customers, orders } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

/** A statement, and another that gives the same rows. */
const SAME: readonly (readonly [what: string, sql: string, plain: string])[] = [
  [
    'the last two of each',
    'SELECT c.id, l.number FROM shop.customers c CROSS JOIN LATERAL (SELECT number FROM shop.orders o WHERE o.customer = c.id ORDER BY number DESC LIMIT 2) l ORDER BY 1, 2',
    'SELECT c.id, o.number FROM shop.customers c JOIN shop.orders o ON o.customer = c.id QUALIFY ROW_NUMBER() OVER (PARTITION BY c.id ORDER BY o.number DESC) <= 2 ORDER BY 1, 2',
  ],
  [
    'the last two of one that is known by key',
    `SELECT c.id, l.number FROM shop.customers c JOIN LATERAL (SELECT number FROM shop.orders o WHERE o.customer = c.id ORDER BY number DESC LIMIT 2) l ON TRUE WHERE c.id = 'c1' ORDER BY 1, 2`,
    `SELECT c.id, o.number FROM shop.customers c JOIN shop.orders o ON o.customer = c.id WHERE c.id = 'c1' QUALIFY ROW_NUMBER() OVER (PARTITION BY c.id ORDER BY o.number DESC) <= 2 ORDER BY 1, 2`,
  ],
  [
    'a count of each, of none too',
    'SELECT c.id, l.n FROM shop.customers c, LATERAL (SELECT count(*) AS n FROM shop.orders o WHERE o.customer = c.id) l ORDER BY 1',
    'SELECT c.id, (SELECT count(*) FROM shop.orders o WHERE o.customer = c.id) FROM shop.customers c ORDER BY 1',
  ],
  [
    'an outer join on a condition above LIMIT',
    'SELECT c.id, l.number FROM shop.customers c LEFT JOIN LATERAL (SELECT number FROM shop.orders o WHERE o.customer = c.id ORDER BY number LIMIT 2) l ON l.number > 2 ORDER BY 1, 2',
    'SELECT c.id, l.number FROM shop.customers c LEFT JOIN (SELECT customer, number FROM shop.orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer ORDER BY number) <= 2) l ON l.customer = c.id AND l.number > 2 ORDER BY 1, 2',
  ],
  [
    'a condition over both sides of an outer join',
    'SELECT c.id, l.number FROM shop.customers c LEFT JOIN LATERAL (SELECT number FROM shop.orders o WHERE o.customer = c.id) l ON l.number < LENGTH(c.name) ORDER BY 1, 2',
    'SELECT c.id, o.number FROM shop.customers c LEFT JOIN shop.orders o ON o.customer = c.id AND o.number < LENGTH(c.name) ORDER BY 1, 2',
  ],
  [
    'a filter above an outer join',
    'SELECT c.id, l.number FROM shop.customers c LEFT JOIN LATERAL (SELECT number FROM shop.orders o WHERE o.customer = c.id) l ON TRUE WHERE l.number IS NULL OR l.number < 2 ORDER BY 1, 2',
    'SELECT c.id, o.number FROM shop.customers c LEFT JOIN shop.orders o ON o.customer = c.id WHERE o.number IS NULL OR o.number < 2 ORDER BY 1, 2',
  ],
  [
    'values for a row, each from the one before',
    `SELECT c.id, x.up, y.both FROM shop.customers c, LATERAL (SELECT UPPER(c.name) AS up) x, LATERAL (SELECT c.id || x.up AS "both") y ORDER BY 1`,
    'SELECT id, UPPER(name), id || UPPER(name) FROM shop.customers ORDER BY 1',
  ],
  [
    'columns as rows',
    'SELECT o.number, v.x FROM shop.orders o CROSS JOIN LATERAL (SELECT o.number AS x UNION ALL SELECT o.quantity) v WHERE o.number < 3 ORDER BY 1, 2',
    'SELECT number, number FROM shop.orders WHERE number < 3 UNION ALL SELECT number, quantity FROM shop.orders WHERE number < 3 ORDER BY 1, 2',
  ],
  [
    'values of several types',
    'SELECT o.number, l.z FROM shop.orders o, LATERAL (SELECT o.code AS z WHERE o.code = o.number) l ORDER BY 1',
    'SELECT number, code FROM shop.orders WHERE code = number ORDER BY 1',
  ],
  [
    'one inside of another',
    'SELECT c.id, l.n FROM shop.customers c, LATERAL (SELECT m.n FROM shop.orders o, LATERAL (SELECT o.number + LENGTH(c.id) AS n) m WHERE o.customer = c.id AND o.number < 8) l ORDER BY 1, 2',
    'SELECT c.id, o.number + LENGTH(c.id) FROM shop.customers c JOIN shop.orders o ON o.customer = c.id WHERE o.number < 8 ORDER BY 1, 2',
  ],
  [
    'inside of a subquery that names the query around it',
    'SELECT c.id, (SELECT count(*) FROM shop.orders o, LATERAL (SELECT o.number + 1 AS m) x WHERE o.customer = c.id AND x.m > 9) FROM shop.customers c ORDER BY 1',
    'SELECT c.id, (SELECT count(*) FROM shop.orders o WHERE o.customer = c.id AND o.number + 1 > 9) FROM shop.customers c ORDER BY 1',
  ],
  [
    'elements of a list',
    'SELECT c.id, l.k FROM shop.customers c CROSS JOIN unnest(c.tags) u(tag) CROSS JOIN LATERAL (SELECT LENGTH(u.tag) AS k) l ORDER BY 1, 2',
    'SELECT c.id, LENGTH(u.tag) FROM shop.customers c CROSS JOIN unnest(c.tags) u(tag) ORDER BY 1, 2',
  ],
  [
    'a step into a document',
    'SELECT c.id, l.street FROM shop.customers c, LATERAL (SELECT c.address.street AS street) l ORDER BY 1',
    'SELECT id, address.street FROM shop.customers ORDER BY 1',
  ],
  [
    'a page of few rows',
    'SELECT c.id, l.number FROM shop.customers c CROSS JOIN LATERAL (SELECT number FROM shop.orders o WHERE o.customer = c.id) l ORDER BY c.id, l.number LIMIT 3 OFFSET 2',
    'SELECT c.id, o.number FROM shop.customers c JOIN shop.orders o ON o.customer = c.id ORDER BY c.id, o.number LIMIT 3 OFFSET 2',
  ],
  [
    'a subquery that names nothing beside it',
    'SELECT l.k FROM LATERAL (SELECT count(*) AS k FROM shop.customers) l',
    'SELECT count(*) FROM shop.customers',
  ],
  [
    'a common table expression used twice',
    'WITH s AS (SELECT customer, number FROM shop.orders WHERE number < 9) SELECT a.number, l.n FROM s a, LATERAL (SELECT count(*) AS n FROM s b WHERE b.customer = a.customer AND b.number <= a.number) l ORDER BY 1',
    'SELECT number, count(*) OVER (PARTITION BY customer ORDER BY number) FROM shop.orders WHERE number < 9 ORDER BY 1',
  ],
]; // oxfmt-ignore

describe('LATERAL', () => {
  let engine: TestEngine;
  before(async () => void (engine = await startTestEngine([customers(), orders()])));
  after(() => engine.close());

  for (const [what, sql, plain] of SAME) {
    it(`gives ${what}`, async () => {
      const answer = await engine.run(sql);
      const expected = await engine.run(plain);
      expect(expected.rows).not.to.deep.equal([]);
      expect(answer.json).to.equal(expected.json);
      expect(answer.types).to.deep.equal(expected.types);
      expect(answer.readUnits).to.be.at.most(expected.readUnits);
      expect((await engine.runScanning(sql)).json).to.equal(expected.json);
    });
  }

  it('reads only what belongs to the rows beside it, and says so in the plan', async () => {
    const sql = `SELECT l.number FROM shop.customers c, LATERAL (SELECT number FROM shop.orders o WHERE o.customer = c.id LIMIT 1) l WHERE c.id = 'c2'`;
    const { text } = await engine.plan(sql);
    expect(text).to.match(/LateralJoin[^]*GetItem[^]*Query/);
    expect((await engine.run(sql)).readUnits).to.equal(1);
  });

  it('sees what stands before it, not what follows', async () => {
    const { code, detail } = await engine.failure('SELECT 1 FROM LATERAL (SELECT c.id) l, shop.customers c');
    expect(code).to.equal('COLUMN_NOT_FOUND');
    expect(detail).to.match(/^at line 1, column 31: /);
  });

  it('cannot keep rows of its own: RIGHT and FULL JOIN', async () => {
    for (const join of ['RIGHT', 'FULL']) {
      const sql = `SELECT 1 FROM shop.customers c ${join} JOIN LATERAL (SELECT c.id) l ON TRUE`;
      expect((await engine.failure(sql)).code).to.equal('COLUMN_NOT_FOUND');
    }
  });

  it('is refused in a SEMI JOIN, with what to write', async () => {
    const { code, detail } = await engine.failure(
      'SELECT c.id FROM shop.customers c SEMI JOIN LATERAL (SELECT c.id AS k) l ON l.k = c.id',
    );
    expect(code).to.equal('UNSUPPORTED_SQL');
    expect(detail).to.match(/^at line 1, column 45: .*WHERE EXISTS/);
  });

  it('may follow itself as often as tables may be joined', async function () {
    this.timeout(20_000);
    const of = (i: number): string => (i === 0 ? 'o.number' : `l${i - 1}.v`);
    const laterals = Array.from(
      { length: 90 },
      (_, i) =>
        `LATERAL (SELECT x.number AS v FROM shop.orders x WHERE x.number = ${of(i)} ORDER BY x.placed LIMIT 2) l${i}`,
    );
    const started = process.cpuUsage();
    const { rows } = await engine.run(`SELECT count(*) FROM shop.orders o, ${laterals.join(', ')}`);
    const { user, system } = process.cpuUsage(started);
    expect(rows).to.deep.equal([[60]]);
    expect((user + system) / 1000).to.be.lessThan(5_000);
  });
});
