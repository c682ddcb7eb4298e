/** Aggregates over columns of an outer query alone are that query's own (SQL:1999, 6.16), as in PostgreSQL. */
import { expect } from 'chai';
import { customers, orders } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const ANSWERED: readonly (readonly [what: string, sql: string, rows: string])[] = [
  ['in the SELECT list', 'SELECT o.customer, (SELECT MAX(o.number)) FROM shop.orders o GROUP BY o.customer ORDER BY 1', '[["c0",56],["c1",57],["c2",58],["c3",59]]'],
  ['of all rows', 'SELECT (SELECT SUM(o.number)) FROM shop.orders o', '[[1770]]'],
  ['in WHERE of the subquery', 'SELECT o.customer, (SELECT c.name FROM shop.customers c WHERE c.id = o.customer AND MAX(o.number) > 57) FROM shop.orders o GROUP BY o.customer ORDER BY 1', '[["c0",null],["c1",null],["c2","cem"],["c3","dee"]]'],
  ['in HAVING', 'SELECT o.customer FROM shop.orders o GROUP BY o.customer HAVING EXISTS (SELECT 1 FROM shop.customers c WHERE c.id = o.customer AND MAX(o.number) > 57) ORDER BY 1', '[["c2"],["c3"]]'],
  ['in ORDER BY', 'SELECT o.customer FROM shop.orders o GROUP BY o.customer ORDER BY (SELECT MAX(o.number)) DESC', '[["c3"],["c2"],["c1"],["c0"]]'],
  ['with FILTER and DISTINCT', 'SELECT o.customer, (SELECT COUNT(DISTINCT o.status) FILTER (WHERE o.number > 8)) - (SELECT COUNT(DISTINCT o.status)) AS d FROM shop.orders o GROUP BY o.customer ORDER BY 1', '[["c0",0],["c1",0],["c2",0],["c3",0]]'],
  ['GROUPING too', 'SELECT o.customer, (SELECT GROUPING(o.customer)) FROM shop.orders o GROUP BY ROLLUP (o.customer) ORDER BY 2, 1', '[["c0",0],["c1",0],["c2",0],["c3",0],[null,1]]'],
  ['of the query two levels up', `SELECT c.id, (SELECT (SELECT MAX(o.number)) FROM shop.orders o WHERE o.customer = c.id) FROM shop.customers c ORDER BY 1`, '[["c0",56],["c1",57],["c2",58],["c3",59],["c4",null]]'],
  ['not where a column of the subquery is in it, too', 'SELECT c.id, (SELECT SUM(c.x + o.number) FROM shop.orders o WHERE o.customer = c.id) FROM (SELECT id, 1 AS x FROM shop.customers) c ORDER BY 1', '[["c0",435],["c1",450],["c2",465],["c3",480],["c4",null]]'],
]; // oxfmt-ignore

const REFUSED: readonly (readonly [what: string, sql: string, said: RegExp])[] = [
  ['in WHERE of its own query', 'SELECT 1 FROM shop.orders o WHERE o.number = (SELECT MAX(o.number))', /line 1, column 54: MAX is over columns of an outer query alone.*; compute it in/],
  ['inside of another aggregate', 'SELECT SUM((SELECT MAX(o.number))) FROM shop.orders o', /line 1, column 20: MAX is over columns of an outer query alone/],
  ['beside a column that is not grouped', 'SELECT o.status, (SELECT MAX(o.number)) FROM shop.orders o', /status must appear in GROUP BY/],
]; // oxfmt-ignore

describe('an aggregate of an outer query', () => {
  let engine: TestEngine;
  before(async () => void (engine = await startTestEngine([customers(), orders()])));
  after(() => engine.close());

  for (const [what, sql, rows] of ANSWERED) {
    it(`is computed there: ${what}`, async () => {
      expect((await engine.run(sql)).json).to.equal(rows);
      expect((await engine.runScanning(sql)).json).to.equal(rows);
    });
  }

  for (const [what, sql, said] of REFUSED) {
    it(`is refused ${what}`, async () => {
      const { code, detail } = await engine.failure(sql);
      expect(code).to.equal('INVALID_QUERY');
      expect(detail).to.match(said);
    });
  }
});
