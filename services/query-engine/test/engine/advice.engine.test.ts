import { expect } from 'chai';
import type { KeySchema } from '../../src/catalog/table.ts';
import { engineTable, n, s } from './shop.ts';
import type { EngineTable, TestItem } from './engine-table.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';
import { described, index, key, many, numbered, sized } from './units/tables.ts';

/** 400 items of 2 KB: 100 units. Ten of each status and customer; every third has a region and an amount. */
const SALES = many(400, (i) =>
  sized(
    {
      id: s(numbered('s', i)),
      status: s(`status ${i % 40}`),
      placed: n(1001 + i),
      customer: s(`c${i % 40}`),
      // One value is that of nine in ten items.
      kind: s(i % 10 > 0 ? 'common' : `rare ${i}`),
      ...(i % 3 === 0 ? { region: s(`r${(i / 3) % 20}`), amount: n(i + 1) } : {}),
    },
    2048,
  ),
);
/** The same in two partitions of 50 units. */
const HALVES = SALES.map((item, i) => sized({ ...item, pad: s(''), half: s(`h${i % 2}`) }, 2048));
/** 1,000 items of 200 B: 24.5 units. 33 of an owner. */
const TICKETS = many(1000, (i) =>
  sized({ id: s(numbered('t', i)), owner: s(`o${i % 30}`), title: s(`title ${i}`) }, 200),
);

const byRegion = index('byRegion', key('region', 'amount:N'));
const byStatus = index('byStatus', key('status'));
const byStatusAndPlaced = index('byStatusAndPlaced', key('status', 'placed:N'));
const byCustomer = index('byCustomer', key('customer'));
const owners = index('byOwner', key('owner'), { projection: 'KEYS_ONLY' });
const titles = index('byOwner', key('owner'), { projection: 'INCLUDE', nonKeyAttributes: ['title'] });

function table(
  name: string,
  on: KeySchema,
  items: readonly TestItem[],
  indexes: readonly ReturnType<typeof index>[] = [],
): EngineTable {
  return described(engineTable(name, on, items), indexes);
}

/** Whose index by `placed` has been found to lack items. */
function lacking(): EngineTable {
  const { items, catalog } = table('lacking', key('id'), SALES, [index('byPlaced', key('placed:N'))]);
  const indexes = catalog.indexes.map((one) => ({ ...one, coverage: 'lacking' as const }));
  return { items, catalog: { ...catalog, indexes } };
}

const TABLES = [
  lacking(),
  table('sales', key('id'), SALES, [byRegion]),
  table('of_customers', key('customer', 'placed:N'), SALES),
  table('with_status', key('id'), SALES, [byStatus]),
  table('with_placed', key('id'), SALES, [byStatusAndPlaced]),
  table('with_kind', key('id'), SALES, [index('byKind', key('kind'))]),
  table('with_both', key('id'), SALES, [byStatus, byCustomer]),
  table('of_halves', key('half', 'id'), HALVES),
  table('tickets', key('id'), TICKETS, [owners]),
  table('with_titles', key('id'), TICKETS, [titles]),
];

interface Case {
  readonly sql: string;
  /** What is advised once it was executed. */
  readonly advice: string;
  /** The statement with the advice applied, over a table that has what is to be made. */
  readonly applied: string;
  /** The same by the plan alone, where it knows less. */
  readonly planned?: { readonly advice: string; readonly applied: string };
  /** What is said of rows that would be left out. */
  readonly without?: string;
  readonly maxRows?: number;
}

const CASES: readonly Case[] = [
  {
    sql: `SELECT id, amount FROM shop.sales WHERE region = 'r3'`,
    advice: 'shop.sales: with `AND amount IS NOT NULL` index byRegion would serve',
    applied: `SELECT id, amount FROM shop.sales WHERE region = 'r3' AND amount IS NOT NULL`,
    without: 'the rows where amount is NULL',
  },
  {
    sql: `SELECT id FROM shop.sales WHERE status = 'status 4'`,
    advice: 'shop.sales: an index on status would serve',
    applied: `SELECT id FROM shop.with_status WHERE status = 'status 4'`,
  },
  {
    sql: `SELECT id FROM shop.sales WHERE status = 'status 4' AND placed < 1100`,
    advice: 'shop.sales: an index on (status, placed) would serve',
    applied: `SELECT id FROM shop.with_placed WHERE status = 'status 4' AND placed < 1100`,
    // How many were placed before is not known; what has the status is few enough.
    planned: {
      advice: 'shop.sales: an index on status would serve',
      applied: `SELECT id FROM shop.with_status WHERE status = 'status 4' AND placed < 1100`,
    },
  },
  {
    sql: `SELECT id FROM shop.with_status WHERE status = 'status 4' OR customer = 'c7'`,
    advice: 'shop.with_status: an index on customer would serve',
    applied: `SELECT id FROM shop.with_both WHERE status = 'status 4' OR customer = 'c7'`,
  },
  {
    sql: 'SELECT id FROM shop.of_customers WHERE placed > 1150',
    advice: 'shop.of_customers: bind customer, and the table would be read by its key',
    applied: `SELECT id FROM shop.of_customers WHERE placed > 1150 AND customer = 'c7'`,
    // A page that is likely to be filled is read no further than that, and tells less.
    maxRows: 1_000,
  },
  {
    sql: 'SELECT id FROM shop.sales.byRegion WHERE amount > 40',
    advice: 'shop.sales.byRegion: bind region, and index byRegion would be read by its key',
    applied: `SELECT id FROM shop.sales.byRegion WHERE amount > 40 AND region = 'r3'`,
  },
  {
    sql: 'SELECT status FROM shop.sales WHERE id = 7',
    advice: 'shop.sales: compare id with texts, which are what it holds',
    applied: `SELECT status FROM shop.sales WHERE id = 's007'`,
  },
  {
    sql: `SELECT title FROM shop.tickets WHERE owner = 'o5'`,
    advice: 'shop.tickets: if it projected title, index byOwner would serve',
    applied: `SELECT title FROM shop.with_titles WHERE owner = 'o5'`,
  },
  {
    sql: `SELECT status FROM shop.sales WHERE UPPER(id) = 'S007'`,
    advice:
      "shop.sales: `UPPER(id) = 'S007'` does not tell which values of id to read; with `id = …`, the table would be read by its key",
    applied: `SELECT status FROM shop.sales WHERE id = 's007'`,
  },
  {
    sql: `SELECT status FROM shop.sales WHERE id ILIKE 'S00%' OR id LIKE '%7'`,
    advice:
      "shop.sales: `(id ILIKE 'S00%') OR (id LIKE '%7')` does not tell which values of id to read; with `id = …`, the table would be read by its key",
    applied: `SELECT status FROM shop.sales WHERE id = 's007'`,
  },
  {
    // An index by what is meant, rather than a new one.
    sql: `SELECT id FROM shop.with_status WHERE LOWER("status") = 'status 4' AND customer = 'c4'`,
    advice:
      "shop.with_status: `LOWER(status) = 'status 4'` does not tell which values of status to read; with `status = …`, index byStatus would be read by its key",
    applied: `SELECT id FROM shop.with_status WHERE status = 'status 4' AND customer = 'c4'`,
  },
  {
    // Of a partition that is read whole, a part.
    sql: `SELECT status FROM shop.of_halves WHERE half = 'h1' AND RIGHT(id, 2) = '07'`,
    advice:
      "shop.of_halves: `RIGHT(id, 2) = '07'` does not tell which values of id to read; with `id = …`, the table would be read by its key",
    applied: `SELECT status FROM shop.of_halves WHERE half = 'h1' AND id = 's007'`,
  },
  {
    // Of a join, the table that costs.
    sql: `SELECT o.title FROM shop.sales s JOIN shop.tickets o ON o.id = s.id WHERE s.status = 'status 4'`,
    advice: 'shop.sales: an index on status would serve',
    applied: `SELECT id FROM shop.with_status WHERE status = 'status 4'`,
  },
];

const PROMISE =
  /^(.*): (at most )?about ([\d.]+) read units(?: on average)? for ([\d.]+)(?:, without (.*))?$/;

interface Promised {
  readonly what: string;
  readonly isMost: boolean;
  readonly units: number;
  readonly now: number;
  readonly without: string | undefined;
}

function promisesOf(warnings: readonly string[]): readonly Promised[] {
  return warnings.map((warning) => {
    const [, what = '', most, units = '', now = '', without] = PROMISE.exec(warning) ?? [warning, warning];
    return { what, isMost: most !== undefined, units: Number(units), now: Number(now), without };
  });
}

describe('advice', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine(TABLES);
  });
  after(() => engine.close());

  for (const { sql, advice, applied, planned = { advice, applied }, without, maxRows = 100 } of CASES) {
    it(`costs what it promised, within a factor of two, once it is applied: ${sql}`, async () => {
      const answer = await engine.run(sql, { maxRows });
      const told = promisesOf(answer.warnings);
      expect(told.map(({ what }) => what)).to.deep.equal([advice]);
      const foretold = promisesOf((await engine.plan(sql, { maxRows })).warnings);
      expect(foretold.map(({ what }) => what)).to.deep.equal([planned.advice]);
      expect([told[0]?.without, foretold[0]?.without]).to.deep.equal([without, without]);
      const { readUnits } = await engine.run(applied, { maxRows });
      const asPlanned = await engine.run(planned.applied, { maxRows });
      expect(told[0]?.isMost).to.equal(false);
      expect(told[0]?.units).to.be.within(readUnits / 2, readUnits * 2);
      const [{ units, isMost } = { units: 0, isMost: false }] = foretold;
      expect(units).to.be.within(asPlanned.readUnits / 2, isMost ? Infinity : asPlanned.readUnits * 2);
      expect(answer.readUnits).to.be.at.least(2 * Math.max(readUnits, asPlanned.readUnits));
      expect(told[0]?.now).to.be.at.most(answer.readUnits);
    });
  }

  it('is not given for a page that was filled by a few items of many', async () => {
    const { warnings, readUnits } = await engine.run(`SELECT id FROM shop.sales WHERE kind = 'common'`, {
      maxRows: 5,
    });
    expect(warnings).to.deep.equal([]);
    expect(readUnits).to.be.lessThan(10);
  });

  for (const sql of [
    // Cheap already.
    `SELECT * FROM shop.sales WHERE id = 's001'`,
    // All that is asked for is all that there is.
    'SELECT COUNT(*) FROM shop.sales',
    'SELECT SUM(amount) FROM shop.sales',
    // No change would halve it.
    'SELECT id FROM shop.sales WHERE placed > 1000',
    `SELECT id FROM shop.sales WHERE status = 'status 1' OR placed > 1100`,
    `SELECT id FROM shop.sales WHERE status IN ('status 1', 'status 2') OR kind LIKE 'com%'`,
    // There is such an index, and another would lack the same items.
    'SELECT id FROM shop.lacking WHERE placed = 1005',
    // What is asked of a key besides, where it is bound, or what reads nothing less.
    `SELECT id FROM shop.of_customers WHERE customer = 'c7' AND ABS(placed) % 2 = 0 AND LENGTH(customer) = 2`,
    // What is said of the key itself, as far as it can be.
    `SELECT id FROM shop.sales WHERE (id = 's007') IS NOT TRUE`,
    // What is cheap of a statement that costs much.
    `SELECT a.id FROM shop.sales a JOIN shop.tickets t ON t.title = a.kind WHERE t.owner = 'o5'`,
  ]) {
    it(`is not given where nothing would help: ${sql}`, async () => {
      expect((await engine.run(sql)).warnings).to.deep.equal([]);
      expect((await engine.plan(sql)).warnings).to.deep.equal([]);
    });
  }

  it('is not given for a value that most items have, or may have, once they were seen', async () => {
    for (const sql of [
      `SELECT COUNT(*) FROM shop.sales WHERE kind = 'common'`,
      `SELECT COUNT(*) FROM shop.sales WHERE kind = 'common' AND LENGTH(customer) = 4`,
      `SELECT COUNT(*) FROM shop.with_status WHERE (status = 'status 4' OR kind = 'common') AND LENGTH(customer) = 4`,
    ])
      expect((await engine.run(sql)).warnings, sql).to.deep.equal([]);
  });

  it('is not looked for where each look would take long', async () => {
    const others = Array.from({ length: 400 }, (_, i) => `'other ${i}'`);
    const sql = `SELECT id FROM shop.sales WHERE status = 'status 4' AND kind NOT IN (${others.join(', ')})`;
    expect((await engine.run(sql)).warnings).to.deep.equal([]);
  });

  it('does not speak of a global index to who reads consistently', async () => {
    const sql = `SELECT id FROM shop.sales WHERE status = 'status 4'`;
    expect((await engine.run(sql, { consistentRead: true })).warnings).to.deep.equal([]);
  });
});
