import { expect } from 'chai';
import type { TableScan } from '../../src/logical/plan.ts';
import { isNeverTrue } from '../../src/logical/build-expression.ts';
import { walkDeep } from '../../src/logical/visit.ts';
import { bindSql, optimizeSql } from './fixture.ts';
import { STATEMENTS } from './statements.ts';
import { optimize } from '../planning/in-one-go.ts';

const ALL = { rowsWanted: 10, pushdown: true };

/** Aliases t0 … of as many occurrences of a table. */
const ALIASES = Array.from({ length: 64 }, (_, i) => `t${i}`);

function scansOf(sql: string): readonly TableScan[] {
  const scans: TableScan[] = [];
  walkDeep(optimizeSql(sql).plan, { plan: (node) => void (node.kind === 'TableScan' && scans.push(node)) });
  return scans;
}

describe('optimize', () => {
  for (const sql of STATEMENTS) {
    it(`finds nothing more to do the second time: ${sql}`, () => {
      const once = optimize(bindSql(sql), ALL);
      expect(optimize(once, ALL).plan).to.equal(once.plan);
    });
  }

  it('tells scans only what a Filter above them still checks', () => {
    for (const sql of STATEMENTS) {
      const { plan } = optimize(bindSql(sql), ALL);
      const checked = new Set<unknown>();
      walkDeep(plan, {
        plan: (node) => {
          if (node.kind === 'Filter') for (const predicate of node.predicates) checked.add(predicate);
          if (node.kind === 'TableScan')
            expect(
              node.filter.every((one) => isNeverTrue(one) || checked.has(one)),
              sql,
            ).to.equal(true);
        },
      });
    }
  });

  it('tells scans nothing but their columns when pushdown is off', () => {
    for (const sql of [...STATEMENTS, 'SELECT name FROM customers ORDER BY id LIMIT 3'])
      walkDeep(optimize(bindSql(sql), { ...ALL, pushdown: false }).plan, {
        plan: (node) => {
          if (node.kind !== 'TableScan') return;
          expect([node.filter, node.limitHint, node.orderHint], sql).to.deep.equal([[], null, []]);
        },
      });
  });

  it('leaves the statement that it is given as it is', () => {
    for (const sql of STATEMENTS) {
      const bound = bindSql(sql);
      const before = JSON.stringify(bound);
      optimize(bound, ALL);
      expect(JSON.stringify(bound)).to.equal(before);
    }
  });

  it('binds all of 64 joined tables by one constant, whichever end it is at', () => {
    const chain = ALIASES.slice(1).map((alias, i) => `t${i}.id = ${alias}.id`);
    const from = ALIASES.map((alias) => `customers ${alias}`).join(', ');
    for (const end of ['t0', 't63']) {
      const scans = scansOf(`SELECT count(*) FROM ${from} WHERE ${chain.join(' AND ')} AND ${end}.id = 'x'`);
      expect(scans).to.have.length(64);
      expect(scans.every(({ filter }) => filter.length === 1)).to.equal(true);
    }
  });

  it('does not grow a predicate beyond measure over projections that double it', () => {
    let sql = 'SELECT age a FROM customers';
    for (let i = 0; i < 40; i++) sql = `SELECT a + a a FROM (${sql}) q${i}`;
    const [scan] = scansOf(`SELECT a FROM (${sql}) z WHERE a > 5`);
    expect(scan?.filter).to.deep.equal([]);
  });

  it('pushes a predicate through sixty derived tables', () => {
    let sql = 'SELECT age a FROM customers';
    for (let i = 0; i < 60; i++) sql = `SELECT a FROM (${sql}) q${i} WHERE a > ${i}`;
    expect(scansOf(sql)[0]?.filter).to.have.length(60);
  });
});
