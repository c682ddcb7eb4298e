/** What the latest of each of 4, 40 and 400 partitions cost, by the endpoint's log: half a unit each, a whole one for two. */
import { expect } from 'chai';
import { IS_LONG, oneOf } from '../../../../common/test/support/random-budget.ts';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { DEVICES, latestTables } from './latest-tables.ts';
import { many, numbered } from './tables.ts';

/** Partitions whose latest are asked for: of all, in the long form alone. */
const COUNTS = IS_LONG ? [4, 40, DEVICES] : [4, 40];

/** Which key the latest are asked by. */
interface By {
  readonly name: string;
  readonly partition: string;
  readonly letter: string;
  readonly order: string;
  /** What makes sure that the index has all rows. */
  readonly isThere: string;
}

const TABLE: By = { name: 'the table', partition: 'device', letter: 'd', order: 'tick', isThere: '' };
const LOCAL: By = {
  name: 'a local index',
  partition: 'device',
  letter: 'd',
  order: 'day',
  isThere: ` AND r.day > ''`,
};
const GLOBAL: By = { ...LOCAL, name: 'a global index', partition: 'site', letter: 's' };

/** A statement for so many partitions, and the units of each of them. */
interface Form {
  readonly name: string;
  readonly units: number;
  /** Whether the partitions come from a table of their own, and what its read costs by their number. */
  readonly looksUp?: Readonly<Record<number, number>>;
  readonly sql: (by: By, keys: string, count: number) => string;
  /** Keys of which it says this; absent: all. */
  readonly of?: readonly By[];
}

const LISTS = { 4: 0.5, 40: 0.5, [DEVICES]: 2 };
const readings = ({ partition: k, isThere }: By, keys: string): string =>
  `shop.readings r WHERE r.${k} IN (${keys})${isThere}`;

const FORMS: readonly Form[] = [
  {
    name: 'MAX by group',
    units: 0.5,
    sql: (by, keys) => `SELECT r.${by.partition}, max(r.${by.order}) AS m FROM ${readings(by, keys)} GROUP BY r.${by.partition}`,
  },
  {
    name: 'MIN of all',
    units: 0.5,
    sql: (by, keys) => `SELECT min(r.${by.order}) AS m FROM ${readings(by, keys)}`,
  },
  {
    name: 'MIN and MAX by group',
    units: 1,
    sql: (by, keys) => `SELECT r.${by.partition}, min(r.${by.order}) AS a, max(r.${by.order}) AS b FROM ${readings(by, keys)} GROUP BY r.${by.partition}`,
  },
  {
    name: 'ROW_NUMBER in a derived table',
    units: 0.5,
    sql: (by, keys) => `SELECT * FROM (SELECT r.device, r.note, r.${by.order}, row_number() OVER (PARTITION BY r.${by.partition} ORDER BY r.${by.order} DESC) AS n FROM ${readings(by, keys)}) x WHERE n <= 2`,
  },
  {
    name: 'RANK in QUALIFY',
    units: 0.5,
    sql: (by, keys) => `SELECT r.device, r.note, r.${by.order} FROM ${readings(by, keys)} QUALIFY rank() OVER (PARTITION BY r.${by.partition} ORDER BY r.${by.order}) < 3`,
  },
  {
    name: 'ROW_NUMBER in a CTE',
    units: 0.5,
    sql: (by, keys) => `WITH x AS (SELECT r.device, r.${by.order}, row_number() OVER (PARTITION BY r.${by.partition} ORDER BY r.${by.order}) AS n FROM ${readings(by, keys)}) SELECT count(*) AS c FROM x WHERE n IN (1, 2)`,
  },
  {
    name: 'DISTINCT ON',
    units: 0.5,
    of: [TABLE],
    sql: (by, keys) => `SELECT DISTINCT ON (r.${by.partition}) r.device, r.note, r.${by.order} FROM ${readings(by, keys)} ORDER BY r.${by.partition}, r.${by.order} DESC`,
  },
  {
    // The last two of each are of one day: another page tells that there are no more.
    name: 'DISTINCT ON, of several that are equal',
    units: 1,
    of: [LOCAL, GLOBAL],
    sql: (by, keys) => `SELECT DISTINCT ON (r.${by.partition}) r.device, r.note, r.${by.order} FROM ${readings(by, keys)} ORDER BY r.${by.partition}, r.${by.order} DESC`,
  },
  {
    name: 'a key IN (SELECT max)',
    units: 1,
    sql: (by, keys) => `SELECT r.device, r.note FROM ${readings(by, keys)} AND (r.${by.partition}, r.${by.order}) IN (SELECT ${by.partition}, max(${by.order}) FROM ${readings(by, keys)} GROUP BY 1)`,
  },
  {
    name: 'a key equal to the greatest of its partition',
    units: 1,
    of: [TABLE, LOCAL],
    sql: (by, keys) => `SELECT r.device, r.note FROM ${readings(by, keys)} AND r.${by.order} = (SELECT max(i.${by.order}) FROM shop.readings i WHERE i.${by.partition} = r.${by.partition}${by.isThere.replaceAll('r.', 'i.')})`,
  },
  {
    name: 'LATERAL',
    units: 0.5,
    looksUp: LISTS,
    sql: (by, _, count) => `SELECT g.name, x.note FROM shop.lists g JOIN LATERAL (SELECT r.note FROM shop.readings r WHERE r.${by.partition} = g.${by.partition}${by.isThere} ORDER BY r.${by.order} DESC LIMIT 2) x ON true WHERE g.list = 'l${count}'`,
  },
  {
    name: 'a scalar subquery',
    units: 0.5,
    looksUp: LISTS,
    sql: (by, _, count) => `SELECT g.name, (SELECT max(r.${by.order}) FROM shop.readings r WHERE r.${by.partition} = g.${by.partition}${by.isThere}) AS m FROM shop.lists g WHERE g.list = 'l${count}'`,
  },
  {
    name: 'groups of a join',
    units: 0.5,
    looksUp: LISTS,
    sql: (by, _, count) => `SELECT g.name, max(r.${by.order}) AS m FROM shop.lists g JOIN shop.readings r ON r.${by.partition} = g.${by.partition}${by.isThere} WHERE g.list = 'l${count}' GROUP BY g.name`,
  },
  {
    name: 'keys of a subquery',
    units: 0.5,
    looksUp: LISTS,
    sql: (by, _, count) => `SELECT r.${by.partition}, min(r.${by.order}) AS m FROM shop.readings r WHERE r.${by.partition} IN (SELECT ${by.partition} FROM shop.lists WHERE list = 'l${count}')${by.isThere} GROUP BY r.${by.partition}`,
  },
]; // oxfmt-ignore

describe('the units of the latest of each', function () {
  this.timeout(120_000);
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine(latestTables());
  });
  after(() => engine.close());

  const asked = FORMS.flatMap((form) => (form.of ?? [TABLE, LOCAL, GLOBAL]).map((by) => ({ ...form, by })));
  for (const [place, { name, units, looksUp = {}, sql, by }] of asked.entries())
    for (const count of oneOf(COUNTS, place))
      it(`are ${units} for each of ${count} partitions of ${by.name}: ${name}`, async () => {
        const keys = many(count, () => ({})).map((_, i) => `'${numbered(by.letter, i)}'`);
        const text = sql(by, keys.join(', '), count);
        await engine.aws.clear();
        const { rows, readUnits } = await engine.run(text, { maxRows: 1000 });
        const sent = await engine.aws.requests();
        const logged = sent.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
        expect([readUnits, logged]).to.deep.equal([
          units * count + (looksUp[count] ?? 0),
          units * count + (looksUp[count] ?? 0),
        ]);
        if (count > 4) return;
        const inOrder = (list: readonly unknown[]) => list.map((row) => JSON.stringify(row)).sort();
        const scanned = await engine.runScanning(text, { maxRows: 1000 });
        expect(inOrder(rows)).to.deep.equal(inOrder(scanned.rows));
      });

  describe('by an index that may lack readings', () => {
    const SITES = `'s001', 's002', 's003'`;
    const SQL = (keys: string): string =>
      `SELECT site, day, note FROM shop.readings WHERE site IN (${keys}) QUALIFY rank() OVER (PARTITION BY site ORDER BY day DESC) <= 2`;

    it('are the same where each site has enough', async () => {
      const { readUnits } = await engine.run(SQL(SITES));
      // The second is equal to the first, so that the third is asked for.
      expect(readUnits).to.equal(1.5);
      const text = `SELECT v.site, x.day FROM (VALUES ('s001'), ('s002'), ('s003')) v(site) JOIN LATERAL (SELECT day FROM shop.readings r WHERE r.site = v.site ORDER BY day DESC LIMIT 2) x ON true`;
      expect((await engine.run(text)).readUnits).to.equal(1.5);
    });

    it('are those of the table beside where one has fewer', async () => {
      const sql = SQL(`${SITES}, 'nowhere'`);
      const { rows, readUnits } = await engine.run(sql);
      expect(readUnits).to.be.within(600, 604);
      expect(rows.length).to.equal((await engine.runScanning(sql)).rows.length);
      const { text, certainReadUnits } = await engine.plan(sql);
      expect(text).to.include('otherwise, where one has fewer: Scan shop.readings');
      expect(certainReadUnits.high).to.be.at.least(readUnits);
    });

    it('are those of the table where what it lacks comes first', async () => {
      const { readUnits } = await engine.run(SQL(SITES).replace('DESC', 'NULLS FIRST'));
      expect(readUnits).to.be.within(600, 601);
    });
  });

  it('are bounded before they are read, and shown', async () => {
    const plan = async (sql: string): Promise<string> => (await engine.plan(sql)).text;
    const keys = `'d001', 'd002', 'd003'`;
    const latest = await plan(
      `SELECT device, max(tick) FROM shop.readings WHERE device IN (${keys}) GROUP BY device`,
    );
    expect(latest).to.include('of each: the first item\n').and.include('order: descending');
    expect(latest).to.include('estimate: 3 rows, 1.5 read units\n');
    const ranked = await plan(
      `SELECT site, day FROM shop.readings WHERE site IN ('s001') AND day > '' QUALIFY rank() OVER (PARTITION BY site ORDER BY day) <= 2`,
    );
    expect(ranked).to.include('of each: the first 2 items, and those equal to the last in day\n');
    const lateral = await plan(
      `SELECT * FROM shop.lists g JOIN LATERAL (SELECT note FROM shop.readings r WHERE r.device = g.device ORDER BY tick LIMIT 3) x ON true WHERE g.list = 'l4'`,
    );
    expect(lateral).to.include('keys from: g.device').and.include('of each: the first 3 items\n');
    expect(lateral).to.include('otherwise: Scan, 600 read units, where as many keys as there are cost more');
  });

  it('are those of all partitions where none are named', async () => {
    const { readUnits } = await engine.run(
      `SELECT device, note FROM shop.readings QUALIFY row_number() OVER (PARTITION BY device ORDER BY tick DESC) = 1`,
    );
    expect(readUnits).to.be.within(600, 601);
  });
});
