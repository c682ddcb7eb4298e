import { expect } from 'chai';
import type { CatalogTable } from '../../src/catalog/table.ts';
import { chooseRead } from '../../src/dynamodb/choose-read.ts';
import type { Column, Expression } from '../../src/logical/expression.ts';
import { outputColumns } from '../../src/logical/output.ts';
import type { LogicalPlan, TableScan } from '../../src/logical/plan.ts';
import { explain } from '../../src/planning/explain/explain.ts';
import type { PhysicalPlan } from '../../src/planning/physical-plan.ts';
import { planQuery } from './in-one-go.ts';

const EVENTS: CatalogTable = {
  version: '1',
  schemaName: 'app',
  tableName: 'events',
  access: { roleArn: 'r', externalId: 'e', region: 'us-east-1', tableAllowlist: [] },
  key: { partitionKey: { name: 'device', type: 'S' }, sortKey: { name: 'at', type: 'N' } },
  indexes: [],
  itemCount: 1_000_000,
  sizeBytes: 400_000_000,
  attributes: [],
  sampledItems: 0,
};

const DEVICE: Column = { id: 1, name: 'device' };
const AT: Column = { id: 2, name: 'at' };
const LEVEL: Column = { id: 3, name: 'level' };

const ref = (column: Column): Expression => ({ kind: 'ColumnReference', column });
const text = (value: string): Expression => ({ kind: 'Literal', value: { type: 'text', value } });
const equals = (left: Expression, right: Expression): Expression => ({
  kind: 'Comparison',
  operator: '=',
  left,
  right,
});

function scan(fields: Partial<TableScan> = {}): TableScan {
  const columns = [DEVICE, AT, LEVEL].map((column) => ({ ...column, path: [column.name] }));
  return {
    kind: 'TableScan',
    table: EVENTS,
    alias: 'events',
    columns,
    filter: [],
    limitHint: null,
    orderHint: [],
    ...fields,
  };
}

const IS_D1 = equals(ref(DEVICE), text('d1'));
const IS_ERROR = equals(ref(LEVEL), text('error'));
const filtered = (...predicates: Expression[]): LogicalPlan => ({
  kind: 'Filter',
  input: scan({ filter: predicates }),
  predicates,
});

function planned(plan: LogicalPlan, page = { firstRowIdx: 0, maxRows: 10 }): PhysicalPlan {
  return planQuery(
    { plan, columns: outputColumns(plan), warnings: [], columnCount: 0, star: null, others: 0 },
    { ...page, chooseRead: (wanted) => chooseRead(wanted, { consistent: false, pushdown: true }) },
  );
}

const byTime = (input: LogicalPlan, descending: boolean): LogicalPlan => ({
  kind: 'Sort',
  input,
  keys: [{ expression: ref(AT), descending, nullsFirst: !descending }],
});

describe('a plan of one read', () => {
  it('needs no DuckDB where keys alone are checked', () => {
    expect(planned(scan()).execution.kind).to.equal('lookup');
    expect(planned(filtered(IS_D1)).execution.kind).to.equal('lookup');
  });

  it('needs DuckDB where the type of what is compared is not sure', () => {
    expect(planned(filtered(IS_ERROR)).execution.kind).to.equal('pageByPage');
    expect(planned(filtered(equals(ref(AT), text('5')))).execution.kind).to.equal('pageByPage');
  });

  it('reads the page that is wanted within the limits of the statement', () => {
    const limited: LogicalPlan = { kind: 'Limit', input: scan(), count: 25, offset: 100 };
    const rowsOf = (firstRowIdx: number): unknown =>
      planned(limited, { firstRowIdx, maxRows: 10 }).execution.rows;
    expect(rowsOf(0)).to.deep.equal({ offset: 100, count: 10 });
    expect(rowsOf(20)).to.deep.equal({ offset: 120, count: 5 });
    expect(rowsOf(30)).to.deep.equal({ offset: 130, count: 0 });
  });

  it('is read to its end where a limit lies below a filter', () => {
    const plan: LogicalPlan = {
      kind: 'Filter',
      input: { kind: 'Limit', input: scan(), count: 5, offset: 0 },
      predicates: [IS_ERROR],
    };
    expect(planned(plan).execution.kind).to.equal('full');
  });

  it('is read in one segment where rows go out in the order in which they come', () => {
    const { reads } = planned(filtered(IS_ERROR));
    expect(reads[0]?.path).to.deep.include({ kind: 'Scan', segments: 1 });
  });
});

describe('ORDER BY the sort key of one partition', () => {
  it('is left to the read, which stops after the rows that are wanted', () => {
    const { execution, reads, statement } = planned(byTime(filtered(IS_D1), true));
    expect(execution.kind).to.equal('lookup');
    expect(statement.plan.kind).to.equal('Filter');
    expect(reads[0]?.path).to.deep.include({ kind: 'Query', descending: true });
    expect(reads[0]?.stopAfter).to.equal(10);
  });

  it('is left to the read also where a projection lies between', () => {
    const shown: Column = { id: 9, name: 't' };
    const plan: LogicalPlan = {
      kind: 'Limit',
      count: 3,
      offset: 0,
      input: {
        kind: 'Sort',
        input: {
          kind: 'Project',
          input: filtered(IS_D1),
          columns: [{ column: shown, expression: ref(AT) }],
        },
        keys: [{ expression: ref(shown), descending: false, nullsFirst: true }],
      },
    };
    const { execution, reads } = planned(plan);
    expect(execution.kind).to.equal('lookup');
    expect(reads[0]?.stopAfter).to.equal(3);
  });

  it('is sorted where there are many partitions, or another key comes first', () => {
    expect(planned(byTime(scan(), false)).execution.kind).to.equal('full');
    const byLevel: LogicalPlan = {
      kind: 'Sort',
      input: filtered(IS_D1),
      keys: [{ expression: ref(LEVEL), descending: false, nullsFirst: true }],
    };
    expect(planned(byLevel).execution.kind).to.equal('full');
  });

  it('does not count on rows that a filter may drop', () => {
    const { execution, reads } = planned(byTime(filtered(IS_D1, IS_ERROR), false));
    expect(execution.kind).to.equal('pageByPage');
    expect(reads[0]?.stopAfter).to.equal(null);
  });
});

describe('EXPLAIN', () => {
  it('shows operators, reads and why, in words of the statement', () => {
    const { text: shown, weight } = explain(planned(byTime(filtered(IS_D1, IS_ERROR), false)));
    const lines = shown.split('\n').map((line) => line.trim());
    expect(lines[0]).to.equal(
      'Page: 10 rows (computed page by page, reading stops when enough rows are there)',
    );
    expect(lines[1]).to.equal("Filter: device = 'd1' AND level = 'error'");
    expect(lines[2]).to.equal('Query app.events');
    expect(lines).to.include("key: device = 'd1'");
    expect(shown).to.match(/filter: .*level = 'error'/);
    expect(shown).to.match(/projection: .*level/);
    expect(shown).to.match(/estimate: [\d.]+ rows, [\d.]+ read units/);
    expect(weight).to.be.above(0);
  });

  it('weighs nothing where nothing is read', () => {
    const empty: LogicalPlan = { kind: 'Values', columns: [], rows: [[]] };
    expect(explain(planned(empty)).weight).to.equal(0);
  });

  it('shows subqueries and joins', () => {
    const other: Column = { id: 20, name: 'id' };
    const inner: TableScan = {
      ...scan(),
      table: { ...EVENTS, tableName: 'devices' },
      alias: 'd',
      columns: [{ ...other, path: ['id'] }],
    };
    const plan: LogicalPlan = {
      kind: 'Join',
      lateral: false,
      join: 'left',
      left: { kind: 'Filter', input: scan(), predicates: [{ kind: 'Exists', plan: inner }] },
      right: inner,
      on: [equals(ref(DEVICE), ref(other))],
    };
    const { text: shown } = explain(planned(plan));
    expect(shown).to.match(/^ {2}HashJoin \(left\): events\.device = d\.id$/m);
    expect(shown).to.match(/^ {4}Filter: EXISTS \(subquery\)$/m);
    expect(shown).to.match(/^ {6}Subquery$/m);
  });
});
