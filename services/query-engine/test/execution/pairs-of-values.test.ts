/**
 * Each pair of values compares alike, whatever else is in their columns and however the statement asks: held against the
 * definition for values of every type, alone with their like and all together. A run takes a
 * quarter of the pairs of types, and each type with all others on one of both sides; the long lane all.
 */
import { expect } from 'chai';
import { isChosen, oneOf, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { bind } from '../../src/binder/bind.ts';
import type { Database } from '../../src/execution/session/database.ts';
import type { TableName } from '../../src/binder/table-names.ts';
import { NO_PARAMETERS } from '../../src/binder/parameters.ts';
import { parse } from '../../src/parser/parse.ts';
import type { TestCell } from './batches.ts';
import { runPlan, testDatabase, testTable, type TestTable } from './tables.ts';
import { OPERATORS, holds, signOf } from './value-rule.ts';

const n = (text: string): TestCell => ({ n: text });
/** Cells that make a column of one type, by a name for it. */
const COLUMNS: Readonly<Record<string, readonly TestCell[]>> = {
  'whole numbers': [1, 0, -1, 7, null],
  'numbers of 64 bits and more': ['9007199254740992', '9007199254740993', '12345678901234567891'].map(n),
  decimals: ['1.5', '7.00', '-0.25', '9007199254740992.5'].map(n),
  'numbers of 38 digits': ['12345678901234567890123456789012345678', '12345678901234567890123456789012345679'].map(n),
  'small fractions': ['0.00000000000000000000000000000000000001', '0.1', '0.1000000000000000055'].map(n),
  'numbers that no exact type holds': ['1E+20', '1E-100', '-9007199254740993', '-9007199254740992', '1'].map(n),
  texts: ['', 'x', '1', '07', '7', ' 7', '1.0', '1e20', '9007199254740993', '-9007199254740993.0', '0.10', 'inf', null],
  words: ['true', 'TRUE', 't', 'F', '0', 'on', '[1]', '{"a":1}', 'AQ==', '/w==', '1234', '2024-01-01'],
  'truth values': [true, false],
  'binary values': [{ b: 'AQ==' }, { b: '/w==' }, { b: 'true' }, { b: '1234' }],
  documents: [{ json: '[1]' }, { json: '{"a":1}' }],
  'nothing at all': [null, undefined],
}; // oxfmt-ignore
const NAMES = Object.keys(COLUMNS);
const ALL = Object.values(COLUMNS).flat();

describe(`pairs of values (${SEED_SHOWN})`, function () {
  this.timeout(60_000);
  let database: Database;
  before(() => {
    database = testDatabase();
  });
  after(() => database.close());

  const tableOf = (name: string, value: string, cells: readonly TestCell[]): TestTable =>
    testTable(name, ['id', value], cells.map((cell, i) => [String(i), cell])); // oxfmt-ignore

  async function rowsOf(sql: string, tables: readonly TestTable[]): Promise<readonly unknown[][]> {
    const find = ({ table }: TableName) => {
      const found = tables.find(({ catalog }) => catalog.tableName === table.name);
      if (found === undefined) throw new Error(`no table ${table.name}`);
      return found.catalog;
    };
    const { plan } = bind(parse(sql), { sql, tables: find, parameters: NO_PARAMETERS });
    const { json } = await runPlan(database, tables, plan, { maxRows: 10_000, pageRows: 100 });
    return JSON.parse(json) as unknown[][];
  }

  async function check(
    lefts: readonly TestCell[],
    rights: readonly TestCell[],
    about: string,
  ): Promise<void> {
    const tables = [tableOf('a', 'v', lefts), tableOf('b', 'w', rights)];
    const asked = [
      ...OPERATORS.map((operator) => `a."v" ${operator} b."w"`),
      ...OPERATORS.map((operator) => `NOT (a."v" ${operator} b."w")`),
      'a."v" IS DISTINCT FROM b."w"',
      'a."v" IN (b."w")',
      'a."v" NOT IN (SELECT x."w" FROM shop.b x WHERE x.id = b.id)',
      'a."v" <= ANY (SELECT x."w" FROM shop.b x WHERE x.id = b.id)',
      'a."v" <> ALL (SELECT x."w" FROM shop.b x WHERE x.id = b.id)',
      'CASE a."v" WHEN b."w" THEN TRUE ELSE FALSE END',
      'NULLIF(a."v", b."w") IS NULL',
    ];
    const expected = (a: TestCell, b: TestCell): readonly unknown[] => {
      const direct = OPERATORS.map((operator) => holds(operator, a, b));
      const not = direct.map((truth) => (truth === null ? null : !truth));
      const equal = holds('=', a, b);
      const [noA, noB] = [a ?? null, b ?? null].map((cell) => cell === null);
      const distinct = noA === true || noB === true ? noA !== noB : equal !== true;
      return [...direct, ...not, distinct, equal, equal === null ? null : !equal, holds('<=', a, b), holds('<>', a, b), equal === true, noA === true || equal === true]; // oxfmt-ignore
    };
    const outcomes = new Map<string, readonly unknown[]>();
    for (const [a, b, ...outcome] of await rowsOf(
      `SELECT a.id, b.id, ${asked.join(', ')} FROM shop.a, shop.b`,
      tables,
    ))
      outcomes.set(`${String(a)} ${String(b)}`, outcome);
    const equalPairs: string[] = [];
    for (const [i, a] of lefts.entries())
      for (const [j, b] of rights.entries()) {
        const wanted = expected(a, b);
        const found = outcomes.get(`${i} ${j}`) ?? [];
        const wrong = asked.filter((_, k) => found[k] !== wanted[k]);
        expect(wrong, `${about}: ${JSON.stringify(a)} with ${JSON.stringify(b)}`).to.deep.equal([]);
        if (signOf(a, b) === 0) equalPairs.push(`${i} ${j}`);
      }
    const joined = await rowsOf(`SELECT a.id, b.id FROM shop.a JOIN shop.b ON a."v" = b."w"`, tables);
    expect(joined.map((row) => row.join(' ')).sort(), `${about}, joined`).to.deep.equal(equalPairs.sort());
    const members = await rowsOf(`SELECT id FROM shop.a WHERE "v" IN (SELECT "w" FROM shop.b)`, tables);
    const withEqual = lefts.flatMap((a, i) => (rights.some((b) => signOf(a, b) === 0) ? [String(i)] : []));
    expect(members.map(String).sort(), `${about}, IN a subquery`).to.deep.equal(withEqual.sort());
  }

  for (const [i, name] of NAMES.entries())
    it(`with ${name} on one side compare by value, alone and among others`, async () => {
      const cells = COLUMNS[name] ?? [];
      for (const [j, other] of NAMES.slice(i).entries())
        if (isChosen(4, i + j)) await check(cells, COLUMNS[other] ?? [], `${name} with ${other}`);
      for (const side of oneOf(['left', 'right'], i))
        if (side === 'left') await check(cells, ALL, `${name} with all`);
        else await check(ALL, cells, `all with ${name}`);
    });

  it('of every type in one column compare by value', () => check(ALL, ALL, 'all with all'));

  it('in a long list of constants match by value', async () => {
    const listed = ['1', '07', 'x', 'true', 'AQ==', '[1]', '9007199254740993', '1e20', ''];
    const numbers = ['7', '9007199254740992', '0.1', '100000000000000000000', '0'];
    const list = [...listed.map((text) => `'${text}'`), ...numbers].join(', ');
    const values = [...listed, ...numbers.map(n)];
    for (const [name, cells] of [...Object.entries(COLUMNS), ['all', ALL] as const]) {
      const tables = [tableOf('a', 'v', cells)];
      const found = await rowsOf(`SELECT id, "v" IN (${list}), "v" NOT IN (${list}) FROM shop.a`, tables);
      for (const [id, among, notAmong] of found) {
        const cell = cells[Number(id)];
        const wanted = (cell ?? null) === null ? null : values.some((value) => signOf(cell, value) === 0);
        expect([among, notAmong], `${name}: ${JSON.stringify(cell)}`).to.deep.equal([
          wanted,
          wanted === null ? null : !wanted,
        ]);
      }
    }
  });

  it('of one kind sort as they compare, whatever else is in the column', async () => {
    const numbers = [
      ...new Set(ALL.filter((cell) => typeof cell === 'object' && cell !== null && 'n' in cell)),
    ];
    for (const cells of [numbers, COLUMNS['binary values'] ?? []]) {
      const tables = [tableOf('a', 'v', [...cells, 'x', true])];
      const sorted = (await rowsOf(`SELECT id FROM shop.a ORDER BY "v"`, tables)).map(
        ([id]) => cells[Number(id)],
      );
      const kept = sorted.filter((cell) => cell !== undefined);
      for (let i = 1; i < kept.length; i++)
        expect(signOf(kept[i - 1], kept[i]), JSON.stringify([kept[i - 1], kept[i]])).to.be.oneOf([-1, 0]);
      const [ends] = await rowsOf(
        `SELECT MIN("v"), MAX("v") FROM shop.a WHERE "v" <> 'x' AND "v" <> TRUE AND id < '${cells.length}'`,
        tables,
      );
      const alone = tableOf('a', 'v', cells);
      const [endsAlone] = await rowsOf(`SELECT MIN("v"), MAX("v") FROM shop.a`, [alone]);
      if (typeof cells[0] === 'object' && cells[0] !== null && 'b' in cells[0])
        expect(ends).to.deep.equal(endsAlone);
    }
  });
});
