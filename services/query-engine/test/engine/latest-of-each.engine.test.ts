/** The first rows of each partition: they are those of a scan, whatever ties there are, and whatever lacks an attribute. */
import { expect } from 'chai';
import { budgetOf, IS_LONG, SEED, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { seededRandom, type Random } from '../dynamodb/random.ts';
import type { EngineTable } from './engine-table.ts';
import { engineTable, n, s } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';
import { described, index, key, keys, many, numbered, sized } from './units/tables.ts';

const STATEMENTS = budgetOf({ short: 60, long: 2000, variable: 'LATEST_STATEMENTS' });
const DEVICES = 9;

/**
 * Nine devices with some 40 readings of 1.5 KB; sort keys of indexes tie often, and may be missing. Sites share devices. Ticks are
 * numbers of all kinds, days texts that are prefixes of each other.
 */
function readings(): EngineTable {
  const random = seededRandom(7);
  const days = ['a', 'aa', 'ab', 'b', 'B', 'é', 'z', '😀', '10', '9'];
  const ticks = (i: number): string =>
    [String(i), `-${i}.5`, `${i}000000000000000000000000000000001`][i % 3] ?? '';
  const items = many(DEVICES * 40, (i) =>
    sized(
      {
        device: s(`d${random.int(DEVICES)}`),
        tick: { N: ticks(i) },
        ...(random.chance(0.8) ? { day: s(random.pick(days)) } : {}),
        ...(random.chance(0.9) ? { site: s(`s${random.int(3)}`) } : {}),
        ...(random.chance(0.9) ? { floor: n(random.int(3)) } : {}),
        ...(random.chance(0.7) ? { level: n(random.int(4)) } : {}),
        ...(random.chance(0.7) ? { note: s(`n${random.int(5)}`) } : {}),
      },
      1500,
    ),
  );
  return described(engineTable('readings', key('device', 'tick:N'), items), [
    index('by-day', key('device', 'day'), { global: false }),
    index('by-level', key('device', 'level:N'), { global: false, projection: 'KEYS_ONLY' }),
    index('by-site', key('site', 'day')),
    index('by-place', keys(['site', 'floor:N'], ['day', 'level:N'])),
  ]);
}

/** Devices and sites to look up, one of each unknown. */
function lists(): EngineTable {
  const items = many(DEVICES + 2, (i) => ({
    list: s(i % 2 === 0 ? 'even' : 'odd'),
    place: s(numbered('p', i)),
    device: s(`d${i}`),
    site: s(`s${i % 4}`),
    floor: n(i % 3),
  }));
  return described(engineTable('lists', key('list', 'place'), items));
}

/** Of what the latest are asked for. */
interface Partitions {
  readonly by: readonly string[];
  readonly bound: string;
  /** Orders by them, and what makes sure that the index has all rows. */
  readonly orders: readonly (readonly [order: string, condition: string])[];
}

function partitions(random: Random): Partitions {
  const some = (letter: string, count: number): string =>
    [...new Set(many(1 + random.int(4), () => ({})).map(() => `'${letter}${random.int(count)}'`))].join(', ');
  return random.pick<Partitions>([
    {
      by: ['device'],
      bound: `r.device IN (${some('d', DEVICES + 1)})`,
      orders: [
        ['tick', ''],
        ['tick', ''],
        ['day', ` AND r.day > ''`],
        ['level', ' AND r.level >= 0'],
        ['day', ''],
      ],
    },
    {
      by: ['site'],
      bound: `r.site IN (${some('s', 4)})`,
      orders: [
        ['day', ` AND r.day > ''`],
        ['day', ''],
      ],
    },
    {
      by: ['site', 'floor'],
      bound: `r.site IN (${some('s', 4)}) AND r.floor IN (${random.pick(['0, 1', '2', '0, 1, 2'])})`,
      orders: [['day', ` AND r.day > '' AND r.level >= 0`]],
    },
  ]);
}

const EXTRA = [
  '',
  '',
  '',
  ` AND r.note = 'n1'`,
  ` AND r.day < 'b'`,
  ' AND r.tick > 40',
  ` AND (r.tick < 20 OR r.tick > 90)`,
  ' AND r.level = 2',
];

/** Each form in which the latest of each are asked for. */
function statement(random: Random): string {
  const { by, bound, orders } = partitions(random);
  const [order, condition] = random.pick(orders);
  const rows = 1 + random.int(3);
  const direction = random.pick([' DESC', '', ' DESC NULLS LAST', ' NULLS FIRST']);
  const where = `${bound}${condition}${random.pick(EXTRA)}`;
  const columns = by.map((name) => `r.${name}`).join(', ');
  const end = random.pick(['max', 'min']);
  const over = `OVER (PARTITION BY ${columns} ORDER BY r.${order}${direction}${random.pick(['', '', ', r.note', ', r.tick'])})`;
  const rank = random.pick(['row_number', 'row_number', 'rank', 'dense_rank']);
  const least = random.pick([
    `<= ${rows}`,
    `< ${rows + 1}`,
    `= ${rows}`,
    `BETWEEN 1 AND ${rows}`,
    `IN (1, ${rows})`,
  ]);
  const same = by.map((name) => `i.${name} = r.${name}`).join(' AND ');
  const inner = where.replaceAll('r.', 'i.');
  const shown = `${columns}, r.tick, r.day, r.note`;
  const lookup = by.map((name) => `r.${name} = g.${name}`).join(' AND ');
  return random.pick([
    `SELECT ${columns}, ${end}(r.${order}) AS m FROM shop.readings r WHERE ${where} GROUP BY ${columns}`,
    `SELECT ${columns}, min(r.${order}) AS a, max(r.${order}) AS b FROM shop.readings r WHERE ${where} GROUP BY ${columns}`,
    `SELECT ${columns}, arg_${end}(r.device, r.${order}) AS x, ${end}(r.${order}) AS m FROM shop.readings r WHERE ${where} GROUP BY ${columns}`,
    `SELECT ${columns}, arg_${end}(r.note, r.${order}) AS x FROM shop.readings r WHERE ${where} GROUP BY ${columns}`,
    `SELECT ${end}(r.${order}) AS m FROM shop.readings r WHERE ${where}`,
    `SELECT * FROM (SELECT ${shown}, ${rank}() ${over} AS rn FROM shop.readings r WHERE ${where}) x WHERE rn ${least}`,
    `SELECT ${shown} FROM shop.readings r WHERE ${where} QUALIFY ${rank}() ${over} ${least}`,
    `SELECT ${shown}, count(*) OVER (PARTITION BY ${columns}) AS c FROM shop.readings r WHERE ${where} QUALIFY ${rank}() ${over} ${least}`,
    `SELECT DISTINCT ON (${columns}) ${shown} FROM shop.readings r WHERE ${where} ORDER BY ${columns}, r.${order}${direction}`,
    `SELECT ${shown} FROM shop.readings r WHERE ${where} AND (${columns}, r.${order}) IN (SELECT ${columns.replaceAll('r.', 'i.')}, ${end}(i.${order}) FROM shop.readings i WHERE ${inner} GROUP BY ${columns.replaceAll('r.', 'i.')})`,
    `SELECT ${shown} FROM shop.readings r WHERE ${where} AND (${columns}, r.${order}) IN (SELECT ${columns.replaceAll('r.', 'i.')}, ${end}(i.${order}) FROM shop.readings i GROUP BY ${columns.replaceAll('r.', 'i.')})`,
    `SELECT ${shown} FROM shop.readings r WHERE ${where} AND r.${order} = (SELECT ${end}(i.${order}) FROM shop.readings i WHERE ${same}${condition.replaceAll('r.', 'i.')})`,
    `SELECT g.place, x.* FROM shop.lists g JOIN LATERAL (SELECT ${shown} FROM shop.readings r WHERE ${lookup}${condition}${random.pick(EXTRA)} ORDER BY r.${order}${direction} LIMIT ${rows}) x ON true WHERE g.list = 'odd'`,
    `SELECT g.place, (SELECT ${end}(r.${order}) FROM shop.readings r WHERE ${lookup}${condition}) AS m FROM shop.lists g WHERE g.list = 'even'`,
    `SELECT g.place, ${end}(r.${order}) AS m, max(g.floor) AS f FROM shop.lists g LEFT JOIN shop.readings r ON ${lookup}${condition} WHERE g.list = 'even' GROUP BY g.place`,
    `SELECT g.place, ${shown} FROM shop.lists g JOIN shop.readings r ON ${lookup}${condition} WHERE g.list = 'odd' QUALIFY ${rank}() ${over} ${least}`,
    `SELECT r.device, ${end}(r.${order}) AS m FROM shop.readings r WHERE r.device IN (SELECT device FROM shop.lists WHERE list = 'odd')${condition} GROUP BY r.device`,
  ]);
}

/** Wrapped, so that what is above counts on the rows, too. */
function around(sql: string, random: Random): string {
  return random.pick([
    sql,
    sql,
    `SELECT * FROM (${sql}) y LIMIT 1000`,
    `SELECT count(*) AS c FROM (${sql}) y`,
  ]);
}

describe('the latest of each', function () {
  this.timeout(900_000);
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([readings(), lists()]);
  });
  after(() => engine.close());

  async function walk(sql: string, maxRows: number): Promise<readonly unknown[]> {
    const rows: unknown[] = [];
    for (let resumeIdx = 0; ;) {
      const page = await engine.run(sql, { maxRows, resumeIdx });
      rows.push(...page.rows);
      if (page.resumeIdx === null) return rows;
      ({ resumeIdx } = page);
    }
  }

  it(`are the rows of a scan, of one answer and page by page (${STATEMENTS}, ${SEED_SHOWN})`, async () => {
    const random = seededRandom(SEED);
    let limited = 0;
    for (let i = 0; i < STATEMENTS; i++) {
      const sql = around(statement(random), random);
      await engine.aws.clear();
      const { rows, readUnits } = await engine.run(sql, { maxRows: 1000 });
      const requests = await engine.aws.requests();
      limited += requests.some(({ operation, limit }) => operation === 'Query' && (limit ?? 1000) < 10)
        ? 1
        : 0;
      const scanned = (await engine.runScanning(sql, { maxRows: 1000 })).rows;
      const sorted = (list: readonly unknown[]) => list.map((row) => JSON.stringify(row)).sort();
      expect(sorted(rows), sql).to.deep.equal(sorted(scanned));
      if (random.chance(0.3)) {
        const { low, high } = (await engine.plan(sql, { maxRows: 1000 })).certainReadUnits;
        expect(readUnits, sql).to.be.within(low, high);
      }
      if (random.chance(0.1))
        expect(sorted(await walk(sql, 1 + random.int(4))), sql).to.deep.equal(sorted(scanned));
    }
    // Few statements may have none with a limit, by chance.
    expect(limited).to.be.greaterThan(IS_LONG ? STATEMENTS / 20 : 0);
  });

  it('are read in one request more where many small entries are equal, within what was certain', async () => {
    const sql = `SELECT r.device, arg_max(r.device, r.level) FROM shop.readings r WHERE r.device IN ('d8', 'd2', 'd5', 'd7') AND r.level >= 0 GROUP BY r.device`;
    const { low, high } = (await engine.plan(sql, { maxRows: 1000 })).certainReadUnits;
    const { rows, readUnits } = await engine.run(sql, { maxRows: 1000 });
    expect(rows).to.have.length(4);
    expect(readUnits).to.equal(4).and.to.be.within(low, high);
  });
});
