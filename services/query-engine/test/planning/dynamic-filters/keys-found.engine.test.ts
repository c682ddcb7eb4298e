import { expect } from 'chai';
import { engineTable, n, s } from '../../engine/shop.ts';
import type { EngineTable, TestItem } from '../../engine/engine-table.ts';
import { startTestEngine, type TestEngine } from '../../engine/test-engine.ts';

const padding = s('x'.repeat(3000));

function keyed(name: string, type: 'S' | 'N', keys: readonly TestItem['id'][]): EngineTable {
  const items = keys.map((id, i): TestItem => ({ id: id ?? s(''), place: n(i), padding }));
  return engineTable(name, { partitionKey: { name: 'id', type }, sortKey: null }, items, 3050);
}

/** Values, each in a table of its own: how values compare goes by what else their column holds. */
const VALUES: readonly (readonly [name: string, value: NonNullable<TestItem['id']>])[] = [
  ['word', s('t3')],
  ['digits', s('7')],
  ['padded', s('07')],
  ['spaced', s(' 7')],
  ['scientific', s('7e0')],
  ['number', n(7)],
  ['fraction', n('2.50')],
  ['long', n('12345678901234567890123456789012345678')],
  ['neighbor', n('9007199254740993')],
  ['neighbor-text', s('9007199254740993')],
  ['true', { BOOL: true }],
  ['map', { M: { a: n(1) } }],
  ['binary', { B: new Uint8Array([1, 2]) }],
  ['null', { NULL: true }],
  ['empty', s('')],
];

function giver(name: string, v: NonNullable<TestItem['id']>): EngineTable {
  const item: TestItem = { id: s(name), v };
  return engineTable(`give-${name}`, { partitionKey: { name: 'id', type: 'S' }, sortKey: null }, [item], 30);
}

describe('keys that another table gives', () => {
  let engine: TestEngine;
  before(async () => {
    const texts = ['t3', '7', '07', '7.0', ' 7', 'true', '2.5', '9007199254740993'].map(s);
    const numbers = ['7', '2.5', '9007199254740992', '1'].map(n);
    engine = await startTestEngine([
      ...VALUES.map(([name, value]) => giver(name, value)),
      keyed('texts', 'S', [...texts, ...Array.from({ length: 30 }, (_, i) => s(`more ${i}`))]),
      keyed('numbers', 'N', [...numbers, ...Array.from({ length: 30 }, (_, i) => n(100 + i))]),
    ]);
  });
  after(() => engine.close());

  for (const [name, value] of VALUES) {
    const isScalar = value.M === undefined && value.B === undefined;
    const from = `shop."give-${name}" g`;
    for (const table of ['texts', 'numbers']) {
      const statements = {
        '=': `SELECT g.id, t.id FROM ${from} JOIN shop.${table} t ON t.id = g.v`,
        IN: `SELECT id FROM shop.${table} WHERE id IN (SELECT v FROM ${from})`,
        ...(isScalar
          ? { EXISTS: `SELECT id FROM shop.${table} t WHERE EXISTS (SELECT 1 FROM ${from} WHERE g.v = t.id)` }
          : {}),
      };
      for (const [how, sql] of Object.entries(statements)) {
        it(`are those that ${how} finds: ${name} among ${table}`, async () => {
          const answer = await engine.run(sql);
          const scanned = await engine.runScanning(sql);
          expect(answer.rows).to.deep.equal(scanned.rows);
          expect(answer.readUnits).to.be.at.most(scanned.readUnits);
        });
      }
    }
  }

  it('are looked for at all', async () => {
    const sql = `SELECT t.id FROM shop."give-word" g JOIN shop.texts t ON t.id = g.v`;
    expect((await engine.run(sql)).readUnits).to.equal(1);
  });

  it('are not where the driver cannot be computed, though the statement can', async () => {
    const sql = `SELECT t.id FROM shop."give-word" g JOIN shop.numbers t ON t.id = CAST(g.v AS INTEGER) AND t.place > 1000`;
    expect((await engine.run(sql)).rows).to.deep.equal([]);
  });
});
