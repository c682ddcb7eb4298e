import { expect } from 'chai';
import { budgetOf, SEED, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { seededRandom } from '../dynamodb/random.ts';
import { startTestEngine, type TestEngine, type TestQuery } from './test-engine.ts';
import { unitTables } from './units/tables.ts';

/** What an index by its name is, said of its table. */
const MEMBERS: Readonly<Record<string, { readonly columns: readonly string[]; readonly rows: string }>> = {
  'shop.tickets."by-flag"': {
    columns: ['flag', 'id', 'customer', 'owner', 'pad', 'rank', 'region', 'status', 'title'],
    rows: 'shop.tickets WHERE flag IS NOT NULL',
  },
  'shop.tickets."by-customer"': {
    columns: ['customer', 'id'],
    rows: 'shop.tickets WHERE customer IS NOT NULL',
  },
  'shop.tickets."by-region"': {
    columns: ['region', 'id', 'title'],
    rows: 'shop.tickets WHERE region IS NOT NULL',
  },
  'shop.tickets."by-status"': {
    columns: ['status', 'rank', 'id', 'customer', 'flag', 'owner', 'pad', 'region', 'title'],
    rows: 'shop.tickets WHERE status IS NOT NULL AND rank IS NOT NULL',
  },
  'shop.events."by-kind"': {
    columns: ['device', 'kind', 'tick'],
    rows: 'shop.events WHERE device IS NOT NULL AND kind IS NOT NULL',
  },
};

const VALUES: Readonly<Record<string, readonly string[]>> = {
  id: ["'t001'", "'t002'", "'t150'"],
  customer: ["'c1'", "'c2'", "'nobody'"],
  region: ["'r1'", "'r4'"],
  status: ["'open'", "'done'"],
  rank: ['3', '17', '150'],
  flag: ["'y'", "'n'"],
  title: ["'ticket 1'", "'ticket 17'"],
  device: ["'d1'", "'d2'"],
  kind: ["'a'", "'b'"],
  tick: ['1', '7'],
};

type Case = readonly [
  sql: string,
  units: number,
  operations: readonly string[],
  rows: number,
  how?: TestQuery,
];

// Sizes: units/tables.ts. Entries are as large as what is projected.
const CASES: readonly Case[] = [
  // Four entries of 1 KB.
  ['SELECT * FROM shop.tickets."by-flag"', 0.5, ['Scan'], 4],
  ['SELECT COUNT(*) FROM shop.tickets."by-flag"', 0.5, ['Scan'], 1],
  [`SELECT id FROM shop.tickets."by-flag" WHERE flag = 'y'`, 0.5, ['Query'], 4],
  // Keys of the table are no keys here: the index is what was asked for.
  [`SELECT title FROM shop.tickets."by-flag" WHERE id = 't001'`, 0.5, ['Scan'], 1],
  [`SELECT id FROM shop.tickets."by-customer" WHERE customer = 'c1'`, 0.5, ['Query'], 20],
  [`SELECT id FROM shop.tickets."by-customer" WHERE customer IN ('c1', 'c2')`, 1, ['Query', 'Query'], 40],
  [`SELECT title FROM shop.tickets."by-region" WHERE region = 'r1'`, 0.5, ['Query'], 40],
  [
    `SELECT id FROM shop.tickets."by-status" WHERE status = 'open' ORDER BY rank DESC LIMIT 3`,
    0.5,
    ['Query'],
    3,
  ],
  [`SELECT MAX(rank) FROM shop.tickets."by-status" WHERE status = 'open'`, 0.5, ['Query'], 1],
  // Eight entries of 1 KB.
  [`SELECT id FROM shop.tickets."by-status" WHERE status = 'open' AND rank < 16`, 1, ['Query'], 8],
  ['SELECT id FROM shop.tickets."by-status" LIMIT 4', 0.5, ['Scan'], 4],
  ['SELECT id FROM shop.tickets."by-status"', 25, ['Scan'], 200],
  // The four with a flag, then the ten of each owner: 10 KB, 1.5 units.
  [
    `SELECT o.id FROM shop.tickets."by-flag" f JOIN shop.tickets."by-owner" o ON o.owner = f.owner`,
    0.5 + 4 * 1.5,
    ['Scan', 'Query', 'Query', 'Query', 'Query'],
    40,
  ],
  // Named twice, read once; and beside its table.
  [
    'SELECT a.id FROM shop.tickets."by-flag" a JOIN shop.tickets."by-flag" b ON a.id = b.id',
    0.5,
    ['Scan'],
    4,
  ],
  [
    `SELECT t.title FROM shop.tickets."by-flag" f JOIN shop.tickets t ON t.id = f.id`,
    0.5 + 4 * 0.5,
    ['Scan', 'BatchGetItem'],
    4,
  ],
  ['SELECT id FROM shop.tickets."by-flag" WHERE flag IS NULL', 0, [], 0],
];

/** Generated statements. */
const QUERIES = budgetOf({ short: 50, long: 150 });

describe('an index by its name', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine(unitTables());
  });
  after(() => engine.close());

  for (const [sql, units, operations, rows, how] of CASES) {
    it(`costs ${units}: ${sql}`, async () => {
      await engine.aws.clear();
      const answer = await engine.run(sql, how);
      const requests = await engine.aws.requests();
      expect({
        units: answer.readUnits,
        logged: requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0),
        operations: requests.map(({ operation }) => operation),
        rows: answer.rows.length,
      }).to.deep.equal({ units, logged: units, operations, rows });
      const { low, high } = (await engine.plan(sql, how)).certainReadUnits;
      expect(units).to.be.within(low, high);
    });
  }

  it('has its keys, those of the table and what it projects, in this order', async () => {
    for (const [index, { columns }] of Object.entries(MEMBERS)) {
      expect((await engine.run(`SELECT * FROM ${index} LIMIT 1`)).columns, index).to.deep.equal(columns);
    }
  });

  it(`gives the rows that its table has of its items, whatever is asked (${QUERIES}, ${SEED_SHOWN})`, async function () {
    this.timeout(120_000);
    const random = seededRandom(SEED);
    const pick = <T>(values: readonly T[]): T => random.pick(values);
    const indexes = Object.entries(MEMBERS);
    for (let i = 0; i < QUERIES; i++) {
      const [index, { columns, rows }] = pick(indexes);
      const known = columns.filter((column) => column in VALUES);
      const predicate = (): string => {
        const column = pick(known);
        const value = (): string => pick(VALUES[column]!);
        return pick([
          `${column} = ${value()}`,
          `${column} IN (${value()}, ${value()})`,
          `${column} > ${value()}`,
          `${column} IS NOT NULL`,
          `NOT ${column} <= ${value()}`,
          `(${column} = ${value()} OR ${pick(known)} IS NULL)`,
        ]);
      };
      const where = pick([[], [predicate()], [predicate(), predicate()]]);
      const filter = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
      const by = pick(known);
      const tail = pick([
        (from: string) => `SELECT ${known.join(', ')} FROM ${from}${filter} ORDER BY ${known.join(', ')}`,
        (from: string) => `SELECT ${by}, COUNT(*) FROM ${from}${filter} GROUP BY ${by} ORDER BY ${by}`,
        (from: string) => `SELECT MIN(${by}), MAX(${by}), COUNT(*) FROM ${from}${filter}`,
        (from: string) =>
          `SELECT ${by} FROM ${from}${filter} ORDER BY ${by} ${pick(['DESC', 'ASC'])} LIMIT 5`,
      ]);
      const asked = tail(`${index} AS x`);
      const same = asked.replace(`${index} AS x`, () => `(SELECT ${columns.join(', ')} FROM ${rows}) AS x`);
      await engine.aws.clear();
      const answer = await engine.run(asked, { maxRows: 1000 });
      const { length: requests } = await engine.aws.requests();
      expect(answer.rows, asked).to.deep.equal((await engine.run(same, { maxRows: 1000 })).rows);
      expect(answer.rows, asked).to.deep.equal((await engine.runScanning(asked, { maxRows: 1000 })).rows);
      // Two keys are two half units. They are read though a scan of so small an index is one: it may have grown since.
      const most = Math.max((await engine.runScanning(asked)).readUnits, requests / 2);
      expect(answer.readUnits, asked).to.be.at.most(most);
    }
  });

  it('is found whatever the case, by quoted and by dashed names, and qualifies its columns', async () => {
    for (const sql of [
      'SELECT id FROM SHOP.Tickets.by-flag',
      'SELECT "by-flag".id FROM shop.tickets.BY-FLAG AS "by-flag"',
      'SELECT f.id FROM "shop"."tickets"."by-flag" f',
      'SELECT f.a FROM shop.tickets.by-flag AS f (x, a)',
      'WITH tickets AS (SELECT 1) SELECT id FROM shop.tickets.by-flag',
    ]) {
      expect((await engine.run(`${sql} ORDER BY 1`)).rows, sql).to.deep.equal([
        ['t000'],
        ['t001'],
        ['t002'],
        ['t003'],
      ]);
    }
    expect(engine.disagreements).to.deep.equal([]);
  });

  it('may be a local one that is read consistently, for twice as much', async () => {
    const sql = `SELECT COUNT(*) FROM shop.events."by-kind" WHERE device = 'd1'`;
    const [plain, consistent] = [await engine.run(sql), await engine.run(sql, { consistentRead: true })];
    expect(consistent.rows).to.deep.equal(plain.rows);
    expect(consistent.readUnits).to.equal(2 * plain.readUnits);
  });

  const failures: readonly (readonly [sql: string, message: string, detail: RegExp, how?: TestQuery])[] = [
    [
      'SELECT id FROM shop.tickets."by-flog"',
      'Index not found: shop.tickets.by-flog',
      /column 29: .*did you mean by-flag\?/,
    ],
    [
      'SELECT id FROM shop.tickets.nothing',
      'Index not found: shop.tickets.nothing',
      /has by-customer, by-flag, by-owner/,
    ],
    ['SELECT id FROM shop.wide.x', 'Index not found: shop.wide.x', /shop\.wide has no index/],
    [
      'SELECT title, status FROM shop.tickets."by-region"',
      'Column not found: status',
      /index by-region projects only region, id, title; read shop\.tickets for it/,
    ],
    ['SELECT "status" FROM shop.tickets."by-region"', 'Column not found: status', /projects only region/],
    [
      'SELECT r."status" FROM shop.tickets."by-region" r',
      'Column not found: r.status',
      /projects only region/,
    ],
    [
      'SELECT id FROM shop.tickets."by-flag"',
      'A consistent read cannot use index by-flag of shop.tickets',
      /global index.* leave consistentRead out/,
      { consistentRead: true },
    ],
    ['SELECT 1 FROM shop.tickets.a.b', 'Unsupported SQL: a table name of four parts', /schema\.table\.index/],
    [
      'SELECT 1 FROM shop.tickets."by-flag" JOIN shop.tickets."by-flag" ON true',
      'The name by-flag stands for two tables',
      /alias/,
    ],
  ];
  for (const [sql, message, detail, how] of failures) {
    it(`says what is wrong with ${sql}${how === undefined ? '' : ' consistently'}, before reading`, async () => {
      await engine.aws.clear();
      const error = await engine.failure(sql, how);
      expect(error.message).to.equal(message);
      expect(error.detail).to.match(detail);
      expect(await engine.aws.requests()).to.deep.equal([]);
    });
  }
});
