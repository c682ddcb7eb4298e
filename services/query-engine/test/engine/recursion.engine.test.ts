/**
 * WITH RECURSIVE: what PostgreSQL 15 answers, what is read for it, and how it ends where it never would.
 *
 * Takes long: recursions that never end run until a bound of work or rows ends them.
 */
import { expect } from 'chai';
import { everyOther } from '../../../common/test/support/random-budget.ts';
import { RECURSION_ROWS_MAX } from '../../src/limits.ts';
import { employees } from './employees.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const COUNTING = 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r';
const SIDES = '(VALUES (1, 2), (2, 3), (3, 1), (3, 4)) e(a, b)';

const ANSWERED: readonly (readonly [what: string, sql: string, rows: string, types?: readonly string[]])[] = [
  ['numbers', `${COUNTING} WHERE n < 5) SELECT n FROM r ORDER BY n`, '[[1],[2],[3],[4],[5]]', ['BIGINT']],
  ['no step at all', `${COUNTING} WHERE false) SELECT n FROM r`, '[[1]]'],
  ['a first part without rows', `WITH RECURSIVE r AS (SELECT 1 AS n WHERE false UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT count(*) FROM r`, '[[0]]'],
  ['names of the first part', `WITH RECURSIVE r AS (SELECT 1 AS n, 'a' AS t UNION ALL SELECT n + 1, t || n FROM r WHERE n < 3) SELECT t FROM r ORDER BY n`, '[["a"],["a1"],["a12"]]'],
  ['factorials', `WITH RECURSIVE f(n, v) AS (VALUES (1, 1) UNION ALL SELECT n + 1, v * (n + 1) FROM f WHERE n < 18) SELECT v FROM f ORDER BY n DESC LIMIT 1`, '[[6402373705728000]]'],
  ['decimals that are added exactly', `WITH RECURSIVE r(x) AS (SELECT 0.1 UNION ALL SELECT x + 0.1 FROM r WHERE x < 0.7) SELECT x FROM r ORDER BY x DESC LIMIT 1`, '[[0.7]]'],
  ['numbers that grow digits after the point with each step', `WITH RECURSIVE r(n, x) AS (SELECT 1, 1 UNION ALL SELECT n + 1, x * 1.5 FROM r WHERE n < 40) SELECT round(x, -2) FROM r ORDER BY n DESC LIMIT 1`, '[[7371600]]', ['DOUBLE']],
  ['dates', `WITH RECURSIVE d(day) AS (SELECT DATE '2026-02-27' UNION ALL SELECT CAST(day + INTERVAL '1 day' AS DATE) FROM d WHERE day < DATE '2026-03-02') SELECT day FROM d ORDER BY day`, '[["2026-02-27"],["2026-02-28"],["2026-03-01"],["2026-03-02"]]', ['DATE']],
  ['a first column of NULL', `WITH RECURSIVE r(n, before) AS (SELECT 1, NULL UNION ALL SELECT n + 1, n FROM r WHERE n < 3) SELECT n, before FROM r ORDER BY n`, '[[1,null],[2,1],[3,2]]'],
  ['values of several types', `WITH RECURSIVE r(n, v) AS (SELECT 1, 'a' UNION ALL SELECT n + 1, n FROM r WHERE n < 3) SELECT v FROM r ORDER BY n`, '[["a"],[1],[2]]'],
  ['a cycle that UNION ends', `WITH RECURSIVE r(a) AS (SELECT 1 UNION SELECT e.b FROM r JOIN ${SIDES} ON e.a = r.a) SELECT a FROM r ORDER BY a`, '[[1],[2],[3],[4]]'],
  ['paths as text', `WITH RECURSIVE r(a, path) AS (SELECT 1, '1' UNION ALL SELECT e.b, path || '>' || e.b FROM r JOIN ${SIDES} ON e.a = r.a WHERE path NOT LIKE '%' || e.b || '%') SELECT path FROM r ORDER BY LENGTH(path) DESC LIMIT 1`, '[["1>2>3>4"]]'],
  ['UNION of equal rows in the first part', `WITH RECURSIVE r(n) AS (SELECT x FROM (VALUES (1), (1)) t(x) UNION SELECT n + 1 FROM r WHERE n < 2) SELECT n FROM r ORDER BY n`, '[[1],[2]]'],
  ['a UNION before the step', `WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT 10 UNION ALL SELECT n + 1 FROM r WHERE n IN (1, 10)) SELECT n FROM r ORDER BY n`, '[[1],[2],[10],[11]]'],
  ['used twice', `${COUNTING} WHERE n < 3) SELECT a.n, b.n FROM r a JOIN r b ON b.n = a.n + 1 ORDER BY 1`, '[[1,2],[2,3]]'],
  ['in a subquery', `SELECT x, (${COUNTING} WHERE n < 4) SELECT SUM(n) FROM r) FROM (VALUES (1), (2)) t(x) ORDER BY x`, '[[1,10],[2,10]]'],
  ['after another query', `WITH RECURSIVE s AS (SELECT 3 AS last), r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r, s WHERE n < s.last) SELECT MAX(n) FROM r`, '[[3]]'],
  ['before another that names itself', `WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3), s(m) AS (SELECT 0 UNION ALL SELECT m + r.n FROM s, r WHERE m < 2) SELECT count(*), SUM(m) FROM s`, '[[7,15]]'],
  ['RECURSIVE without a query that names itself', `WITH RECURSIVE s AS (SELECT 3 AS x) SELECT x FROM s`, '[[3]]'],
  ['a window over the steps', `${COUNTING} WHERE n < 4) SELECT n, SUM(n) OVER (ORDER BY n) FROM r ORDER BY n`, '[[1,1],[2,3],[3,6],[4,10]]'],
  ['a window inside of a step', `WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + row_number() OVER (ORDER BY n) FROM r WHERE n < 3) SELECT n FROM r ORDER BY n`, '[[1],[2],[3]]'],
  ['all below one employee', `WITH RECURSIVE t(id, depth) AS (SELECT id, 0 FROM shop.staff WHERE id = 'e1' UNION ALL SELECT s.id, depth + 1 FROM t JOIN shop.staff s ON s.boss = t.id) SELECT depth, count(*) FROM t GROUP BY depth ORDER BY depth`, '[[0,1],[1,3],[2,9],[3,27]]'],
  ['all above one employee', `WITH RECURSIVE t AS (SELECT id, boss FROM shop.staff WHERE id = 'e40' UNION ALL SELECT s.id, s.boss FROM t JOIN shop.staff s ON s.id = t.boss) SELECT id FROM t ORDER BY id`, '[["e1"],["e13"],["e4"],["e40"]]'],
  ['lists inside of items', `WITH RECURSIVE t(i, tag) AS (SELECT 0, tags[0] FROM shop.staff WHERE id = 'e1' UNION ALL SELECT t.i + 1, CASE t.i WHEN 0 THEN s.tags[1] ELSE s.tags[2] END FROM t, shop.staff s WHERE s.id = 'e1' AND t.i < 2) SELECT tag FROM t ORDER BY i`, '[["a"],["b"],["c"]]'],
]; // oxfmt-ignore

const REFUSED: readonly (readonly [what: string, sql: string, message: RegExp])[] = [
  ['twice', 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT a.n + 1 FROM r a, r b) SELECT n FROM r', /r names itself twice/],
  ['in a subquery', 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT 2 WHERE EXISTS (SELECT n FROM r)) SELECT n FROM r', /in a subquery of an expression/],
  ['where it may be missing', 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT x + 1 FROM (VALUES (1)) t(x) LEFT JOIN r ON r.n = t.x) SELECT n FROM r', /outer join/],
  ['under an aggregate', 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT MAX(n) + 1 FROM r) SELECT n FROM r', /under GROUP BY or an aggregate/],
  ['in EXCEPT', 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL (SELECT 2 EXCEPT SELECT n FROM r)) SELECT n FROM r', /in EXCEPT/],
  ['without UNION', 'WITH RECURSIVE r(n) AS (SELECT n + 1 FROM r) SELECT n FROM r', /is no UNION/],
  ['with INTERSECT', 'WITH RECURSIVE r(n) AS (SELECT 1 INTERSECT SELECT n FROM r) SELECT n FROM r', /is no UNION/],
  ['with LIMIT', 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 5) SELECT n FROM r', /ORDER BY or LIMIT around a UNION/],
  ['beside another that does so', 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + m FROM r, (WITH RECURSIVE s(m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM s WHERE m < 3) SELECT m FROM s) x WHERE n < 3) SELECT n FROM r', /beside another query/],
  ['in another WITH', 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT x FROM (WITH q AS (SELECT n + 1 AS x FROM r) SELECT a.x FROM q a, q b) y) SELECT n FROM r', /in another WITH/],
  ['with a WITH of its own', 'WITH RECURSIVE r(n) AS (WITH q AS (SELECT 1 AS x) SELECT x FROM q UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r', /WITH inside of r/],
  ['of the query around it', 'SELECT (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < x) SELECT MAX(n) FROM r) FROM (VALUES (1)) t(x)', /columns of the query around it/],
]; // oxfmt-ignore

describe('WITH RECURSIVE', () => {
  let engine: TestEngine;
  before(async () => void (engine = await startTestEngine([employees()])));
  after(() => engine.close());

  for (const [what, sql, rows, types] of ANSWERED) {
    it(`computes ${what}`, async () => {
      const answer = await engine.run(sql);
      expect(answer.json).to.equal(rows);
      if (types !== undefined) expect(answer.types).to.deep.equal(types);
    });
  }

  it('reads each table once, whatever the number of steps', async () => {
    const { readUnits } = await engine.run(
      'SELECT count(boss), count(id) FROM shop.staff WHERE boss IS NOT NULL',
    );
    const answer = await engine.run(
      "WITH RECURSIVE t(id) AS (SELECT 'e1' UNION ALL SELECT s.id FROM t JOIN shop.staff s ON s.boss = t.id) SELECT count(*) FROM t",
    );
    expect(answer.rows).to.deep.equal([[40]]);
    expect(answer.readUnits).to.equal(readUnits);
  });

  it('reads by key what a step takes from a key that is written out', async () => {
    const answer = await engine.run(
      "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t JOIN shop.staff s ON s.id = 'e2' WHERE n < 9) SELECT count(*) FROM t",
    );
    expect([answer.rows, answer.readUnits]).to.deep.equal([[[9]], 0.5]);
  });

  it('is said in the plan', async () => {
    const { text } = await engine.plan(`${COUNTING} WHERE n < 5) SELECT n FROM r`);
    expect(text).to.match(/Recursion \(all\): r[^]*RecursionScan: r/);
  });

  it('is told apart from a table of the name', async () => {
    const { code } = await engine.failure(
      'WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n FROM r',
    );
    expect(code).to.equal('TABLE_NOT_FOUND');
  });

  for (const [what, sql, message] of REFUSED) {
    it(`is refused where it names itself ${what}, with what to write`, async () => {
      const { code, message: said, detail } = await engine.failure(sql);
      expect(code, said).to.equal('UNSUPPORTED_SQL');
      expect(said).to.match(message);
      expect(detail).to.match(/at line 1, column \d+: .+; .+/);
    });
  }

  for (const union of everyOther(['UNION ALL', 'UNION'])) {
    it(`ends with ${union} that never would, and names the limit`, async function () {
      this.timeout(120_000);
      const { code, message, detail } = await engine.failure(
        `WITH RECURSIVE r(n) AS (SELECT 1 ${union} SELECT n + 1 FROM r) SELECT count(*) FROM r`,
      );
      expect([code, message]).to.deep.equal([
        'EXECUTION_ERROR',
        `WITH RECURSIVE made more than ${RECURSION_ROWS_MAX.toLocaleString('en')} rows`,
      ]);
      expect(detail).to.match(/condition that ends it/);
    });
  }

  it('ends at a number that is too large, as a CAST does', async () => {
    const { code } = await engine.failure(
      'WITH RECURSIVE r(n) AS (SELECT 2 UNION ALL SELECT n * n FROM r WHERE n > 0) SELECT count(*) FROM r',
    );
    expect(code).to.equal('EXECUTION_ERROR');
  });
});
