import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Database } from '../../src/execution/session/database.ts';
import type { AggregateCall, Column, Expression } from '../../src/logical/expression.ts';
import type { LogicalPlan } from '../../src/logical/plan.ts';
import type { TestCell } from './batches.ts';
import { column, num, ref, runPlan, scanOf, testDatabase, testTable } from './tables.ts';

/** A column by name; a test that misspells one fails here. */
function named(columns: Readonly<Record<string, Column>>, name: string): Column {
  const found = columns[name];
  if (found === undefined) throw new Error(`no column ${name}`);
  return found;
}

function call(name: string, ...args: readonly Expression[]): AggregateCall {
  return { name, arguments: args, distinct: false, orderBy: [], filter: null, withinGroup: [] };
}

function aggregate(
  input: LogicalPlan,
  groupBy: readonly Column[],
  calls: readonly AggregateCall[],
): LogicalPlan {
  return {
    kind: 'Aggregate',
    input,
    groupBy: groupBy.map((key) => ({ column: column(key.name), expression: ref(key) })),
    groupingSets: null,
    aggregates: calls.map((entry) => ({ column: column(entry.name.toLowerCase()), call: entry })),
    groupings: [],
  };
}

function sorted(input: LogicalPlan, key: Column, descending = false): LogicalPlan {
  return { kind: 'Sort', input, keys: [{ expression: ref(key), descending, nullsFirst: !descending }] };
}

describe('running a query', () => {
  let database: Database;
  before(() => {
    database = testDatabase();
  });
  after(() => database.close());

  const orders = testTable(
    'orders',
    ['id', 'customer', 'price'],
    Array.from({ length: 20 }, (_, i): TestCell[] => [
      `o${String(i).padStart(2, '0')}`,
      `c${i % 3}`,
      { n: (i / 4).toFixed(2) },
    ]),
  );
  const customers = testTable(
    'customers',
    ['id', 'name'],
    [
      ['c0', 'Ann'],
      ['c1', 'Bob'],
      ['c9', 'Cem'],
    ],
  );

  it('skips DuckDB for a choice of columns, and stops reading when it has the rows', async () => {
    const { scan } = scanOf(orders, ['id', 'price']);
    const run = await runPlan(database, [orders], scan, { maxRows: 2, resumeIdx: 2, pageRows: 3 });
    expect(run.json).to.equal('[["o02",0.5],["o03",0.75]]');
    expect(run.resumeIdx).to.equal(4);
    expect(run.pagesRead).to.equal(2);
  });

  it('computes page by page and stops reading when it has the rows', async () => {
    const { scan, c } = scanOf(orders, ['id', 'price']);
    const plan: LogicalPlan = {
      kind: 'Project',
      input: {
        kind: 'Filter',
        input: scan,
        predicates: [{ kind: 'Comparison', operator: '>=', left: ref(named(c, 'price')), right: num(1) }],
      },
      columns: [
        {
          column: column('double'),
          expression: { kind: 'Arithmetic', operator: '*', left: ref(named(c, 'price')), right: num(2) },
        },
      ],
    };
    const run = await runPlan(database, [orders], plan, { maxRows: 2, pageRows: 3 });
    expect(run.json).to.equal('[[2],[2.5]]');
    expect(run.pagesRead).to.equal(2);
    expect(run.resumeIdx).to.equal(2);
  });

  it('joins and aggregates exactly', async () => {
    const o = scanOf(orders, ['customer', 'price']);
    const k = scanOf(customers);
    const join: LogicalPlan = {
      kind: 'Join',
      lateral: false,
      join: 'left',
      left: k.scan,
      right: o.scan,
      on: [
        {
          kind: 'Comparison',
          operator: '=',
          left: ref(named(k.c, 'id')),
          right: ref(named(o.c, 'customer')),
        },
      ],
    };
    const plan = aggregate(
      join,
      [named(k.c, 'name')],
      [call('SUM', ref(named(o.c, 'price'))), call('COUNT', ref(named(o.c, 'price')))],
    );
    const run = await runPlan(database, [orders, customers], plan);
    expect(run.json).to.equal('[["Ann",15.75,7],["Bob",17.5,7],["Cem",null,0]]');
    expect(run.types).to.deep.equal(['VARCHAR', 'DECIMAL(38,2)', 'BIGINT']);
  });

  it('gives the same rows page by page as at once, though nothing asks for an order', async () => {
    const { scan, c } = scanOf(orders, ['customer', 'id']);
    const grouped = aggregate(scan, [named(c, 'id')], [call('MAX', ref(named(c, 'customer')))]);
    const whole = await runPlan(database, [orders], grouped);
    const pages: unknown[] = [];
    for (let resumeIdx: number | null = 0; resumeIdx !== null;) {
      const run = await runPlan(database, [orders], grouped, { maxRows: 3, resumeIdx, segments: 4 });
      pages.push(...(JSON.parse(run.json) as unknown[]));
      resumeIdx = run.resumeIdx;
    }
    expect(pages).to.deep.equal(JSON.parse(whole.json));
    expect(pages).to.have.length(20);
  });

  it('breaks ties of the asked order by all the columns', async () => {
    const { scan, c } = scanOf(orders, ['id', 'customer']);
    const run = await runPlan(database, [orders], sorted(scan, named(c, 'customer'), true), { maxRows: 8 });
    expect(JSON.parse(run.json)).to.deep.equal([
      ...['o02', 'o05', 'o08', 'o11', 'o14', 'o17'].map((id) => [id, 'c2']),
      ['o01', 'c1'],
      ['o04', 'c1'],
    ]);
  });

  it('keeps the order asked for below a projection that drops the key', async () => {
    const { scan, c } = scanOf(orders, ['id', 'price']);
    const plan: LogicalPlan = {
      kind: 'Project',
      input: { kind: 'Limit', input: sorted(scan, named(c, 'price'), true), count: 3, offset: 1 },
      columns: [{ column: column('id'), expression: ref(named(c, 'id')) }],
    };
    expect((await runPlan(database, [orders], plan)).json).to.equal('[["o18"],["o17"],["o16"]]');
    expect((await runPlan(database, [orders], plan, { resumeIdx: 2 })).json).to.equal('[["o16"]]');
  });

  it("shows a table's rows though its types change from page to page", async () => {
    const rows: TestCell[][] = [
      ['a', 1], ['b', 2], ['c', { n: '2.5' }], ['d', 'x'], ['e', { n: '123456789012345678901234567890.5' }],
      ['f', { json: '[1,{"a":1.50}]' }], ['g', true], ['h', null], ['i', undefined], ['j', { b: 'AAE=' }],
    ]; // oxfmt-ignore
    const table = testTable('t', ['id', 'v'], rows);
    const { scan, c } = scanOf(table);
    const expected =
      '[["a",1],["b",2],["c",2.5],["d","x"],["e",123456789012345678901234567890.5],["f",[1,{"a":1.50}]],' +
      '["g",true],["h",null],["i",null],["j","AAE="]]';
    for (const pageRows of [1, 2, 10]) {
      const full = await runPlan(database, [table], sorted(scan, named(c, 'id')), { pageRows });
      expect(full.json).to.equal(expected);
      expect(full.types).to.deep.equal(['VARCHAR', 'MIXED']);
      const lookup = await runPlan(database, [table], scan, { pageRows });
      expect(lookup.json).to.equal(expected);
      expect(lookup.types).to.deep.equal(['VARCHAR', 'MIXED']);
    }
  });

  it('keeps all 38 digits through sums and sorts', async () => {
    const digits = '12345678901234567890123456789012345678';
    const table = testTable(
      't',
      ['id', 'v'],
      [
        ['a', { n: digits }],
        ['b', { n: '0' }],
      ],
    );
    const { scan, c } = scanOf(table);
    const run = await runPlan(database, [table], aggregate(scan, [], [call('SUM', ref(named(c, 'v')))]));
    expect(run.json).to.equal(`[[${digits}]]`);
  });

  it('shows numbers that no exact type holds as they are', async () => {
    const table = testTable(
      't',
      ['id', 'v'],
      [
        ['a', { n: '1E+100' }],
        ['b', { n: '1E-100' }],
        ['c', 3],
      ],
    );
    const { scan, c } = scanOf(table);
    const run = await runPlan(database, [table], sorted(scan, named(c, 'v')));
    expect(run.json).to.equal(`[["b",0.${'0'.repeat(99)}1],["c",3],["a",1${'0'.repeat(100)}]]`);
    expect(run.types).to.deep.equal(['VARCHAR', 'DOUBLE']);
  });

  it('sorts text by its bytes and NULL below every value', async () => {
    const table = testTable('t', ['id'], [['é'], ['Z'], ['a'], ['😀'], ['\uffee'], ['']]);
    const { scan, c } = scanOf(table);
    const run = await runPlan(database, [table], sorted(scan, named(c, 'id')));
    expect((JSON.parse(run.json) as string[][]).flat()).to.deep.equal(['', 'Z', 'a', 'é', '\uffee', '😀']);
  });

  it('makes lists and joined texts in an order that does not hang on the reads', async () => {
    const { scan, c } = scanOf(orders, ['customer', 'id']);
    const plan = aggregate(
      scan,
      [],
      [call('ARRAY_AGG', ref(named(c, 'customer'))), call('STRING_AGG', ref(named(c, 'id')))],
    );
    const one = await runPlan(database, [orders], plan, { segments: 1 });
    const other = await runPlan(database, [orders], plan, { segments: 5, pageRows: 1 });
    expect(other.json).to.equal(one.json);
  });

  it('answers a table without items with types and no rows', async () => {
    const table = testTable('t', ['id', 'v'], []);
    const { scan, c } = scanOf(table);
    const run = await runPlan(database, [table], sorted(scan, named(c, 'id')));
    expect([run.json, run.columns, run.resumeIdx]).to.deep.equal(['[]', ['id', 'v'], null]);
    const count = await runPlan(database, [table], aggregate(scanOf(table, []).scan, [], [call('COUNT')]));
    expect(count.json).to.equal('[[0]]');
  });

  it('counts rows of which no column is needed', async () => {
    const run = await runPlan(database, [orders], aggregate(scanOf(orders, []).scan, [], [call('COUNT')]));
    expect(run.json).to.equal('[[20]]');
  });

  it('reads a table that is named twice once', async () => {
    const [a, b] = [scanOf(orders, ['id']), scanOf(orders, ['customer', 'id'])];
    const plan: LogicalPlan = {
      kind: 'Join',
      lateral: false,
      join: 'inner',
      left: a.scan,
      right: b.scan,
      on: [{ kind: 'Comparison', operator: '=', left: ref(named(a.c, 'id')), right: ref(named(b.c, 'id')) }],
    };
    const run = await runPlan(database, [orders], plan, { pageRows: 20 });
    expect(run.pagesRead).to.equal(1);
    expect(JSON.parse(run.json)).to.have.length(20);
    expect(run.columns).to.deep.equal(['id', 'customer', 'id']);
  });

  it('shows infinities as null, and says so', async () => {
    const table = testTable('t', ['id', 'v'], [['a', 1000]]);
    const { scan, c } = scanOf(table);
    const infinite: Expression = {
      kind: 'Cast',
      operand: { kind: 'Literal', value: { type: 'text', value: 'inf' } },
      sqlType: 'DOUBLE',
      tryCast: false,
    };
    const run = await runPlan(database, [table], {
      kind: 'Project',
      input: scan,
      columns: [
        { column: column('x'), expression: infinite },
        { column: column('v'), expression: ref(named(c, 'v')) },
      ],
    });
    expect(run.json).to.equal('[[null,1000]]');
    expect(run.warnings).to.have.length(1);
  });

  it('ends with the reason when its caller is gone', async () => {
    const ending = new AbortController();
    const { scan, c } = scanOf(orders);
    const reason = new PenstockError('CANCELLED', 'gone');
    ending.abort(reason);
    for (const plan of [scan, sorted(scan, named(c, 'price'))]) {
      const failure = await runPlan(database, [orders], plan, { signal: ending.signal }).catch(
        (e: unknown) => e,
      );
      expect(failure).to.equal(reason);
    }
  });

  it('fails with the error of a read, and leaves nothing running', async () => {
    const missing = testTable('missing', ['id'], []);
    const [a, b] = [scanOf(orders, ['id']), scanOf(missing, ['id'])];
    const plan: LogicalPlan = {
      kind: 'Join',
      lateral: false,
      join: 'cross',
      left: a.scan,
      right: b.scan,
      on: [],
    };
    const failure = await runPlan(database, [orders], plan).catch((e: unknown) => e);
    expect(failure).to.be.instanceOf(Error).with.property('message', 'no such test table');
  });
});
