/** Numbers in maps and lists keep all their digits, by whatever way a statement gets at them. */
import { expect } from 'chai';
import { engineTable, n, s } from './shop.ts';
import type { EngineTable } from './engine-table.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

/** More than a double holds, and as many digits as DynamoDB does. */
const BIG = '9007199254740993';
const DIGITS = '12345678901234567890123456789012345678';
const FRACTION = '0.1234567890123456789012345678901234567';

function nested(): EngineTable {
  return engineTable('nested', { partitionKey: { name: 'id', type: 'S' }, sortKey: null }, [
    {
      id: s('a'),
      m: { M: { big: n(BIG), digits: n(DIGITS), fraction: n(FRACTION), l: { L: [n(DIGITS), { M: { x: n(`-${DIGITS}`) } }] } } },
      l: { L: [n(BIG), n(DIGITS)] },
    },
    { id: s('b'), m: { M: { big: n('9007199254740992') } }, l: { L: [n('1'), s('x')] } },
  ]); // oxfmt-ignore
}

/** Lists whose elements only a query parts, not a read. */
function listed(): EngineTable {
  const line = (sku: string, price: string, qty: string) => ({
    M: { sku: s(sku), price: n(price), qty: n(qty) },
  });
  return engineTable('listed', { partitionKey: { name: 'id', type: 'S' }, sortKey: null }, [
    { id: s('i1'), lines: { L: [line('a', '0.1', '1'), line('b', '0.2', '1')] }, ids: { NS: [BIG, '1'] } },
    { id: s('i2'), lines: { L: [line('a', BIG, '1'), line('b', '-12345678901234567.89', '1')] } },
    { id: s('i3'), texts: { L: [s('1.239'), s('"1.25, 2.125"'), n('7')] }, deep: { M: { l: { L: [{ L: [n('0.12345678901234567')] }] } } } },
    { id: s('i4'), any: { L: [n('0.1'), n('0.2')] } },
    { id: s('i5'), any: n('3') },
    { id: s('i6'), ids: { L: [n(DIGITS), n(FRACTION)] } },
  ]); // oxfmt-ignore
}

/** What each way to `q` gives must be the same as from the table itself. */
const WAYS: Readonly<Record<string, string>> = {
  'the table': 'SELECT $ FROM shop.nested q',
  'a derived table': 'SELECT $ FROM (SELECT id, m, l FROM shop.nested) q',
  'derived tables under other names': 'SELECT $ FROM (SELECT b m, c l, a id FROM (SELECT id a, m b, l c FROM shop.nested) p) q',
  'a common table expression': 'WITH q AS (SELECT id, m, l FROM shop.nested) SELECT $ FROM q',
  'one that is used twice': 'WITH q AS (SELECT id, m, l FROM shop.nested LIMIT 9) SELECT $ FROM q JOIN q r ON r.m.big = q.m.big',
  'one over another': 'WITH p AS (SELECT * FROM shop.nested LIMIT 9), q AS (SELECT m, l, id FROM p) SELECT $ FROM q JOIN q r ON r.id = q.id JOIN p ON p.m.big = q.m.big',
  'DISTINCT': 'SELECT $ FROM (SELECT DISTINCT m, l, id FROM shop.nested) q',
  'GROUP BY': 'SELECT $ FROM (SELECT id, m, l, count(*) FROM shop.nested GROUP BY l, m, id) q',
  'UNION': 'SELECT $ FROM (SELECT id, m, l FROM shop.nested UNION SELECT id, m, l FROM shop.nested) q',
  'UNION ALL': "SELECT $ FROM (SELECT id, m, l FROM shop.nested UNION ALL SELECT id, m, l FROM shop.nested WHERE id > 'z') q",
  'an order and a limit': 'SELECT $ FROM (SELECT id, m, l FROM shop.nested ORDER BY m.big LIMIT 2) q',
  'a window': 'SELECT $ FROM (SELECT id, m, l, ROW_NUMBER() OVER (ORDER BY m.big) FROM shop.nested) q',
  'an outer join': 'SELECT $ FROM shop.nested p LEFT JOIN (SELECT id, m, l FROM shop.nested) q ON p.id = q.id',
}; // oxfmt-ignore

const VALUES =
  'q.id, q.m.big + 1, q.m.digits, q.m.fraction, q.m.l[0], q.m.l[1].x, q.l[0] - 1, q.l[1], q.m.nothing.here';

describe('numbers in maps and lists', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([nested(), listed()]);
  });
  after(() => engine.close());

  for (const [way, sql] of Object.entries(WAYS)) {
    it(`keep their digits and have a type of their own by way of ${way}`, async () => {
      const { json, types } = await engine.run(`${sql.replace('$', () => VALUES)} ORDER BY 1`);
      expect(json).to.equal(
        `[["a",9007199254740994,${DIGITS},${FRACTION},${DIGITS},-${DIGITS},9007199254740992,${DIGITS},null],` +
          `["b",9007199254740993,null,null,null,null,0,"x",null]]`,
      );
      expect(types.slice(1, 7)).to.deep.equal([
        ...['BIGINT', 'HUGEINT', 'DECIMAL(38,37)', 'HUGEINT', 'HUGEINT', 'BIGINT'],
      ]);
      const scanned = await engine.runScanning(`${sql.replace('$', () => VALUES)} ORDER BY 1`);
      expect(scanned.json).to.equal(json);
    });

    it(`are told apart in conditions by way of ${way}`, async () => {
      const where = sql.includes(' JOIN ') ? ' AND ' : ' WHERE ';
      const { rows } = await engine.run(`${sql.replace('$', 'q.id')}${where}q.m.big = ${BIG}`);
      expect(rows).to.deep.include(['a']).and.not.deep.include(['b']);
    });
  }

  for (const [sql, json] of [
    [`SELECT id, SUM(l.price) FROM shop.listed i CROSS JOIN UNNEST(i.lines) AS l GROUP BY id ORDER BY id`, `[["i1",0.3],["i2",-3338479646493574.89]]`],
    [`SELECT SUM(l.price) = 0.3 FROM shop.listed i CROSS JOIN UNNEST(i.lines) AS l WHERE id = 'i1'`, `[[true]]`],
    [`SELECT l.price, l.price + 1 FROM shop.listed i CROSS JOIN UNNEST(i.lines) AS l WHERE l.sku = 'b' AND id = 'i2'`, `[[-12345678901234567.89,-12345678901234566.89]]`],
    [`SELECT l.price * l.qty FROM shop.listed i CROSS JOIN UNNEST(i.lines) AS l WHERE l.sku = 'a' AND id = 'i2'`, `[[${BIG}]]`],
    [`SELECT SUM(CAST(l.price AS DECIMAL(38,2))), AVG(l.price) FROM shop.listed i CROSS JOIN UNNEST(i.lines) AS l WHERE id = 'i2'`, `[[-3338479646493574.89,-1669239823246787.445]]`],
    [`SELECT SUM(n) FROM shop.listed i CROSS JOIN UNNEST(i.ids) AS u(n) WHERE id = 'i1'`, `[[9007199254740994]]`],
    [`SELECT l FROM shop.listed i CROSS JOIN UNNEST(i.lines) AS l WHERE l.sku = 'b' AND id = 'i2'`, `[[{"price":-12345678901234567.89,"qty":1,"sku":"b"}]]`],
    [`SELECT lines[k - 1].price FROM (SELECT lines, 2 AS k FROM shop.listed WHERE id = 'i2') q`, `[[-12345678901234567.89]]`],
    [`SELECT COALESCE(lines, lines)[1].price + 1 FROM shop.listed WHERE id = 'i2'`, `[[-12345678901234566.89]]`],
    [`SELECT t, t + 1 FROM shop.listed i CROSS JOIN UNNEST(i.texts) AS t`, `[[7,8],["\\"1.25, 2.125\\"",null],["1.239",2.239]]`],
    [`SELECT e[0], e[0] * 10 FROM shop.listed i CROSS JOIN UNNEST(i.deep.l) AS e`, `[[0.12345678901234567,1.2345678901234567]]`],
    [`SELECT SUM(a) FROM shop.listed i CROSS JOIN UNNEST(i.any) AS a`, `[[0.3]]`],
    [`SELECT n FROM shop.listed i CROSS JOIN UNNEST(i.ids) AS u(n) WHERE id = 'i6' ORDER BY n`, `[[${FRACTION}],[${DIGITS}]]`],
    [`SELECT SUM(l.price) FROM (SELECT lines FROM shop.listed WHERE id = 'i1' UNION ALL SELECT lines FROM shop.listed WHERE id = 'i2') q CROSS JOIN UNNEST(q.lines) AS l`, `[[-3338479646493574.59]]`],
    [`SELECT sum(q.m.big), max(q.m.big) FROM (SELECT m FROM shop.nested) q`, `[[18014398509481985,${BIG}]]`],
    [`SELECT a.m.big - b.m.big FROM (SELECT m FROM shop.nested) a, (SELECT m FROM shop.nested) b WHERE a.m.big > b.m.big`, `[[1]]`],
    [`SELECT (SELECT q.m.big + 1 FROM (SELECT m, id FROM shop.nested) q WHERE q.id = o.id) FROM (SELECT id FROM shop.nested) o ORDER BY 1 DESC LIMIT 1`, `[[9007199254740994]]`],
    [`WITH q AS (SELECT m FROM shop.nested) SELECT count(*) FROM q a, q b WHERE a.m.big IN (SELECT c.m.big FROM q c WHERE c.m.big < b.m.big)`, `[[1]]`],
    [`SELECT q.m.big FROM (SELECT m FROM shop.nested UNION ALL SELECT '{"big":5}') q ORDER BY 1 LIMIT 1`, `[[5]]`],
    [`SELECT q.m, q.m.big FROM (SELECT m FROM shop.nested WHERE id = 'b') q`, `[[{"big":9007199254740992},9007199254740992]]`],
  ] as const) {
    it(`are exact in ${sql}`, async () => expect((await engine.run(sql)).json).to.equal(json));
  } // oxfmt-ignore

  it('are exact on every page of what is read item by item', async () => {
    const sql = "SELECT id, COALESCE(lines, lines)[0].price + 1 FROM shop.listed WHERE id < 'i3'";
    const whole = await engine.run(sql);
    expect(whole.json).to.include('1.1').and.include('9007199254740994');
    const pages = [];
    for (const resumeIdx of [0, 1]) pages.push((await engine.run(sql, { resumeIdx, maxRows: 1 })).json);
    expect(`[${pages.map((json) => json.slice(1, -1)).join(',')}]`).to.equal(whole.json);
  });
});
