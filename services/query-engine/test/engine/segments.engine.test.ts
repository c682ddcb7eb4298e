import { expect } from 'chai';
import { SEGMENT_COUNT } from '@penstock/common/dynamodb/scan-segments.ts';
import { engineTable, n, s } from './shop.ts';
import { startTestEngine, type TestEngine, type TestQuery } from './test-engine.ts';
import { described, key, sized } from './units/tables.ts';

const ITEMS = 400;
const TASKS = 16;
/** Units of a request that finds nothing, and of a scan of the table: 400 items of 1 KB. */
const LEAST = 0.5;
const SCAN = 50;

const places = described(
  engineTable(
    'places',
    key('id'),
    Array.from({ length: ITEMS }, (_, i) =>
      sized({ id: s(`p${i}`), size: n(i), kind: s(i % 4 === 0 ? 'a' : 'b') }, 1024),
    ),
  ),
);
const own = engineTable('own', key('id'), [{ id: s('1'), segment: s('mine') }]);
/** The same, of which the sample has not met the attribute. */
const unmet = {
  ...engineTable('unmet', key('id'), [{ id: s('1') }]),
  items: [{ id: s('1'), segment: s('mine') }],
};

const FROM = 'FROM shop.places."$segments"';
const POSTGRESQL: TestQuery = { rules: { engine: 'postgresql', database: 'warehouse' } };

type Row = readonly (string | number | null)[];
type Passes = (segment: number, kind: string) => boolean;

const within = (segment: number, first: number, last: number): boolean => segment >= first && segment <= last;

const CONDITIONS: readonly (readonly [condition: string, segments: number, passes: Passes])[] = [
  ['segment = 7', 1, (segment) => segment === 7],
  ['segment IN (1, 2, 900)', 3, (segment) => [1, 2, 900].includes(segment)],
  ['segment BETWEEN 10 AND 19', 10, (segment) => within(segment, 10, 19)],
  ['segment > 1013', 10, (segment) => segment > 1013],
  ['segment > 9.5 AND segment < 12', 2, (segment) => within(segment, 10, 11)],
  ['NOT (segment >= 30)', 30, (segment) => segment < 30],
  ['(segment < 2 OR segment = 1023)', 3, (segment) => segment < 2 || segment === 1023],
  ["segment < 40 AND kind = 'a'", 40, (segment, kind) => segment < 40 && kind === 'a'],
  ['segment IS NULL', 0, () => false],
  ['segment < 0', 0, () => false],
  ['segment >= 1024', 0, () => false],
];

/** Conditions on PostgreSQL's `ctid`, whose block is the segment; how many segments are read, -1 of an ordinary scan. */
const CTIDS: readonly (readonly [
  condition: string,
  segments: number,
  passes: Passes,
  parameters?: string[],
])[] = [
  [`ctid BETWEEN '(0,0)'::tid AND '(4294967295,0)'::tid`, -1, () => true],
  [`ctid >= '(0,0)'::tid`, -1, () => true],
  [`ctid BETWEEN '(0,0)'::tid AND '(64,0)'::tid`, 64, (segment) => segment < 64],
  [`ctid >= '(1000,0)'::tid AND ctid < '(4294967295,0)'::tid`, 24, (segment) => segment >= 1000],
  [`p.ctid > '(63,65535)' AND p.ctid <= '(66,0)'`, 3, (segment) => within(segment, 64, 65)],
  [`ctid >= $1 AND ctid < $2::tid`, 5, (segment) => within(segment, 10, 14), ['(10,0)', '(15,0)']],
  [`NOT ctid >= '(3,0)'::tid`, 3, (segment) => segment < 3],
  [`ctid < '(0,1)'::tid`, 0, () => false],
  [`ctid > '(2000,0)'::tid`, 0, () => false],
  [`ctid NOT BETWEEN '(1,0)'::tid AND '(1023,0)'::tid`, 2, (segment) => segment === 0 || segment === 1023],
];

describe('the segments of a table', () => {
  let engine: TestEngine;
  /** Each row of the table with its segment. */
  let all: readonly Row[];
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine([places, own, unmet]);
    all = (await asked(`SELECT id, segment, kind ${FROM}`)).rows;
  });
  after(() => engine.close());

  /** Rows, and what was asked of DynamoDB. */
  const asked = async (sql: string, how?: TestQuery) => {
    await engine.aws.clear();
    const { rows, columns, readUnits } = await engine.run(sql, { maxRows: 1000, ...how });
    const requests = await engine.aws.requests();
    expect(requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0)).to.equal(readUnits);
    const isWhole = requests.every(({ operation }) => operation === 'Scan') && requests.length === 1;
    return { rows: rows as readonly Row[], columns, readUnits, requests: requests.length, isWhole };
  };
  const idsOf = (rows: readonly Row[]): readonly string[] => rows.map(([id]) => String(id)).toSorted();
  const passing = (passes: Passes): readonly string[] =>
    idsOf(all.filter(([, segment, kind]) => passes(Number(segment), String(kind))));

  it('are a column more, behind all others, and nothing else of the table differs', async () => {
    const { columns, rows } = await asked(`SELECT * ${FROM} WHERE segment < 100 ORDER BY size`);
    expect(columns).to.deep.equal(['id', 'kind', 'pad', 'size', 'segment']);
    const ids = new Set(passing((segment) => segment < 100));
    const plain = await asked('SELECT * FROM shop.places ORDER BY size');
    expect(rows.map((row) => row.slice(0, -1))).to.deep.equal(
      plain.rows.filter(([id]) => ids.has(String(id))),
    );
    const numbers = all.map(([, segment]) => Number(segment));
    expect(numbers.every((number) => within(number, 0, SEGMENT_COUNT - 1))).to.equal(true);
    expect(new Set(numbers).size).to.be.above(ITEMS / 4);
  });

  it('in ranges are the table exactly once, for a scan and half a unit a segment', async function () {
    this.timeout(60_000);
    const size = SEGMENT_COUNT / TASKS;
    const rows: Row[] = [];
    let [units, requests] = [0, 0];
    for (let task = 0; task < TASKS; task++) {
      const sql = `SELECT id ${FROM} WHERE segment >= ${task * size} AND segment < ${(task + 1) * size}`;
      const one = await asked(sql);
      const { low, high } = (await engine.plan(sql)).certainReadUnits;
      expect(one.readUnits, sql).to.be.within(low, high);
      rows.push(...one.rows);
      [units, requests] = [units + one.readUnits, requests + one.requests];
    }
    expect(idsOf(rows)).to.deep.equal(passing(() => true));
    expect(requests).to.equal(SEGMENT_COUNT);
    expect(units).to.be.at.most(SCAN + SEGMENT_COUNT * LEAST);
  });

  it('are chosen by every condition that says which, and none other is read', async () => {
    for (const [condition, segments, passes] of CONDITIONS) {
      const { rows, requests } = await asked(`SELECT id ${FROM} WHERE ${condition}`);
      expect({ ids: idsOf(rows), requests }, condition).to.deep.equal({
        ids: passing(passes),
        requests: segments,
      });
    }
  });

  it('cost nothing where nobody asks for their numbers', async () => {
    expect((await asked(`SELECT COUNT(*), MAX(size) ${FROM}`)).readUnits).to.equal(SCAN);
    expect((await asked(`SELECT kind ${FROM} WHERE id = 'p3'`)).readUnits).to.equal(LEAST);
    expect((await asked(`SELECT * ${FROM} WHERE 1 = 0`)).readUnits).to.equal(0);
  });

  it('are counted, joined, grouped and cut off', async () => {
    const { rows } = await asked(
      `SELECT segment, COUNT(*) ${FROM} WHERE segment < 100 GROUP BY segment ORDER BY 1`,
    );
    const counted = rows.reduce((sum, [, count]) => sum + Number(count), 0);
    expect((await asked(`SELECT COUNT(*) ${FROM} WHERE segment < 100`)).rows).to.deep.equal([[counted]]);
    const [[first, count] = []] = rows;
    const joined = `SELECT COUNT(*) ${FROM} AS x JOIN shop.places AS p ON p.id = x.id WHERE x.segment = ${first}`;
    expect((await asked(joined)).rows).to.deep.equal([[count]]);
    const cut = await asked(`SELECT id ${FROM} WHERE segment < 1000 LIMIT 3`);
    expect(cut.rows).to.have.length(3);
    expect(cut.requests).to.be.below(SEGMENT_COUNT / 4);
  });

  it('are no attributes that the registry is told of', () => {
    expect(
      engine.reported.flatMap(({ tableName, attributes }) =>
        attributes.map(({ name }) => `${tableName}.${name}`),
      ),
    ).to.deep.equal([]);
  });

  it('are all read where a statement says more of them than is worth comparing', async function () {
    this.timeout(60_000);
    const many = Array.from({ length: 4000 }, (_, i) => `${i % 3}`);
    const list = await engine.plan(`SELECT id ${FROM} WHERE segment IN (${many.join(', ')})`);
    expect(JSON.stringify(list)).to.include('segments: 0–2 of 1024');
    const ors = Array.from({ length: 300 }, (_, i) => `(segment < ${i % 3} AND size <> ${i})`);
    const plan = await engine.plan(`SELECT id ${FROM} WHERE ${ors.join(' OR ')}`);
    expect(JSON.stringify(plan)).to.include('segments: 0–1023 of 1024');
  });

  it('say which they are in a plan', async () => {
    const plan = await engine.plan(`SELECT id ${FROM} WHERE segment IN (1, 2, 3, 9)`);
    expect(JSON.stringify(plan)).to.include('segments: 1–3, 9 of 1024');
    const any = await engine.plan(`SELECT id ${FROM} WHERE (segment < 4 OR kind = 'a')`);
    expect(JSON.stringify(any)).to.include('segments: 0–1023 of 1024');
  });

  it('are refused where an attribute has the column’s name, known or not', async () => {
    const known = await engine.failure('SELECT * FROM shop.own."$segments"');
    expect(known.message).to.include('shop.own has an attribute segment of its own');
    const unknown = await engine.failure('SELECT * FROM shop.unmet."$segments" WHERE segment < 100000');
    expect(unknown.message).to.include('have an attribute segment of their own');
  });

  it('are the blocks of ctid, by PostgreSQL’s rules', async () => {
    for (const [condition, segments, passes, parameters = []] of CTIDS) {
      const sql = `SELECT id FROM shop.places AS p WHERE ${condition}`;
      const { rows, requests, isWhole } = await asked(sql, { ...POSTGRESQL, parameters });
      expect({ ids: idsOf(rows), segments: isWhole ? -1 : requests }, condition).to.deep.equal({
        ids: passing(passes),
        segments,
      });
    }
  });

  it('show each row’s ctid, in whose order rows are, and by which they are found again', async () => {
    const { rows, columns } = await asked(
      `SELECT ctid, id FROM shop.places WHERE ctid < '(40,0)' ORDER BY ctid DESC`,
      POSTGRESQL,
    );
    expect(columns).to.deep.equal(['ctid', 'id']);
    expect(idsOf(rows.map(([, id = null]) => [id]))).to.deep.equal(passing((segment) => segment < 40));
    const blocks = rows.map(([ctid]) => Number(/^\((\d+),\d+\)$/.exec(String(ctid))?.[1]));
    expect(blocks).to.deep.equal(blocks.toSorted((a, b) => b - a));
    expect(new Set(rows.map(([ctid]) => ctid)).size).to.equal(rows.length);
    const some = rows.slice(0, 3);
    for (const list of [
      `IN (${some.map(([ctid]) => `'${ctid}'::tid`).join(', ')})`,
      `= ANY ('{${some.map(([ctid]) => `"${ctid}"`).join(',')}}'::tid[])`,
      `= ANY (ARRAY[${some.map(([ctid]) => `'${ctid}'`).join(', ')}]::tid[])`,
    ]) {
      const found = await asked(
        `SELECT ctid, id FROM shop.places WHERE ctid ${list} ORDER BY 1 DESC`,
        POSTGRESQL,
      );
      expect(found.rows, list).to.deep.equal(some);
      expect(found.requests, list).to.be.at.most(some.length);
    }
    const [[first]] = some as [Row];
    const text = `SELECT ctid::text || '!' FROM shop.places WHERE ctid = '${first}' GROUP BY ctid`;
    expect((await asked(text, POSTGRESQL)).rows).to.deep.equal([[`${first}!`]]);
  });

  it('tell by name what ctid cannot do, and by other rules know none', async () => {
    for (const sql of [
      'SELECT MIN(ctid) FROM shop.places',
      'SELECT 1 FROM shop.places WHERE ctid > id',
      `SELECT 1 FROM shop.places WHERE ctid > '(1)'`,
      `SELECT 1 FROM shop.places WHERE ctid = '(1,70000)'`,
    ])
      expect((await engine.failure(sql, POSTGRESQL)).message, sql).to.include('ctid can be compared');
    const unknown = await engine.failure('SELECT ctid FROM shop.places');
    expect(unknown.code).to.equal('COLUMN_NOT_FOUND');
  });

  it('are read in part for a sample, which is the same each time, and another with another seed', async () => {
    const sampled = async (sample: string) => asked(`SELECT id FROM shop.places AS p TABLESAMPLE ${sample}`);
    const some = await sampled('SYSTEM (4)');
    expect(some.requests).to.equal(Math.ceil(SEGMENT_COUNT / 25));
    expect(some.readUnits).to.be.below(SEGMENT_COUNT * LEAST * 0.1);
    expect(some.rows.length).to.be.within(1, ITEMS / 8);
    expect((await sampled('SYSTEM (4)')).rows).to.deep.equal(some.rows);
    expect((await sampled('SYSTEM (4) REPEATABLE (7)')).rows).to.not.deep.equal(some.rows);
    const half = await sampled('BERNOULLI (50)');
    expect(half.rows.length).to.be.within(ITEMS * 0.35, ITEMS * 0.65);
    expect(half.readUnits).to.equal(SCAN);
    expect((await sampled('BERNOULLI (50)')).rows).to.deep.equal(half.rows);
    expect(idsOf((await sampled('BERNOULLI (50) REPEATABLE (7)')).rows)).to.not.deep.equal(idsOf(half.rows));
    for (const method of ['SYSTEM', 'BERNOULLI']) {
      expect(idsOf((await sampled(`${method} (100)`)).rows)).to.deep.equal(passing(() => true));
      expect(await sampled(`${method} (0)`))
        .to.include({ readUnits: 0 })
        .with.property('rows').that.is.empty;
    }
    // What Spark 4 draws, and other seeds that DuckDB has not.
    const bySeed = new Map<string, unknown>();
    for (const seed of ['8734537857454335353', '-5', '5', '7.5', '2147483648', '7', '7.0', '- 5'])
      bySeed.set(seed, (await sampled(`BERNOULLI (50.0) REPEATABLE (${seed})`)).rows);
    expect(new Set([...bySeed.values()].map((rows) => JSON.stringify(rows))).size).to.equal(6);
    expect(bySeed.get('7.0')).to.deep.equal(bySeed.get('7'));
    expect(bySeed.get('- 5')).to.deep.equal(bySeed.get('-5'));
    // A part of a part, the same by PostgreSQL's rules.
    const both = 'SELECT id FROM shop.places TABLESAMPLE SYSTEM (4) WHERE size < 100';
    expect((await asked(both, POSTGRESQL)).rows).to.deep.equal((await asked(both)).rows);
    for (const sql of [
      'SELECT * FROM shop.places TABLESAMPLE (10)',
      'SELECT * FROM shop.places TABLESAMPLE SYSTEM (101)',
      'SELECT * FROM shop.places TABLESAMPLE SYSTEM ($1)',
      'SELECT * FROM shop.places TABLESAMPLE SYSTEM (-1)',
      'SELECT * FROM shop.places TABLESAMPLE SYSTEM (1) REPEATABLE (1 + 1)',
      'WITH x AS (SELECT 1) SELECT * FROM x TABLESAMPLE SYSTEM (10)',
    ])
      expect((await engine.failure(sql)).message, sql).to.include('TABLESAMPLE');
  });

  it('keep rows that a join made up out of what is known of ctid', async () => {
    const sql = `SELECT COUNT(*) FROM shop.own AS o LEFT JOIN shop.places AS p ON p.id = o.id WHERE p.ctid >= '(0,0)'`;
    expect((await asked(sql, POSTGRESQL)).rows).to.deep.equal([[0]]);
  });
});
