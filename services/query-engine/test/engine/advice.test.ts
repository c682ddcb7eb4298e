import { expect } from 'chai';
import type { KeySchema } from '../../src/catalog/table.ts';
import { engineTable, n, s } from './shop.ts';
import { startTestEngine, type EngineTable, type TestEngine } from './test-engine.ts';
import { described, index, key, sized } from './units/tables.ts';

const ITEMS = Array.from({ length: 300 }, (_, i) =>
  sized(
    {
      id: s(`s${String(i).padStart(3, '0')}`),
      status: s(`status ${i % 30}`),
      placed: n(1000 + i),
      customer: s(`c${i % 30}`),
      ...(i % 3 === 0 ? { region: s(`r${i % 15}`), amount: n(i) } : {}),
    },
    1024,
  ),
);
const byRegion = index('byRegion', key('region', 'amount:N'));
const narrow = index('byCustomer', key('customer'), { projection: 'INCLUDE', nonKeyAttributes: ['placed'] });

/** 300 items of 1 KB, 37.5 units. */
function sales(name: string, on: KeySchema, indexes: readonly ReturnType<typeof index>[]): EngineTable {
  const table = engineTable(name, on, ITEMS);
  const distinct = (attribute: string): number =>
    new Set(ITEMS.map((item) => JSON.stringify(item[attribute as 'id']))).size;
  const attributes = table.catalog.attributes.map((one) => ({ ...one, distinctValues: distinct(one.name) }));
  return described({ ...table, catalog: { ...table.catalog, attributes, sampledItems: ITEMS.length } }, indexes);
}

const TABLES = [
  sales('sales', key('id'), [byRegion, narrow]),
  sales('of_customers', key('customer', 'placed:N'), []),
  sales('with_status', key('id'), [index('byStatus', key('status'))]),
  sales('with_placed', key('id'), [index('byStatusAndPlaced', key('status', 'placed:N'))]),
  sales('with_both', key('id'), [index('byStatus', key('status')), index('byCustomer', key('customer'))]),
];

interface Case {
  readonly sql: string;
  readonly advice: RegExp;
  /** The statement with the advice applied, over a table that has what is to be made. */
  readonly applied: string;
}

const CASES: readonly Case[] = [
  {
    sql: `SELECT id, amount FROM shop.sales WHERE region = 'r3'`,
    advice: /^shop\.sales costs about 37\.5 read units: with `AND amount IS NOT NULL` index byRegion would serve, for about ([\d.]+)$/,
    applied: `SELECT id, amount FROM shop.sales WHERE region = 'r3' AND amount IS NOT NULL`,
  },
  {
    sql: `SELECT id FROM shop.sales WHERE status = 'status 4'`,
    advice: /an index on status would serve, for about ([\d.]+)$/,
    applied: `SELECT id FROM shop.with_status WHERE status = 'status 4'`,
  },
  {
    sql: `SELECT id FROM shop.sales WHERE status = 'status 4' AND placed < 1100`,
    advice: /an index on \(status, placed\) would serve, for about ([\d.]+)$/,
    applied: `SELECT id FROM shop.with_placed WHERE status = 'status 4' AND placed < 1100`,
  },
  {
    sql: `SELECT id FROM shop.with_status WHERE status = 'status 4' OR customer = 'c7'`,
    advice: /an index on customer would serve, for about ([\d.]+)$/,
    applied: `SELECT id FROM shop.with_both WHERE status = 'status 4' OR customer = 'c7'`,
  },
  {
    sql: 'SELECT id FROM shop.of_customers WHERE placed > 1250',
    advice: /bind customer, and the table is read by its sort key placed, for about ([\d.]+)$/,
    applied: `SELECT id FROM shop.of_customers WHERE placed > 1250 AND customer = 'c7'`,
  },
  {
    sql: `SELECT id FROM shop.sales WHERE id = 7`,
    advice: /compare id with texts, which it holds, for about ([\d.]+)$/,
    applied: `SELECT id FROM shop.sales WHERE id = 's007'`,
  },
];

describe('advice', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine(TABLES);
  });
  after(() => engine.close());

  for (const { sql, advice, applied } of CASES) {
    it(`costs what it promised, within a factor of two, once it is applied: ${sql}`, async () => {
      const answer = await engine.run(sql);
      expect(answer.warnings).to.have.length(1);
      const [warning = ''] = answer.warnings;
      expect(warning).to.match(advice);
      expect((await engine.plan(sql)).warnings).to.have.length(1);
      const promised = Number(advice.exec(warning)?.[1]);
      const { readUnits } = await engine.run(applied);
      expect(readUnits).to.be.within(promised / 2, promised * 2);
      expect(answer.readUnits).to.be.at.least(2 * readUnits);
    });
  }

  for (const sql of [
    // Cheap already.
    `SELECT * FROM shop.sales WHERE id = 's001'`,
    // All that is asked for is all that there is.
    'SELECT COUNT(*) FROM shop.sales',
    // No change would halve it.
    'SELECT id FROM shop.sales WHERE placed > 1000',
    `SELECT id FROM shop.sales WHERE status = 'status 1' OR placed > 1100`,
    // Its index was named.
    'SELECT id FROM shop.sales.byRegion WHERE amount > 3',
  ]) {
    it(`is not given where nothing would help: ${sql}`, async () => {
      expect((await engine.run(sql)).warnings).to.deep.equal([]);
      expect((await engine.plan(sql)).warnings).to.deep.equal([]);
    });
  }
});
