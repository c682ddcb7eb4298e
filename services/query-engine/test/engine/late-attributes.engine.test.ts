/**
 * What a star does with attributes that were read and that the catalog has no column for.
 *
 * Takes long: what comes after the header comes after 8 MB, and eight pages that are asked for ahead, in each format.
 */
import { expect } from 'chai';
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { keySchema } from '../dynamodb/fixtures.ts';
import { engineTable, n, s } from './shop.ts';
import { readParquet } from './parquet-rows.ts';
import { startTestEngine, type TestAnswer, type TestEngine, type TestQuery } from './test-engine.ts';

/** Of its items, the one at `at` has two attributes more, which no sample met. */
function lateTable(tableName: string, count: number, at: number, partitions = 5, bytes = 300) {
  const item = (i: number) => ({ id: s(`p${i % partitions}`), sk: n(i), v: s('x'.repeat(bytes)) });
  const items = Array.from({ length: count }, (_, i) => ({
    ...item(i),
    ...(i === at ? { rare: s('here'), amount: n('12345678901234567890.5') } : {}),
  }));
  const { catalog } = engineTable(tableName, keySchema('id, sk:N'), [item(0)]);
  const sizes = { itemCount: count, sizeBytes: count * (bytes + 30), sampledItems: 100 };
  return { catalog: { ...catalog, ...sizes }, items };
}

/** Read before a header must be out; and more than that, the last item in order of the key at its end. */
const SMALL = lateTable('small', 400, 123);
const LARGE = lateTable('large', 56, 55, 1, 350_000);
/** A hundred items of twenty names of their own each. */
const SPARSE = (() => {
  const { catalog } = engineTable('sparse', keySchema('id'), [{ id: s('s0') }]);
  const items = Array.from({ length: 100 }, (_, i) => ({
    id: s(`s${i}`),
    ...Object.fromEntries(Array.from({ length: 20 }, (_, j) => [`attr_${i}_${j}`, n(j)])),
  }));
  return { catalog: { ...catalog, itemCount: 100, sampledItems: 1 }, items };
})();
/** More names than a result may have columns. */
const ENDLESS = (() => {
  const { catalog } = engineTable('endless', keySchema('id'), [{ id: s('s0') }]);
  const items = Array.from({ length: 60 }, (_, i) => ({
    id: s(`s${i}`),
    ...Object.fromEntries(Array.from({ length: 100 }, (_, j) => [`attr_${i}_${j}`, n(j)])),
  }));
  return { catalog: { ...catalog, itemCount: 60, sampledItems: 1 }, items };
})();

/** A sample met no item; there are some by now. */
const FRESH = (() => {
  const { catalog } = engineTable('fresh', keySchema('id'), []);
  return { catalog, items: [{ id: s('a'), x: n(1) }, { id: s('b') }] };
})();

const COLUMNS = ['id', 'sk', 'v', 'amount', 'rare'];

describe('attributes that a star meets', function () {
  this.timeout(240_000);
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([SMALL, LARGE, SPARSE, ENDLESS, FRESH]);
  });
  after(() => engine.close());

  const late = ({ warnings }: TestAnswer): readonly string[] => warnings.filter((one) => one.startsWith('*'));
  /** What a query gives; and that it read each item once. */
  const once = async (sql: string, options: TestQuery = {}): Promise<TestAnswer> => {
    const star = await engine.run(sql, options);
    const named = await engine.run(sql.replace(/\*/, 'id, sk, v, "rare", "amount"'), options);
    expect(star.readUnits, sql).to.equal(named.readUnits);
    return star;
  };

  it('are columns of a page, in order of name, and are paid once', async () => {
    const byKey = await once(`SELECT * FROM shop.small WHERE id = 'p3' AND sk = 123`);
    expect(byKey.readUnits).to.equal(0.5);
    expect(byKey.columns).to.deep.equal(COLUMNS);
    expect(byKey.types.slice(3)).to.deep.equal(['DECIMAL(38,1)', 'VARCHAR']);
    expect(byKey.json).to.contain(',12345678901234567890.5,"here"]');
    for (const sql of [
      'SELECT * FROM shop.small',
      'SELECT * FROM shop.small ORDER BY sk DESC',
      `SELECT * FROM shop.small WHERE v LIKE 'x%'`,
      'SELECT * FROM (SELECT * FROM shop.small) q',
    ]) {
      const all = await (sql.includes('(') ? engine.run : once)(sql, { rowFormat: 'object' });
      expect(all.columns, sql).to.deep.equal(COLUMNS);
      const rows = all.rows as readonly Record<string, unknown>[];
      expect(rows.length).to.equal(400);
      expect(rows.find(({ sk }) => sk === 123)).to.include({ rare: 'here' });
      expect(rows.find(({ sk }) => sk === 1)).to.include({ rare: null, amount: null });
      expect(late(all)).to.deep.equal([]);
    }
    expect((await engine.run('SELECT q.id FROM (SELECT * FROM shop.small) q')).columns).to.deep.equal(['id']);
  });

  it('are all attributes where no sample has met an item', async () => {
    for (const [sql, rows] of [
      [`SELECT * FROM shop.fresh WHERE id = 'a'`, [['a', 1]]],
      [
        `SELECT * FROM shop.fresh ORDER BY id`,
        [
          ['a', 1],
          ['b', null],
        ],
      ],
    ] as const) {
      // oxfmt-ignore
      const all = await engine.run(sql);
      expect(all.columns, sql).to.deep.equal(['id', 'x']);
      expect(all.rows).to.deep.equal(rows);
      expect(all.readUnits).to.equal(0.5);
    }
  });

  it('do not count against what a statement may read', async () => {
    const sql = `SELECT * FROM shop.small WHERE id = 'p3' AND sk = 123`;
    expect((await engine.run(sql, { maxReadUnits: 0.5 })).columns).to.deep.equal(COLUMNS);
  });

  it('are columns of whole results that begin after all was read', async () => {
    for (const format of ['ndjson', 'csv', 'parquet'] as const) {
      const whole = await once('SELECT * FROM shop.small', { format });
      expect(whole.columns, format).to.deep.equal(COLUMNS);
      expect(late(whole)).to.deep.equal([]);
    }
    const csv = await engine.run('SELECT * FROM shop.small', { format: 'csv' });
    expect(csv.text.split('\r\n')[0]).to.equal(COLUMNS.join(','));
    expect(csv.text).to.contain(',12345678901234567890.5,here\r\n');
    const parquet = await engine.run('SELECT * FROM shop.small', { format: 'parquet' });
    expect((await readParquet(parquet.bytes)).names).to.deep.equal(COLUMNS);
  });

  it('end CSV and Parquet by name where the header is out, and are left out where that is asked for', async () => {
    for (const format of ['csv', 'parquet'] as const) {
      const failure: PenstockError = await engine.failure('SELECT * FROM shop.large', { format });
      expect(failure.code, format).to.equal('EXECUTION_ERROR');
      expect(failure.message).to.equal(
        '* has no column for attributes of shop.large that were met on the way: amount, rare',
      );
      expect(failure.detail).to.contain('at line 1, column 8: ').and.to.contain('run the statement again');
      const reported = engine.reported.at(-1);
      expect(reported?.attributes.map(({ name }) => name).toSorted()).to.deep.equal(['amount', 'rare']);
      const dropped = await engine.run('SELECT * FROM shop.large', { format, lateAttributes: 'drop' });
      expect(dropped.columns).to.deep.equal(['id', 'sk', 'v']);
      expect(late(dropped)).to.have.length(1);
      expect(late(dropped)[0]).to.contain('amount, rare');
    }
  });

  it('are in a last column of CSV and Parquet where that is asked for, those that come in time are columns all the same', async () => {
    const options = { lateAttributes: 'others' } as const;
    const { text } = await engine.run('SELECT * FROM shop.large', { ...options, format: 'csv' });
    const lines = text.split('\r\n');
    expect(lines[0]).to.equal('id,sk,v,_others');
    expect(lines.filter((line) => line.includes('here'))).to.have.length(1);
    expect(lines.find((line) => line.includes('here'))).to.match(
      /,"\{""amount"":12345678901234567890\.5,""rare"":""here""\}"$/,
    );
    expect(lines[1]).to.match(/,$/);
    const file = await readParquet(
      (await engine.run('SELECT * FROM shop.large', { ...options, format: 'parquet' })).bytes,
    );
    expect(file.names).to.deep.equal(['id', 'sk', 'v', '_others']);
    for (const sql of ['SELECT * FROM shop.small', 'SELECT * FROM shop.small ORDER BY sk']) {
      const { columns, types, text } = await engine.run(sql, { ...options, format: 'csv' });
      expect(columns).to.deep.equal([...COLUMNS, '_others']);
      expect(types.at(-1)).to.equal('JSON');
      expect(text).to.contain(',12345678901234567890.5,here,\r\n');
    }
  });

  it('make rows of NDJSON longer that have them, once the columns were told', async () => {
    for (const rowFormat of ['array', 'object'] as const) {
      const whole = await engine.run('SELECT * FROM shop.large', { format: 'ndjson', rowFormat });
      expect(late(whole)).to.deep.equal([]);
      const rows = whole.text.trimEnd().split('\n');
      expect(rows).to.have.length(56);
      const has = rows.findIndex((row) => row.includes('here'));
      const end =
        rowFormat === 'array'
          ? ',12345678901234567890.5,"here"]'
          : ',"amount":12345678901234567890.5,"rare":"here"}';
      expect(rows[has]?.endsWith(end), rows[has]?.slice(-100)).to.equal(true);
      expect(whole.columns).to.deep.equal(COLUMNS);
      expect(whole.types.slice(3)).to.deep.equal(['DECIMAL(38,1)', 'VARCHAR']);
      expect(whole.headers).to.equal(2);
    }
  });

  it('are named, and are no columns, where the columns were told before; or are refused', async () => {
    const sql = 'SELECT * FROM shop.small';
    const warned = await once(sql, { format: 'ndjson', lateAttributes: 'warn' });
    expect(warned.columns).to.deep.equal(['id', 'sk', 'v']);
    expect(late(warned)).to.deep.equal([
      '* has no column for attributes of shop.small that its sample had missed: amount, rare. They were read and are not ' +
        'shown; run the statement again, or name them',
    ]);
    const failure = await engine.failure(sql, { format: 'ndjson', lateAttributes: 'refuse' });
    expect(failure.message).to.contain('amount, rare');
  });

  it('are all there where they are many, and refused by name where a result cannot have them', async () => {
    const { columns, rows } = await engine.run('SELECT * FROM shop.sparse');
    expect(columns).to.have.length(2_001);
    expect(columns.slice(1)).to.deep.equal(columns.slice(1).toSorted());
    const values = (rows as readonly (readonly unknown[])[]).flat().filter((value) => value !== null);
    expect(values).to.have.length(2_100);
    for (const format of [undefined, 'csv'] as const) {
      const failure = await engine.failure(
        'SELECT * FROM shop.endless',
        format === undefined ? {} : { format },
      );
      expect(failure.code).to.equal('INVALID_QUERY');
      expect(failure.detail).to.match(/^at line 1, column 8: More than 5000 columns in one SELECT; .*attr_/);
    }
  });
});
