/**
 * SQL made to hurt: each ends in an error that names what was too much, in time, and nobody else notices.
 *
 * Takes long: what is bounded is work, and each statement works until its bound.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { everyOther } from '../../../common/test/support/random-budget.ts';
import { processStat } from '@penstock/common/process/process-stat.ts';
import { until } from '../../../common/test/support/until.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { customers, orders } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

/** What a statement that nothing else ends gets before it is told to stop, milliseconds. */
const DEADLINE_MS = 1500;
/** What any statement may take of the processor at most, milliseconds: beside other processes the clock says nothing. */
const ENDED_CPU_MS_MAX = 7_500;
/** Longer than any that ends by itself takes, however slow the machine is. Milliseconds. */
const STUCK_MS = 60_000;
/**
 * What an answered one may take of the processor, on a slow machine: DuckDB cannot be stopped while it plans. Milliseconds;
 * on a quick one they take a third.
 */
const ANSWER_CPU_MS = 3_000;
/** How much the worker may grow by one statement: DuckDB's limit in these tests is 256 MB. */
const GROWTH_MB_MAX = 500;
/** And what it comes down to within seconds. */
const RESTED_MB_MAX = 350;

const times = (count: number, text: (i: number) => string, separator: string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(separator);
const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth);

/** Statements that must end in one of these errors. */
const refused: readonly (readonly [what: string, sql: string, ...codes: string[]])[] = [
  ['brackets 5000 deep', `SELECT ${nested('(', '1', ')', 5000)}`, 'UNSUPPORTED_SQL'],
  ['CASE 500 deep', `SELECT ${nested('CASE WHEN true THEN ', '1', ' END', 500)}`, 'UNSUPPORTED_SQL'],
  ['NOT 5000 deep', `SELECT ${'NOT '.repeat(5000)} true`, 'UNSUPPORTED_SQL'],
  ['subqueries 300 deep', `SELECT * FROM ${nested('(SELECT * FROM ', 'shop.orders', ') q', 300)}`, 'UNSUPPORTED_SQL'],
  ['a chain of 5000 terms', `SELECT ${times(5000, () => '1', '+')}`, 'UNSUPPORTED_SQL'],
  ['20,000 operands of IN', `SELECT id FROM shop.customers WHERE id IN (${times(20_000, () => "'x'", ',')})`, 'UNSUPPORTED_SQL'],
  ['a statement of 1 MB', `SELECT '${'x'.repeat(1_000_000)}'`, 'UNSUPPORTED_SQL'],
  ['500 joined tables', `SELECT count(*) FROM ${times(500, (i) => `shop.customers t${i}`, ', ')}`, 'UNSUPPORTED_SQL'],
  ['stars of 100 tables, again and again', `SELECT ${times(200, () => 'o.*, o.*, o.*, o.*, o.*', ', ')} FROM shop.orders o`, 'INVALID_QUERY'],
  ['CUBE of 20 columns', `SELECT count(*) FROM shop.orders GROUP BY CUBE (${times(20, (i) => `number + ${i}`, ', ')})`, 'UNSUPPORTED_SQL'],
  ['CUBE of 10 columns', `SELECT count(*) FROM shop.orders GROUP BY CUBE (${times(10, (i) => `number + ${i}`, ', ')})`, 'INVALID_QUERY'],
  ['NULLIF 60 deep', `SELECT ${nested('NULLIF(', 'total', ', 2)', 60)} FROM shop.orders`, 'INVALID_QUERY'],
  ['mixed comparisons 60 deep', `SELECT ${nested('NULLIF(', 'code', ', 2)', 60)} FROM shop.orders`, 'INVALID_QUERY'],
  ['REPEAT of a billion', `SELECT LENGTH(REPEAT('x', 1000000000))`, 'EXECUTION_ERROR'],
  ['LPAD to a billion', `SELECT LENGTH(LPAD(name, 1000000000, 'y')) FROM shop.customers`, 'EXECUTION_ERROR'],
  ['RPAD to a billion', `SELECT LENGTH(RPAD(name, 1000000000)) FROM shop.customers`, 'EXECUTION_ERROR'],
  ['REPEAT inside of REPEAT', `SELECT LENGTH(${nested('REPEAT(', "'x'", ', 60000)', 5)})`, 'EXECUTION_ERROR'],
  ['a text doubled 40 times', `WITH a0 AS (SELECT name AS t FROM shop.customers)${times(40, (i) => `, a${i + 1} AS (SELECT t || t AS t FROM a${i})`, '')} SELECT LENGTH(t) FROM a40`, 'EXECUTION_ERROR'],
  ['a text doubled by each step of a recursion', `WITH RECURSIVE r(t) AS (SELECT name FROM shop.customers UNION ALL SELECT t || t FROM r) SELECT MAX(LENGTH(t)) FROM r`, 'EXECUTION_ERROR'],
  ['rows doubled by each step of a recursion', `WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + x FROM r, (VALUES (0), (1)) v(x)) SELECT count(*) FROM r`, 'EXECUTION_ERROR'],
  ['a recursion over billions of rows a step', `WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT r.n + 1 FROM r, ${times(6, (i) => `shop.orders ${'abcdef'[i]}`, ', ')} WHERE a.placed || b.placed || c.placed || d.placed || e.placed || f.placed = 'x') SELECT count(*) FROM r`, 'CANCELLED'],
  ['three series multiplied', `SELECT count(*) FROM ${times(3, (i) => `generate_series(1, 1000000) s${i}`, ', ')} WHERE s0.s0 * s1.s1 + s2.s2 = 7.5`, 'CANCELLED'],
  ['six lists of columns multiplied', `SELECT count(*) FROM shop.orders o${times(6, (i) => ` CROSS JOIN UNNEST(ARRAY(SELECT number FROM shop.orders)) u${i}(x${i})`, '')} WHERE x0 || x1 || x2 || x3 || x4 || x5 = 'x'`, 'CANCELLED', 'RESOURCE_EXHAUSTED'],
  ['a list of a million elements', `SELECT count(x) FROM UNNEST((SELECT ARRAY_AGG(g) FROM generate_series(1, 1000000) g)) u(x)`, 'EXECUTION_ERROR'],
  ['HEX of HEX 60 times', `SELECT LENGTH(${nested('HEX(', 'name', ')', 60)}) FROM shop.customers`, 'EXECUTION_ERROR'],
  ['REPLACE that grows by thousands', `SELECT LENGTH(REPLACE(REPEAT('x', 60000), 'x', REPEAT('y', 60000)))`, 'EXECUTION_ERROR'],
  ['REGEXP_REPLACE that grows by thousands', `SELECT LENGTH(REGEXP_REPLACE(REPEAT('x', 60000), 'x', REPEAT('y', 60000), 'g'))`, 'EXECUTION_ERROR'],
  ['a pattern that explodes', `SELECT REGEXP_MATCHES(name, '${nested('(', 'a', '){1,900}', 8)}') FROM shop.customers`, 'EXECUTION_ERROR'],
  ['a cross product of billions of rows, counted', `SELECT sum(a.number * b.number) FROM ${times(7, (i) => `shop.orders ${'abcdefg'[i]}`, ', ')} WHERE a.number + b.number + c.number + d.number + e.number + f.number > g.number`, 'CANCELLED'],
  ['a cross product of billions of rows, sorted', `SELECT a.placed FROM ${times(6, (i) => `shop.orders ${'abcdef'[i]}`, ', ')} ORDER BY a.placed || f.placed, b.number`, 'CANCELLED', 'RESOURCE_EXHAUSTED'],
  ['a cross product of billions of rows, made distinct', `SELECT DISTINCT a.placed, b.number, c.number, d.number, e.number FROM ${times(6, (i) => `shop.orders ${'abcdef'[i]}`, ', ')}`, 'CANCELLED', 'RESOURCE_EXHAUSTED'],
  ['texts of millions of rows joined to one', `SELECT STRING_AGG(REPEAT(a.placed, 1000), ',') FROM shop.orders a, shop.orders b, shop.orders c`, 'CANCELLED', 'RESOURCE_EXHAUSTED', 'EXECUTION_ERROR'],
  ['lists of millions of rows', `SELECT ARRAY_AGG(a.placed || b.placed || c.placed) FROM shop.orders a, shop.orders b, shop.orders c, shop.orders d`, 'CANCELLED', 'RESOURCE_EXHAUSTED'],
  ['set operations that change 290 times', times(290, (i) => `SELECT ${i} AS n ${i % 2 === 0 ? 'UNION' : 'EXCEPT'} `, '') + 'SELECT 1 AS n', 'INVALID_QUERY'],
  ['600 comparisons of columns of several types', `SELECT count(*) FROM shop.orders WHERE ${times(600, (i) => `code = total + ${i}`, ' OR ')}`, 'INVALID_QUERY'],
  ['CASE of 1000 comparisons of several types', `SELECT CASE ${times(1000, (i) => `WHEN code = ${i} THEN ${i % 2 ? 'code' : 'total'}`, ' ')} END FROM shop.orders`, 'INVALID_QUERY'],
  ['60 joins of one value of several types', `SELECT count(*) FROM shop.orders t0 ${times(60, (i) => `JOIN shop.orders t${i + 1} ON t${i + 1}.code = t${i}.code`, ' ')}`, 'INVALID_QUERY'],
  ['600 quotients of a column of several types', `SELECT ${times(600, () => 'code', ' / ')} FROM shop.orders`, 'INVALID_QUERY'],
]; // oxfmt-ignore

/** Large, but within the limits. */
const answered: readonly (readonly [what: string, sql: string, rows: unknown])[] = [
  ['brackets 90 deep', `SELECT ${nested('(', '1', ')', 90)}`, [[1]]],
  ['a chain of 100 terms', `SELECT ${times(100, () => '1', '+')}`, [[100]]],
  ['600 texts joined', `SELECT LENGTH(${times(600, () => 'name', '||')}) FROM shop.customers WHERE id = 'c0'`, [[1800]]],
  ['an OR of 600 terms', `SELECT count(*) FROM shop.orders WHERE ${times(600, (i) => `number = ${i}`, ' OR ')}`, [[60]]],
  ['3000 keys', `SELECT name FROM shop.customers WHERE id IN (${times(3000, (i) => `'c${i + 4}'`, ', ')})`, [['eve']]],
  ['a pattern that makes others backtrack', `SELECT REGEXP_MATCHES(REPEAT('a', 60000), '(a*)*(a|a)*b')`, [[false]]],
  ['a UNION ALL of 300', times(300, (i) => `SELECT ${i} AS n`, ' UNION ALL ') + ' ORDER BY n DESC LIMIT 1', [[299]]],
  ['a UNION of 150 reads', times(150, (i) => `SELECT number + ${i} AS n FROM shop.orders`, ' UNION ') + ' ORDER BY n DESC LIMIT 1', [[208]]],
  ['an INTERSECT of 250', times(250, () => `SELECT 1 AS n`, ' INTERSECT '), [[1]]],
  ['an EXCEPT of 250', `SELECT 1 AS n EXCEPT ${times(249, (i) => `SELECT ${i + 2} AS n`, ' EXCEPT ')}`, [[1]]],
  ['a sum of 600 columns', `SELECT ${times(600, (i) => (i % 3 === 0 ? 'total' : 'number'), ' + ')} FROM shop.orders WHERE number = 2`, [[1300]]],
  ['sums and differences of 600 columns of several types', `SELECT ${times(300, () => 'code + quantity', ' - ')} FROM shop.orders WHERE number = 2`, [[4]]],
  ['a product of 600 columns', `SELECT ${times(600, () => 'number', ' * ')} FROM shop.orders WHERE number IN (0, 1) ORDER BY 1`, [[0], [1]]],
  ['an OR of 600 terms about a column of several types', `SELECT count(*) FROM shop.orders WHERE ${times(600, (i) => `code = ${i}`, ' OR ')}`, [[60]]],
  ['1000 values of several types', `SELECT count(*) FROM shop.orders WHERE code IN (${times(1000, (i) => (i % 2 ? `'${i}'` : `${i}`), ',')})`, [[60]]],
  ['99 joins of one value', `SELECT count(*) FROM shop.customers t0 ${times(99, (i) => `JOIN shop.customers t${i + 1} ON t${i + 1}.id = t${i}.id`, ' ')}`, [[5]]],
  ['20 joins of one value of several types', `SELECT count(*) FROM shop.orders t0 ${times(20, (i) => `JOIN shop.orders t${i + 1} ON t${i + 1}.code = t${i}.code`, ' ')}`, [[60]]],
  ['40 recursions, each over the one before', `WITH RECURSIVE r0(n, m) AS (SELECT 1, 1), ${times(40, (i) => `r${i + 1}(n, m) AS (SELECT 1, 1 UNION ALL SELECT r.n + 1, r.m * 1.5 FROM r${i + 1} r, r${i} p WHERE r.n < 3 AND p.n = 1)`, ', ')} SELECT count(*) FROM r40`, [[3]]],
  ['a recursion of 150 columns whose numbers grow', `WITH RECURSIVE r(${times(150, (i) => `c${i}`, ', ')}) AS (SELECT ${times(150, (i) => `${i}.5`, ', ')} UNION ALL SELECT ${times(150, (i) => `c${i} * c${(i + 1) % 150} * 1.5`, ', ')} FROM r WHERE c0 < 1000) SELECT count(*) FROM r`, [[4]]],
  ['40 joined tables', `SELECT count(*) FROM shop.customers t0 ${times(39, (i) => `JOIN shop.customers t${i + 1} ON t${i + 1}.id = t${i}.id`, ' ')}`, [[5]]],
]; // oxfmt-ignore

/** What a process has worked, milliseconds; nothing where it is gone, as some are ended by their statement. */
const cpuMsOf = (pid: number | null): number => (pid === null ? 0 : (processStat(pid)?.cpuMs ?? 0));

describe('hostile SQL', () => {
  let engine: TestEngine;
  before(async () => {
    // What its worker grows by is measured, and it may be ended.
    engine = await startTestEngine([customers(), orders()], { ownHosts: true });
    await engine.run('SELECT count(*) FROM shop.customers');
  });
  after(() => engine.close());

  for (const [what, sql, ...codes] of everyOther(refused)) {
    it(`is ended: ${what}`, async function () {
      this.timeout(90_000);
      const stop = new AbortController();
      const stopAfterMs = codes.includes('CANCELLED') ? DEADLINE_MS : STUCK_MS;
      const timer = setTimeout(() => stop.abort(new PenstockError('CANCELLED', 'stopped')), stopAfterMs);
      // What the one before held is given back, or this one would be told off for it.
      await until(() => (engine.worker().residentBytes() ?? 0) <= RESTED_MB_MAX * 2 ** 20, {
        what: 'the memory of the statement before given back',
      });
      const before = engine.worker().residentBytes() ?? 0;
      const { pid } = engine.worker();
      const workedBefore = cpuMsOf(pid);
      const running = engine.failure(sql, { signal: stop.signal });
      // Somebody else's query, while it runs.
      await wait(50);
      const { rows } = await engine.run(`SELECT name FROM shop.customers WHERE id = 'c1'`);
      const workedBeside = cpuMsOf(pid) - workedBefore;
      const failure = await running.finally(() => clearTimeout(timer));
      const grownMb = ((engine.worker().residentBytes() ?? 0) - before) / 2 ** 20;
      expect(codes, failure.message).to.include(failure.code);
      expect(failure.message.length).to.be.below(300);
      expect(cpuMsOf(pid) - workedBefore).to.be.below(ENDED_CPU_MS_MAX);
      expect(grownMb).to.be.below(GROWTH_MB_MAX);
      expect(rows).to.deep.equal([['bob']]);
      expect(workedBeside).to.be.below(ENDED_CPU_MS_MAX);
    });
  }

  for (const [what, sql, rows] of answered) {
    it(`is answered: ${what}`, async () => {
      const before = cpuMsOf(engine.worker().pid);
      expect((await engine.run(sql)).rows).to.deep.equal(rows);
      expect(cpuMsOf(engine.worker().pid) - before).to.be.below(ANSWER_CPU_MS);
    });
  }

  it('leaves an engine that answers, and no worker was ended but for one of these', async () => {
    const { rows } = await engine.run('SELECT count(*) FROM shop.orders');
    expect(rows).to.deep.equal([[60]]);
    for (const { suspects } of engine.deaths)
      expect(suspects.map(({ isCertain }) => isCertain)).to.deep.equal([true]);
  });
});
