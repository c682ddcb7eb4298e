import { expect } from 'chai';
import { engineTable, n, s } from '../../engine/shop.ts';
import { startTestEngine, type TestEngine } from '../../engine/test-engine.ts';
import { described, index, key, many, sized } from '../../engine/units/tables.ts';

const TOWNS = ['Graz', 'Linz', 'Wien', 'Bonn'];

/**
 * 120 customers, three of each of 40 towns, by their numbers as texts; their profiles, three of each of 40 kinds, and a few
 * whose texts are other spellings of the numbers. Items of 2 KB: half a unit by key, 30 units whole.
 */
const CUSTOMERS = many(120, (i) =>
  sized(
    {
      id: s(String(i)),
      town: s(`${TOWNS[i % 4]}${i % 40}`),
      no: n(i),
      mark: i % 2 === 0 ? s(`0${i}`) : n(i),
    },
    2048,
  ),
);
const PROFILES = many(120, (i) =>
  sized({ pk: s(`CUSTOMER#${i}`), kind: s(`kind${i % 40}`), no: n(i) }, 2048),
);
const SPELLED = many(3, (i) => sized({ pk: s(`CUSTOMER#0${i}`), kind: s(`kind${i}`), no: n(i) }, 2048));

const TABLES = [
  described(engineTable('customers', key('id'), CUSTOMERS), [index('by-town', key('town'))]),
  described(engineTable('profiles', key('pk'), [...PROFILES, ...SPELLED]), [index('by-kind', key('kind'))]),
];

/** Read by keys of what the other side has: a town's three customers or a kind's profiles, 1 unit, and each one's partner. */
const BY_KEY: readonly string[] = [
  `shop.customers c JOIN shop.profiles p ON SUBSTR(p.pk, 10) = c.id WHERE c.town = 'Wien2' AND p.pk LIKE 'CUSTOMER#%'`,
  `shop.customers c JOIN shop.profiles p ON SUBSTR(p.pk, 10) = c.id WHERE c.town = 'Wien2' AND LEFT(p.pk, 9) = 'CUSTOMER#'`,
  `shop.customers c JOIN shop.profiles p ON p.pk = 'CUSTOMER#' || c.id WHERE c.town = 'Wien2'`,
  `shop.customers c JOIN shop.profiles p ON p.pk || '#' = CONCAT('CUSTOMER#', c.id, '#') WHERE c.town = 'Wien2'`,
  `shop.customers c JOIN shop.profiles p ON p.pk = 'CUSTOMER#' || c.id WHERE p.kind = 'kind7'`,
  `shop.customers c JOIN shop.profiles p ON '#' || p.pk || '#' = '#CUSTOMER#' || c.id || '#' WHERE p.kind = 'kind7'`,
  `shop.profiles p JOIN shop.customers c ON CONCAT('CUSTOMER#', c.id) = p.pk WHERE p.kind = 'kind7'`,
  `shop.profiles p LEFT JOIN shop.customers c ON CAST(c.id AS VARCHAR) = SUBSTR(p.pk, 10) WHERE p.kind = 'kind7'`,
];

/** A number equals texts of several spellings: what has one is read as it would be without. */
const NOT_BY_KEY: readonly string[] = [
  `shop.customers c JOIN shop.profiles p ON SUBSTR(p.pk, 10) = c.no WHERE c.town = 'Wien2' AND p.pk LIKE 'CUSTOMER#%'`,
  `shop.customers c JOIN shop.profiles p ON SUBSTR(p.pk, 10) = c.mark WHERE c.town = 'Wien2' AND p.pk LIKE 'CUSTOMER#%'`,
  `shop.customers c JOIN shop.profiles p ON SUBSTR(p.pk, 10) = c.id WHERE c.town = 'Wien2'`,
  `shop.customers c JOIN shop.profiles p ON '1' || c.id = p.no WHERE p.kind = 'kind17'`,
  `shop.customers c LEFT JOIN shop.profiles p ON SUBSTR(p.pk, 11) = c.id AND p.pk LIKE 'CUSTOMER#1%' WHERE c.town = 'Wien2'`,
];

describe('equalities of expressions of keys', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine(TABLES);
  });
  after(() => engine.close());

  const run = async (from: string, columns = 'c.id, p.pk') => {
    await engine.aws.clear();
    const sql = `SELECT ${columns} FROM ${from} ORDER BY ${columns}`;
    const { rows } = await engine.run(sql);
    const requests = await engine.aws.requests();
    expect(rows, from).to.deep.equal((await engine.runScanning(sql)).rows);
    expect(rows, from).to.not.deep.equal([]);
    return requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
  };

  for (const from of BY_KEY)
    it(`read by the keys that they mean: ${from}`, async () => {
      expect(await run(from)).to.be.at.most(1 + 4 * 0.5);
    });

  for (const operand of ['SUBSTR(p.pk, 10)', 'CAST(SUBSTR(p.pk, 10) AS VARCHAR)'])
    it(`read by the keys that a subquery gives for ${operand}`, async () => {
      const customers = `(SELECT c.id FROM shop.customers c WHERE c.town = 'Wien2')`;
      const from = `shop.profiles p WHERE p.pk LIKE 'CUSTOMER#%' AND ${operand} IN ${customers}`;
      expect(await run(from, 'p.pk')).to.be.at.most(1 + 4 * 0.5);
    });

  for (const from of NOT_BY_KEY)
    it(`leave no row out where keys cannot be told: ${from}`, async () => {
      await run(from);
    });
});
