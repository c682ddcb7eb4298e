/** Reads in order that may not be enough: rows are those of a scan, whatever is missing from the index or fails a filter. */
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { budgetOf, SEED, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { seededRandom } from '../dynamodb/random.ts';
import { n, s } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';
import { orderedTables } from './units/ordered-tables.ts';
import { sized } from './units/tables.ts';

const QUERIES = budgetOf({ short: 40, long: 150, variable: 'ORDERED_QUERIES' });
const DAY_MS = 24 * 60 * 60 * 1000;
/** What the certain reads cost: the tables of parcels and of crates, an account's payments. */
const PARCELS_UNITS = 100;
const CRATES_UNITS = 50;
const ACCOUNT_UNITS = 25;

describe('reads in order that may not be enough', function () {
  this.timeout(240_000);
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine(orderedTables());
  });
  afterEach(() => engine.aws.faults([]));
  after(() => engine.close());

  async function walk(sql: string, maxRows: number): Promise<readonly unknown[]> {
    const rows: unknown[] = [];
    for (let resumeIdx = 0; ;) {
      const page = await engine.run(sql, { maxRows, resumeIdx });
      rows.push(...page.rows);
      if (page.resumeIdx === null) return rows;
      expect(page.resumeIdx).to.equal(rows.length);
      ({ resumeIdx } = page);
    }
  }

  it('give every page of one result, also behind the rows that the index has', async () => {
    for (const sql of [
      `SELECT seq, amount FROM shop.payments WHERE account = 'a3' ORDER BY amount DESC LIMIT 7`,
      `SELECT seq, amount FROM shop.payments WHERE account = 'a1' ORDER BY amount DESC LIMIT 7 OFFSET 1`,
      `SELECT id, weight FROM shop.parcels WHERE depot = 'd1' AND state = 'late' ORDER BY weight DESC LIMIT 9`,
      `SELECT id, weight FROM shop.parcels WHERE depot = 'd1' AND kind = 'fragile' ORDER BY weight DESC LIMIT 7`,
    ]) {
      const whole = await engine.runScanning(sql);
      for (const maxRows of [2, 3, 100]) expect(await walk(sql, maxRows), sql).to.deep.equal(whole.rows);
    }
  });

  it('are left for the scan where too few rows pass, after a tenth of its units', async () => {
    for (const state of ['NONE', 'LATE']) {
      const sql = `SELECT id FROM shop.crates WHERE yard = 'y' AND weight > 0 AND upper(state) = '${state}' ORDER BY weight LIMIT 3`;
      const { rows, readUnits } = await engine.run(sql);
      expect(rows).to.deep.equal((await engine.runScanning(sql)).rows);
      expect(readUnits).to.be.within(1.1 * CRATES_UNITS, 1.15 * CRATES_UNITS);
    }
  });

  it('are left where what has to be computed fails for a row that nobody asked for', async () => {
    const sql = `SELECT id FROM shop.parcels WHERE depot = 'd1' AND weight > 0 AND CAST(state AS INTEGER) = 1 ORDER BY weight LIMIT 3`;
    const failure = await engine.failure(sql);
    expect(failure.code).to.be.oneOf(['EXECUTION_ERROR', 'TYPE_ERROR']);
  });

  it('are shown in plans with what they fall back on', async () => {
    const { text } = await engine.plan(
      `SELECT seq FROM shop.payments WHERE account = 'a1' ORDER BY amount DESC LIMIT 3`,
    );
    expect(text).to.include('Query shop.payments index by-amount');
    expect(text).to.include('otherwise, where it has fewer than 3 rows: Query shop.payments');
    const filtered = await engine.plan(
      `SELECT id FROM shop.crates WHERE yard = 'y' AND weight > 0 AND state = 'due' ORDER BY weight LIMIT 3`,
    );
    expect(filtered.text).to.include(
      'otherwise, where it is projected to cost more before 3 rows pass: Scan shop.crates',
    );
  });

  it(`give the rows of a scan for statements at random, within their bound (${QUERIES}, ${SEED_SHOWN})`, async () => {
    const random = seededRandom(SEED);
    const filters = [
      '',
      ` AND kind = 'fragile'`,
      ` AND state = 'late'`,
      ` AND upper(kind) = 'PLAIN'`,
      ` AND weight % 7 = 3`,
    ];
    const tags = [
      '',
      ` AND label = 'l3'`,
      ` AND seq > 150`,
      ` AND length(label) = 2 AND seq < 20`,
      ` AND amount % 5 < 2`,
    ];
    for (let i = 0; i < QUERIES; i++) {
      const direction = random.pick(['', ' DESC', ' DESC NULLS LAST', ' NULLS LAST', ' DESC NULLS FIRST']);
      const limit = `LIMIT ${random.pick([1, 2, 5, 12, 40, 150])}${random.pick(['', ' OFFSET 3'])}`;
      const isParcels = random.chance(0.5);
      const sql = isParcels
        ? `SELECT id, weight, state FROM shop.parcels WHERE depot = 'd${random.int(5)}'${random.pick(['', ' AND weight > 1100'])}${random.pick(filters)} ORDER BY weight${direction} ${limit}`
        : `SELECT seq, amount, label FROM shop.payments WHERE account = 'a${random.int(5)}'${random.pick(tags)} ORDER BY amount${direction} ${limit}`;
      const shown = random.chance(0.3)
        ? `SELECT count(*), min(x.${isParcels ? 'id' : 'seq'}) FROM (${sql}) x`
        : sql;
      const { rows, readUnits } = await engine.run(shown, { maxRows: 1000 });
      expect(rows, shown).to.deep.equal((await engine.runScanning(shown, { maxRows: 1000 })).rows);
      const certain = isParcels ? PARCELS_UNITS : ACCOUNT_UNITS;
      expect(readUnits, shown).to.be.at.most(2.25 * certain + 8);
    }
  });

  it('give rows as they are now where the index lags, each once and as many as are wanted', async () => {
    const put = (id: string, weight: number | null) =>
      engine.aws.client.send(
        new PutItemCommand({
          TableName: 'parcels',
          Item: sized(
            {
              id: s(id),
              depot: s('d2'),
              kind: s('plain'),
              ...(weight === null ? {} : { weight: n(weight) }),
            },
            2048,
          ),
        }),
      );
    const sql = `SELECT id, weight, kind FROM shop.parcels WHERE depot = 'd2' ORDER BY weight DESC LIMIT 4`;
    const before = (await engine.run(sql)).rows as readonly (readonly [string, number, string])[];
    const ids = before.map(([id]) => id);
    await engine.aws.faults([{ tableName: 'parcels', indexName: 'by-depot', indexLagMs: DAY_MS }]);
    // The heaviest is gone, the next has no weight any more, the third is the heaviest by far.
    await engine.aws.client.send(
      new DeleteItemCommand({ TableName: 'parcels', Key: { id: s(ids[0] ?? '') } }),
    );
    await put(ids[1] ?? '', null);
    await put(ids[2] ?? '', 9000);
    for (const maxRows of [100, 1]) {
      const rows = (await walk(sql, maxRows)) as typeof before;
      expect(rows.slice(0, 2)).to.deep.equal([[ids[2], 9000, 'plain'], before[3]]);
      expect(rows).to.have.length(4);
      expect(new Set(rows.map(([id]) => id)).size).to.equal(4);
      expect(rows.map(([, weight]) => weight)).to.deep.equal(
        rows.map(([, weight]) => weight).toSorted((a, b) => b - a),
      );
    }
  });

  it('give the same rows while others are written', async () => {
    const statements = [
      `SELECT seq, amount FROM shop.payments WHERE account = 'a1' ORDER BY amount DESC LIMIT 3`,
      `SELECT seq, amount FROM shop.payments WHERE account = 'a3' ORDER BY amount DESC LIMIT 3`,
      `SELECT id, weight FROM shop.parcels WHERE depot = 'd1' AND weight > 0 AND kind = 'fragile' ORDER BY weight DESC LIMIT 3`,
      `SELECT max(amount), min(amount) FROM shop.payments WHERE account = 'a1'`,
    ];
    const expected = await Promise.all(statements.map((sql) => engine.runScanning(sql)));
    let isOver = false;
    const writing = (async () => {
      for (let i = 0; !isOver; i++) {
        const payment = sized({ account: s(`z${i % 3}`), seq: n(i), amount: n(100_000 + i) }, 1024);
        const parcel = sized(
          { id: s(`z${i}`), depot: s('z'), weight: n(100_000 + i), kind: s('fragile') },
          2048,
        );
        await engine.aws.client.send(new PutItemCommand({ TableName: 'payments', Item: payment }));
        await engine.aws.client.send(new PutItemCommand({ TableName: 'parcels', Item: parcel }));
      }
    })();
    for (let round = 0; round < 10; round++)
      for (const [i, sql] of statements.entries())
        expect((await engine.run(sql)).rows, sql).to.deep.equal(expected[i]?.rows);
    isOver = true;
    await writing;
  });
});
