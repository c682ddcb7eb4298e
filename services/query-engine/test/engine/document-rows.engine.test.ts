/** Rows of a document's parts: jsonb_array_elements, jsonb_object_keys and jsonb_each, in FROM and in a SELECT list. */
import { expect } from 'chai';
import { engineTable } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const KEY = { partitionKey: { name: 'pk', type: 'S' }, sortKey: { name: 'no', type: 'N' } } as const;
const ITEMS = [
  {
    ...{ pk: { S: 'a' }, no: { N: '1' } },
    lines: { L: [{ M: { sku: { S: 'x' }, n: { N: '2' } } }, { M: { sku: { S: 'y' } } }] },
    tags: { L: [{ S: 'red' }, { N: '7' }, { NULL: true }, { BOOL: true }] },
    address: { M: { city: { S: 'Lyon' }, geo: { M: { lat: { N: '1.50' } } }, nothing: { NULL: true } } },
    text: { S: '["p",{"q":1}]' },
  },
  { pk: { S: 'a' }, no: { N: '2' }, lines: { S: 'none' }, tags: { L: [] }, set: { SS: ['u', 'v'] } },
];

describe('rows of a document’s parts', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine([engineTable('docs', KEY, ITEMS)]);
  });
  after(() => engine.close());

  for (const [sql, expected] of [
    [
      `SELECT d.no, e.sku, e->>'n' FROM shop.docs d, jsonb_array_elements(d.lines) e ORDER BY 2`,
      [
        [1, 'x', '2'],
        [1, 'y', null],
      ],
    ],
    [
      `SELECT value FROM shop.docs d CROSS JOIN jsonb_array_elements(d.tags) WITH ORDINALITY AS t(value, n) ORDER BY n`,
      [['red'], [7], [null], [true]],
    ],
    [
      `SELECT t FROM shop.docs d CROSS JOIN jsonb_array_elements_text(d.tags) WITH ORDINALITY AS t(t, n) ORDER BY n`,
      [['red'], ['7'], [null], ['true']],
    ],
    [
      `SELECT json_array_elements_text(text) AS p FROM shop.docs WHERE no = 1 ORDER BY p`,
      [['p'], ['{"q":1}']],
    ],
    [
      `SELECT d.no, k FROM shop.docs d LEFT JOIN jsonb_object_keys(d.address) k ON TRUE ORDER BY 1, 2`,
      [
        [1, 'city'],
        [1, 'geo'],
        [1, 'nothing'],
        [2, null],
      ],
    ],
    [`SELECT jsonb_object_keys(address) AS k FROM shop.docs WHERE no = 1 ORDER BY k LIMIT 1`, [['city']]],
    [
      `SELECT e.key, e.value FROM shop.docs d, jsonb_each(d.address) e ORDER BY 1`,
      [
        ['city', 'Lyon'],
        ['geo', { lat: 1.5 }],
        ['nothing', null],
      ],
    ],
    [
      `SELECT key, value FROM shop.docs d, json_each_text(d.address) ORDER BY 1`,
      [
        ['city', 'Lyon'],
        ['geo', '{"lat":1.5}'],
        ['nothing', null],
      ],
    ],
    [
      `SELECT k, v, n FROM shop.docs d, jsonb_each_text(d.address) WITH ORDINALITY e(k, v, n) WHERE k = 'city'`,
      [['city', 'Lyon', 1]],
    ],
    [
      `SELECT inner_.key, inner_.value FROM shop.docs d, jsonb_each(d.address) o, jsonb_each(o.value) inner_`,
      [['lat', 1.5]],
    ],
    [`SELECT s FROM shop.docs d, jsonb_array_elements(d.set) s ORDER BY 1`, [['u'], ['v']]],
    [`SELECT count(*) FROM shop.docs d, jsonb_array_elements(d.address) s`, [[0]]],
    [`SELECT (SELECT count(*) FROM jsonb_each(d.address)) FROM shop.docs d ORDER BY d.no`, [[3], [0]]],
    [`SELECT jsonb_array_elements.value FROM jsonb_array_elements('[1]')`, [[1]]],
    [`SELECT jsonb_each.key FROM jsonb_each('{"a":1}')`, [['a']]],
  ] as const)
    // oxfmt-ignore
    it(sql, async () => {
      expect((await engine.run(sql)).rows).to.deep.equal(expected);
    });

  for (const [sql, message] of [
    ['SELECT jsonb_each(address) FROM shop.docs', /JSONB_EACH in a SELECT list/],
    ['SELECT 1 FROM jsonb_each()', /JSONB_EACH with 0 arguments/],
    ['SELECT 1 FROM shop.docs WHERE jsonb_object_keys(address) = 1', /JSONB_OBJECT_KEYS in WHERE/],
    ["SELECT e.nope_at_all.x FROM jsonb_each('{}') e", /Column not found/],
  ] as const)
    it(`${sql} is refused`, async () => {
      expect((await engine.failure(sql)).message).to.match(message);
    });

  it('take no longer and longer where they lie in one another', async () => {
    let document = `'{"a":{"a":{"a":1}}}'`;
    for (let i = 0; i < 12; i += 1) document = `(SELECT e.value FROM jsonb_each(${document}) e LIMIT 1)`;
    const started = performance.now();
    await engine.run(`SELECT ${document}`).catch(() => undefined);
    expect(performance.now() - started).to.be.below(10_000);
  });
});
