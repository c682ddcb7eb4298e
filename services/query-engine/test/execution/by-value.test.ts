/** Comparisons, order and arithmetic by value, on columns of every type. */
import { expect } from 'chai';
import type { Database } from '../../src/execution/session/database.ts';
import type { ArithmeticOperator, ComparisonOperator, Expression } from '../../src/logical/expression.ts';
import type { LogicalPlan } from '../../src/logical/plan.ts';
import type { TestCell } from './batches.ts';
import { column, num, ref, runPlan, scanOf, testDatabase, testTable, text } from './tables.ts';

describe('values', () => {
  let database: Database;
  before(() => {
    database = testDatabase();
  });
  after(() => database.close());

  /** The rows' values of an expression over a column with these cells. */
  async function evaluate(
    cells: readonly TestCell[],
    make: (value: Expression) => Expression,
  ): Promise<readonly unknown[]> {
    const table = testTable(
      't',
      ['id', 'v'],
      cells.map((cell, i) => [String(i).padStart(3, '0'), cell]),
    );
    const { scan, c } = scanOf(table);
    const { id, v } = c;
    if (id === undefined || v === undefined) throw new Error('no column');
    const plan: LogicalPlan = {
      kind: 'Sort',
      input: {
        kind: 'Project',
        input: scan,
        columns: [
          { column: id, expression: ref(id) },
          { column: column('x'), expression: make(ref(v)) },
        ],
      },
      keys: [{ expression: ref(id), descending: false, nullsFirst: true }],
    };
    const { json } = await runPlan(database, [table], plan);
    return (JSON.parse(json) as unknown[][]).map(([, value]) => value);
  }

  const compare =
    (operator: ComparisonOperator, right: Expression) =>
    (left: Expression): Expression => ({ kind: 'Comparison', operator, left, right });
  const arithmetic =
    (operator: ArithmeticOperator, right: Expression) =>
    (left: Expression): Expression => ({ kind: 'Arithmetic', operator, left, right });

  const MIXED: readonly TestCell[] = [
    1,
    '1',
    { n: '1.0' },
    'abc',
    true,
    { json: '{"a":1}' },
    undefined,
    2,
    '1e0',
  ];

  it('of a mixed column equal a number as numbers', async () => {
    expect(await evaluate(MIXED, compare('=', num(1)))).to.deep.equal(
      [true, true, true, false, true, false, null, false, true],
    ); // oxfmt-ignore
  });

  it('of a mixed column equal text as text', async () => {
    expect(await evaluate(MIXED, compare('=', text('1')))).to.deep.equal(
      [true, true, true, false, true, false, null, false, false],
    ); // oxfmt-ignore
  });

  it('that are no numbers differ from every number and are neither less nor greater', async () => {
    const cells = ['abc', '5', null];
    expect(await evaluate(cells, compare('<>', num(5)))).to.deep.equal([true, false, null]);
    expect(await evaluate(cells, compare('<', num(9)))).to.deep.equal([false, true, null]);
    expect(await evaluate(cells, compare('>=', num(0)))).to.deep.equal([false, true, null]);
    expect(await evaluate(cells, compare('IS NOT DISTINCT FROM', num(5)))).to.deep.equal([
      false,
      true,
      false,
    ]);
  });

  it('as text are told apart from numbers that only a double confuses', async () => {
    const cells = ['12345678901234567890', '12345678901234567891'];
    expect(await evaluate(cells, compare('=', num('12345678901234567890')))).to.deep.equal([true, false]);
    expect(await evaluate(cells, compare('>', num('12345678901234567890')))).to.deep.equal([false, true]);
  });

  it('of 38 digits compare exactly', async () => {
    const [big, bigger] = [
      '99999999999999999999999999999999999998',
      '99999999999999999999999999999999999999',
    ];
    expect(await evaluate([{ n: big }, { n: bigger }], compare('<', num(bigger)))).to.deep.equal([
      true,
      false,
    ]);
    expect(await evaluate([{ n: big }], compare('>', num('1.5')))).to.deep.equal([true]);
  });

  it('of binary compare as base64', async () => {
    expect(await evaluate([{ b: 'qrs=' }, { b: 'AAA=' }], compare('=', text('qrs=')))).to.deep.equal([
      true,
      false,
    ]);
  });

  it('whole overflow no 64 bits', async () => {
    const most = { n: '9223372036854775807' };
    const exact = async (make: (value: Expression) => Expression): Promise<string> => {
      const table = testTable('t', ['id', 'v'], [['a', most]]);
      const { scan, c } = scanOf(table);
      const plan: LogicalPlan = {
        kind: 'Project',
        input: scan,
        columns: [{ column: column('x'), expression: make(ref(c['v'] ?? column('v'))) }],
      };
      return (await runPlan(database, [table], plan)).json;
    };
    expect(await exact(arithmetic('+', num(1)))).to.equal('[[9223372036854775808]]');
    expect(await exact(arithmetic('*', num('1000000000000000000')))).to.equal(
      '[[9223372036854775807000000000000000000]]',
    );
    expect(await exact(arithmetic('-', num('0.5')))).to.equal('[[9223372036854775806.5]]');
  });

  it('divide exactly, and by zero give NULL', async () => {
    expect(await evaluate([5, 0, null], arithmetic('/', num(2)))).to.deep.equal([2.5, 0, null]);
    expect(await evaluate([5], arithmetic('/', num(0)))).to.deep.equal([null]);
    expect(await evaluate([5, { n: '5.5' }], arithmetic('%', num(0)))).to.deep.equal([null, null]);
  });

  it('add decimals without rounding', async () => {
    expect(await evaluate([{ n: '0.1' }], arithmetic('+', num('0.2')))).to.deep.equal([0.3]);
  });

  it('in bitwise operators are whole', async () => {
    expect(await evaluate([6], arithmetic('&', num(3)))).to.deep.equal([2]);
    expect(await evaluate([6], arithmetic('|', num(3)))).to.deep.equal([7]);
    expect(await evaluate([6], arithmetic('^', num(3)))).to.deep.equal([5]);
    expect(await evaluate([6], arithmetic('<<', num(2)))).to.deep.equal([24]);
    expect(await evaluate([6], arithmetic('>>', num(1)))).to.deep.equal([3]);
  });

  it('concatenate as the text that they are shown as', async () => {
    const cells: readonly TestCell[] = [1, { n: '1.50' }, 'x', true, null];
    expect(await evaluate(cells, arithmetic('||', text('!')))).to.deep.equal([
      '1!',
      '1.5!',
      'x!',
      'true!',
      null,
    ]);
  });

  it('take arithmetic on text that is a number, and give NULL for the rest', async () => {
    expect(await evaluate(['2', 'x', 3], arithmetic('*', num(2)))).to.deep.equal([4, null, 6]);
  });

  it('of a column that no item has fit every expression', async () => {
    const cells: readonly TestCell[] = [undefined, undefined];
    expect(await evaluate(cells, arithmetic('+', num(1)))).to.deep.equal([null, null]);
    expect(await evaluate(cells, compare('=', text('x')))).to.deep.equal([null, null]);
    expect(await evaluate(cells, compare('<', num(1)))).to.deep.equal([null, null]);
    const coalesce = (value: Expression): Expression => ({
      kind: 'FunctionCall',
      name: 'COALESCE',
      arguments: [value, num('1.5')],
    });
    expect(await evaluate(cells, coalesce)).to.deep.equal([1.5, 1.5]);
  });

  it('of different kinds in CASE are shown each as it is', async () => {
    const choose = (value: Expression): Expression => ({
      kind: 'Case',
      operand: null,
      branches: [{ when: compare('=', num(1))(value), then: text('one') }],
      otherwise: value,
    });
    expect(await evaluate([1, 2, null], choose)).to.deep.equal(['one', 2, null]);
  });

  it('in a list of several types match by value', async () => {
    const inList = (value: Expression): Expression => ({
      kind: 'InList',
      operand: value,
      values: [num(1), text('b')],
      negated: false,
    });
    expect(await evaluate([1, 'b', '1', 'c'], inList)).to.deep.equal([true, true, true, false]);
  });

  it('in a long list of numbers match by value', async () => {
    const among = (value: Expression): Expression => ({
      kind: 'InList',
      operand: value,
      values: Array.from({ length: 20 }, (_, i) => num(i === 0 ? '12345678901234567891' : `${i}.50`)),
      negated: false,
    });
    const cells = [
      '1.5',
      { n: '2.50' },
      'x',
      '3',
      null,
      '12345678901234567890',
      '12345678901234567891',
      '35e-1',
    ];
    expect(await evaluate(cells, among)).to.deep.equal([true, true, false, false, null, false, true, true]);
  });

  it('that read like infinity or no number are text', async () => {
    expect(await evaluate(['nan', 'inf', '5'], compare('>', num(1)))).to.deep.equal([false, false, true]);
    expect(await evaluate(['nan', 'inf', '5'], arithmetic('+', num(1)))).to.deep.equal([null, null, 6]);
  });

  it('as text are instants next to an interval', async () => {
    const day: Expression = { kind: 'Literal', value: { type: 'interval', value: '1', unit: 'DAY' } };
    expect(await evaluate(['2024-02-28T10:00:00Z', 'x'], arithmetic('+', day))).to.deep.equal([
      '2024-02-29T10:00:00',
      null,
    ]);
  });

  it('within a document are reached by path, with names of any kind', async () => {
    const access =
      (...path: (string | number)[]) =>
      (value: Expression): Expression => ({
        kind: 'DocumentAccess',
        operand: value,
        path,
      });
    const cells: readonly TestCell[] = [{ json: '{"a b":{"c/d":[1,"x",null,true]},"\\"":2}' }, 'no document'];
    expect(await evaluate(cells.slice(0, 1), access('a b', 'c/d', 1))).to.deep.equal(['x']);
    expect(await evaluate(cells.slice(0, 1), access('a b', 'c/d', 0))).to.deep.equal([1]);
    expect(await evaluate(cells.slice(0, 1), access('a b', 'c/d', 3))).to.deep.equal([true]);
    expect(await evaluate(cells.slice(0, 1), access('a b', 'c/d', 2))).to.deep.equal([null]);
    expect(await evaluate(cells.slice(0, 1), access('"'))).to.deep.equal([2]);
    expect(await evaluate(cells.slice(0, 1), access('a b'))).to.deep.equal([{ 'c/d': [1, 'x', null, true] }]);
  });
});
