/** generate_series and unnest in FROM: what PostgreSQL answers, and where they end. */
import { expect } from 'chai';
import { SERIES_ROWS_MAX, UNNESTED_ELEMENTS_MAX } from '../../src/limits.ts';
import { customers, orders } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const ANSWERED: readonly (readonly [what: string, sql: string, rows: string, types?: readonly string[]])[] = [
  ['numbers', 'SELECT * FROM generate_series(1, 3)', '[[1],[2],[3]]', ['BIGINT']],
  ['no numbers', 'SELECT * FROM generate_series(3, 1)', '[]'],
  ['numbers downward', 'SELECT x FROM generate_series(5, 1, -2) AS g(x) ORDER BY x DESC', '[[5],[3],[1]]'],
  ['numbers that miss the stop', 'SELECT * FROM generate_series(0, 1, 0.3)', '[[0],[0.3],[0.6],[0.9]]'],
  ['places of numbers', 'SELECT x, ordinality FROM generate_series(2, 4) WITH ORDINALITY AS g(x)', '[[2,1],[3,2],[4,3]]'],
  ['nothing of NULL', 'SELECT * FROM generate_series(1, NULL)', '[]'],
  ['an alias that names the column', 'SELECT g + 1 FROM generate_series(1, 2) g', '[[2],[3]]'],
  ['the name of the function for both', 'SELECT generate_series.generate_series FROM generate_series(1, 2)', '[[1],[2]]'],
  ['numbers at the end of BIGINT', 'SELECT * FROM generate_series(9223372036854775806, 9223372036854775807)', '[[9223372036854775806],[9223372036854775807]]'],
  ['a series between what subqueries give', 'SELECT * FROM generate_series((SELECT min(number) FROM shop.orders), (SELECT max(number) FROM shop.orders), 20)', '[[0],[20],[40]]'],
  // Each is a month after the one before.
  ['months', `SELECT d FROM generate_series(TIMESTAMP '2024-01-31', TIMESTAMP '2024-04-30', INTERVAL '1 month') d`, '[["2024-01-31T00:00:00"],["2024-02-29T00:00:00"],["2024-03-29T00:00:00"],["2024-04-29T00:00:00"]]', ['TIMESTAMP']],
  ['days downward, with places', `SELECT CAST(d AS DATE), n FROM generate_series(DATE '2024-01-03', DATE '2024-01-01', INTERVAL '-1 day') WITH ORDINALITY AS t(d, n) ORDER BY n`, '[["2024-01-03",1],["2024-01-02",2],["2024-01-01",3]]'],
  ['as many numbers as there may be', `SELECT count(*), sum(g) FROM generate_series(1, ${SERIES_ROWS_MAX}) g`, '[[1000000,500000500000]]'],
  ['as many instants as there may be', `SELECT count(*) FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-12 13:46:39', INTERVAL '1 second')`, '[[1000000]]'],
  ['a join with a series', 'SELECT g.x, o.customer FROM generate_series(1, 3) g(x) LEFT JOIN shop.orders o ON o.number = g.x ORDER BY g.x', '[[1,"c1"],[2,"c2"],[3,"c3"]]'],
  ['a full join of two', 'SELECT * FROM generate_series(1, 2) g(x) FULL JOIN generate_series(2, 3) h(x) USING (x) ORDER BY x', '[[1],[2],[3]]'],
  ['elements that are written out, with their types', 'SELECT x FROM unnest(ARRAY[1, NULL, 2.5]) u(x) ORDER BY x', '[[null],[1],[2.5]]', ['DECIMAL(2,1)']],
  ['elements of several types, with places', `SELECT v FROM unnest(ARRAY[3, 'a', NULL]) WITH ORDINALITY AS u(v, n) ORDER BY n`, '[[3],["a"],[null]]'],
  ['no elements', 'SELECT * FROM unnest(ARRAY[]) UNION ALL SELECT * FROM unnest(NULL)', '[]'],
  ['elements of a subquery', 'SELECT * FROM unnest(ARRAY(SELECT id FROM shop.customers ORDER BY id LIMIT 2)) u(x)', '[["c0"],["c1"]]'],
  ['keys for a join', `SELECT o.number FROM unnest(ARRAY['c1', 'c2']) u(v) JOIN shop.orders o ON o.customer = u.v WHERE o.number < 8 ORDER BY 1`, '[[1],[2],[5],[6]]'],
  ['elements of a column', 'SELECT c.id, tag FROM shop.customers c, unnest(c.tags) AS t(tag) WHERE c.id < $1 ORDER BY 1, 2', '[["c0","t0"],["c0","x"],["c1","t1"],["c1","x"]]'],
  ['elements of a path, with places', 'SELECT c.id, g, n FROM shop.customers c CROSS JOIN LATERAL unnest(c.address.geo) WITH ORDINALITY AS u(g, n) WHERE g > 3 ORDER BY g', '[["c3",3.5,2],["c4",4,1],["c4",4.5,2]]'],
  ['groups of elements', 'SELECT tag, count(*) FROM shop.customers, unnest(tags) AS t(tag) GROUP BY tag ORDER BY 2 DESC, 1 LIMIT 2', '[["x",5],["t0",1]]'],
  ['rows without elements, left out', 'SELECT count(*) FROM shop.customers c, unnest(c.city)', '[[0]]'],
  ['rows without elements, kept', 'SELECT c.id, u.x, u.n FROM shop.customers c LEFT JOIN unnest(c.city) WITH ORDINALITY AS u(x, n) ON TRUE WHERE c.id < $1 ORDER BY 1', '[["c0",null,null],["c1",null,null]]'],
  ['both kinds of rows', `SELECT i, x FROM (SELECT 1 AS i, ARRAY[7, NULL] AS l UNION ALL SELECT 2, ARRAY[] UNION ALL SELECT 3, NULL) t LEFT JOIN unnest(t.l) u(x) ON TRUE ORDER BY i, x`, '[[1,null],[1,7],[2,null],[3,null]]'],
  ['columns as rows', 'SELECT c.id, v, n FROM shop.customers c, unnest(ARRAY[c.id, c.name]) WITH ORDINALITY u(v, n) WHERE c.id < $1 ORDER BY 1, 3', '[["c0","c0",1],["c0","ann",2],["c1","c1",1],["c1","bob",2]]', ['VARCHAR', 'VARCHAR', 'BIGINT']],
  ['lists inside of lists', 'SELECT b.y FROM unnest(ARRAY[ARRAY[1, 2], ARRAY[3]]) a(x), unnest(a.x) b(y) ORDER BY y', '[[1],[2],[3]]'],
  ['an element and a join after it', 'SELECT c.id, o.number FROM shop.customers c CROSS JOIN unnest(ARRAY[c.id]) u(v) JOIN shop.orders o ON o.customer = u.v WHERE o.number < 3 ORDER BY 1', '[["c0",0],["c1",1],["c2",2]]'],
  ['elements that are in a table', `SELECT c.id FROM shop.customers c, unnest(c.tags) u(x) WHERE replace(u.x, 't', 'c') IN (SELECT customer FROM shop.orders) ORDER BY 1`, '[["c0"],["c1"],["c2"],["c3"]]'],
  ['elements of what a subquery asks of each row', 'SELECT c.id, x FROM shop.customers c, unnest(ARRAY(SELECT number FROM shop.orders o WHERE o.customer = c.id ORDER BY number LIMIT 1)) u(x) ORDER BY 1', '[["c0",0],["c1",1],["c2",2],["c3",3]]'],
  ['elements inside of a subquery that is asked for each row', 'SELECT c.id, (SELECT max(g) FROM shop.customers d CROSS JOIN unnest(d.address.geo) g WHERE d.id = c.id) FROM shop.customers c WHERE c.id < $1 ORDER BY 1', '[["c0",0.5],["c1",1.5]]'],
  ['elements inside of EXISTS', 'SELECT c.id FROM shop.customers c WHERE EXISTS (SELECT 1 FROM shop.orders o, unnest(ARRAY[o.status, o.customer]) u(x) WHERE o.customer = c.id AND u.x = c.id) AND c.id < $1 ORDER BY 1', '[["c0"],["c1"]]'],
  ['elements in each step of a recursion', 'WITH RECURSIVE r(d) AS (SELECT ARRAY[ARRAY[1, 2], ARRAY[3, ARRAY[4]]] AS d UNION ALL SELECT u.x FROM r CROSS JOIN unnest(r.d) u(x)) SELECT count(*) FROM r', '[[8]]'],
  ['two lists beside each other', 'SELECT count(*) FROM shop.customers c, unnest(c.tags) a, unnest(c.address.geo) b, generate_series(1, 3)', '[[60]]'],
  ['a series for each row', 'SELECT o.number, g FROM shop.orders o, generate_series(1, o.number - 2) g WHERE o.number < 5 ORDER BY 1, 2', '[[3,1],[4,1],[4,2]]', ['BIGINT', 'BIGINT']],
  ['a series for each row, and rows without one', 'SELECT o.number, g, n FROM shop.orders o LEFT JOIN LATERAL generate_series(o.number, 1, -1) WITH ORDINALITY AS s(g, n) ON TRUE WHERE o.number < 3 ORDER BY 1, 3', '[[0,null,null],[1,1,1],[2,2,1],[2,1,2]]'],
  ['decimals for each row', 'SELECT g FROM shop.orders o, generate_series(o.total, 2, 0.1) g WHERE o.number = 1', '[[1.25],[1.35],[1.45],[1.55],[1.65],[1.75],[1.85],[1.95]]'],
  ['days for each row', `SELECT CAST(d AS DATE), n FROM shop.orders o, generate_series(o.placed, CAST(o.placed AS DATE) + INTERVAL '2 days', INTERVAL '1 day') WITH ORDINALITY s(d, n) WHERE o.number = 0 ORDER BY 2`, '[["2024-01-15",1],["2024-01-16",2]]'],
  ['elements of a column of the query around', 'SELECT id, (SELECT count(*) FROM unnest(c.tags) t WHERE t = $2) FROM shop.customers c WHERE id < $1 ORDER BY 1', '[["c0",1],["c1",0]]'],
  ['elements that a condition asks for', `SELECT id FROM shop.customers WHERE EXISTS (SELECT 1 FROM unnest(tags) t WHERE t = 't3')`, '[["c3"]]'],
  ['elements in a LATERAL subquery', 'SELECT c.id, l.t FROM shop.customers c, LATERAL (SELECT t FROM unnest(c.tags) u(t) ORDER BY t DESC LIMIT 1) l WHERE c.id < $1 ORDER BY 1', '[["c0","x"],["c1","x"]]'],
  ['a series in a subquery that is asked for each row', 'SELECT number, (SELECT sum(g) FROM generate_series(1, o.number) g) FROM shop.orders o WHERE number < 4 ORDER BY 1', '[[0,null],[1,1],[2,3],[3,6]]'],
  ['elements in a SELECT list', 'SELECT id, unnest(tags) FROM shop.customers WHERE id < $1 ORDER BY 1, 2', '[["c0","t0"],["c0","x"],["c1","t1"],["c1","x"]]'],
  ['an expression of elements in a SELECT list', `SELECT unnest(tags) || '!' AS t FROM shop.customers WHERE id < $1 ORDER BY t`, '[["t0!"],["t1!"],["x!"],["x!"]]'],
  ['groups of what a SELECT list makes', 'SELECT unnest(tags) AS tag, count(*) FROM shop.customers GROUP BY tag HAVING count(*) > 1', '[["x",5]]'],
  ['groups by place', 'SELECT count(*), unnest(tags) FROM shop.customers GROUP BY 2 ORDER BY 1 DESC, 2 LIMIT 2', '[[5,"x"],[1,"t0"]]'],
  ['elements of an aggregate', 'SELECT count(*), unnest(ARRAY_AGG(number ORDER BY number)) AS n FROM shop.orders WHERE number < 3 ORDER BY n', '[[3,0],[3,1],[3,2]]'],
  ['distinct elements', 'SELECT DISTINCT unnest(address.geo) > 2 AS g FROM shop.customers ORDER BY g', '[[false],[true]]'],
  ['a series in a SELECT list', 'SELECT generate_series(1, 3) AS x ORDER BY x DESC LIMIT 2', '[[3],[2]]', ['BIGINT']],
  ['a series of columns in a SELECT list', 'SELECT number, generate_series(1, number) FROM shop.orders WHERE number < 3 ORDER BY 1, 2', '[[1,1],[2,1],[2,2]]', ['BIGINT', 'BIGINT']],
  ['elements in a SELECT list without FROM', 'SELECT unnest(ARRAY[3, 1.5]) AS e ORDER BY e', '[[1.5],[3]]', ['DECIMAL(2,1)']],
  ['elements in a SELECT list, and a window over the rows before', 'SELECT unnest(tags), row_number() OVER (ORDER BY id) AS n FROM shop.customers WHERE id < $1 ORDER BY n, 1', '[["t0",1],["x",1],["t1",2],["x",2]]'],
  ['a thousand elements of a series for each row', 'SELECT count(*), max(g) FROM shop.orders o, generate_series(o.number + 1, o.number + 1000) g', '[[60000,1059]]'],
  ['a list as long as it may be', `SELECT count(x), max(n) FROM unnest(ARRAY(SELECT g % 10 FROM generate_series(1, ${UNNESTED_ELEMENTS_MAX}) g)) WITH ORDINALITY u(x, n)`, '[[4096,4096]]'],
]; // oxfmt-ignore

const REFUSED: readonly (readonly [sql: string, code: string, said: RegExp])[] = [
  ['SELECT * FROM generate_series(1, 5, 0)', 'INVALID_QUERY', /step of generate_series is 0/],
  [`SELECT * FROM generate_series(1, ${SERIES_ROWS_MAX + 1})`, 'INVALID_QUERY', /more than 1000000 rows/],
  ['SELECT * FROM generate_series(1, (SELECT max(number) FROM shop.orders) * 99999)', 'EXECUTION_ERROR', /more than 1000000 rows/],
  ['SELECT * FROM generate_series(1, 5, (SELECT min(number) FROM shop.orders))', 'EXECUTION_ERROR', /step of generate_series is 0/],
  [`SELECT * FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-12 13:46:40', INTERVAL '1 second')`, 'EXECUTION_ERROR', /more than 1000000 rows/],
  [`SELECT * FROM generate_series(DATE '0001-01-01', DATE '9000-01-01', INTERVAL '0 day')`, 'EXECUTION_ERROR', /step of generate_series is 0/],
  [`SELECT * FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP 'infinity', INTERVAL '1 day')`, 'TYPE_ERROR', /infinite/],
  [`SELECT * FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-03-01', INTERVAL '1 month -29 days')`, 'TYPE_ERROR', /mixed signs/],
  [`SELECT * FROM generate_series(DATE '2024-01-01', DATE '2024-01-05')`, 'TYPE_ERROR', /takes a step, such as INTERVAL/],
  [`SELECT * FROM generate_series('1', '3')`, 'TYPE_ERROR', /write CAST\(x AS BIGINT\)/],
  ['SELECT * FROM generate_series(-1e308, 1e308)', 'TYPE_ERROR', /write CAST\(x AS BIGINT\)/],
  ['SELECT * FROM generate_series(1)', 'PARSE_ERROR', /a start, a stop and perhaps a step/],
  ['SELECT * FROM unnest(ARRAY[1], ARRAY[2])', 'PARSE_ERROR', /takes one list/],
  ['SELECT * FROM range(1, 3)', 'UNSUPPORTED_SQL', /tables, subqueries, generate_series, unnest, jsonb_array_elements, jsonb_each and jsonb_object_keys/],
  ['SELECT 1 FROM shop.orders o, generate_series(1, o.number * 100) g', 'EXECUTION_ERROR', /a series of more than \d+ elements for one row/],
  ['SELECT 1 FROM shop.orders o, generate_series(1, o.number * 1000000000000) g', 'EXECUTION_ERROR', /a series of more than \d+ elements for one row/],
  [`SELECT 1 FROM shop.orders o, generate_series(DATE '0001-01-01', CAST(o.placed AS DATE), INTERVAL '1 second') g`, 'EXECUTION_ERROR', /a series of more than \d+ elements for one row/],
  ['SELECT 1 FROM shop.orders o, generate_series(1, o.number, o.number - o.number) g', 'EXECUTION_ERROR', /step of generate_series is 0/],
  ['SELECT 1 FROM shop.orders o LEFT JOIN generate_series(1, o.number) g ON g = 2', 'UNSUPPORTED_SQL', /write ON TRUE/],
  [`SELECT 1 FROM shop.orders o, generate_series(1, o.status) g`, 'TYPE_ERROR', /write CAST\(x AS BIGINT\)/],
  ['SELECT generate_series(1, 1000000000000)', 'INVALID_QUERY', /line 1, column 8.*more than 1000000 rows/],
  ['SELECT unnest(tags, 1) FROM shop.customers', 'INVALID_QUERY', /UNNEST takes one list/],
  ['SELECT id FROM shop.customers WHERE unnest(tags) = id', 'UNSUPPORTED_SQL', /column 37: Unsupported SQL: UNNEST in WHERE; rows are made in FROM/],
  ['SELECT count(unnest(tags)) FROM shop.customers', 'UNSUPPORTED_SQL', /UNNEST in the aggregate COUNT/],
  ['SELECT CASE WHEN TRUE THEN unnest(tags) END FROM shop.customers', 'UNSUPPORTED_SQL', /UNNEST in CASE/],
  ['SELECT COALESCE(unnest(tags), 1) FROM shop.customers', 'UNSUPPORTED_SQL', /UNNEST in COALESCE/],
  ['SELECT unnest(tags) x FROM shop.customers QUALIFY x = id', 'INVALID_QUERY', /cannot stand in QUALIFY; filter in a query around/],
  ['SELECT unnest(tags) x FROM shop.customers ORDER BY count(x) OVER ()', 'INVALID_QUERY', /make the rows in FROM/],
  ['SELECT unnest(tags) OVER () FROM shop.customers', 'UNSUPPORTED_SQL', /UNNEST in a window/],
  ['SELECT 1 FROM shop.customers c, unnest(c.tags) u(x) JOIN shop.orders o ON o.status = u.x', 'UNSUPPORTED_SQL', /write FROM t CROSS JOIN UNNEST/],
  ['SELECT 1 FROM shop.customers c SEMI JOIN unnest(c.tags) u(x) ON TRUE', 'UNSUPPORTED_SQL', /write FROM t CROSS JOIN UNNEST/],
  [`SELECT 1 FROM shop.customers c LEFT JOIN unnest(c.tags) u(x) ON u.x = 'x'`, 'UNSUPPORTED_SQL', /write ON TRUE/],
  ['SELECT 1 FROM shop.customers c RIGHT JOIN unnest(c.tags) u(x) ON TRUE', 'COLUMN_NOT_FOUND', /c\.tags/],
  [`SELECT count(x) FROM unnest(ARRAY(SELECT 1 FROM generate_series(1, ${UNNESTED_ELEMENTS_MAX + 1}))) u(x)`, 'EXECUTION_ERROR', /list of more than 4096 elements/],
]; // oxfmt-ignore

describe('functions in FROM', () => {
  let engine: TestEngine;
  before(async () => void (engine = await startTestEngine([customers(), orders()])));
  after(() => engine.close());

  for (const [what, sql, rows, types] of ANSWERED) {
    it(`give ${what}`, async () => {
      const parameters = ['c2', ...(sql.includes('$2') ? ['t0'] : [])];
      const options = sql.includes('$1') ? { parameters } : {};
      const answer = await engine.run(sql, options);
      expect(answer.json).to.equal(rows);
      if (types !== undefined) expect(answer.types).to.deep.equal(types);
      expect((await engine.runScanning(sql, options)).json, 'scanning').to.equal(rows);
      expect(engine.disagreements).to.deep.equal([]);
    });
  }

  for (const [sql, code, said] of REFUSED) {
    it(`refuse ${sql}`, async () => {
      const error = await engine.failure(sql);
      expect(error.code).to.equal(code);
      expect(`${error.message} ${error.detail}`).to.match(said);
      expect(engine.disagreements).to.deep.equal([]);
    });
  }

  it('read a key below them as without them', async () => {
    const { readUnits } = await engine.run(`SELECT tags FROM shop.customers WHERE id = 'c1'`);
    const answer = await engine.run(
      `SELECT x FROM shop.customers c, unnest(c.tags) u(x) WHERE c.id = 'c1' AND x = 'x'`,
    );
    expect([answer.rows, answer.readUnits]).to.deep.equal([[['x']], readUnits]);
  });

  it('are said in the plan', async () => {
    const { text } = await engine.plan(
      'SELECT x, g FROM shop.customers c LEFT JOIN unnest(c.tags) u(x) ON TRUE, generate_series(1, 3) g',
    );
    expect(text).to.match(/Unnest \(left\): tags AS x/);
    expect(text).to.match(/Series: 1, 3 AS g/);
  });
});
