/** The residual query's text, for plans whose form matters to DuckDB's optimizer. */
import { expect } from 'chai';
import type { Column, Expression } from '../../src/logical/expression.ts';
import type { LogicalPlan } from '../../src/logical/plan.ts';
import { TEXT, integer } from '../../src/duckdb-sql/types/sql-type.ts';
import { quoteText, writeLiteral } from '../../src/duckdb-sql/literal.ts';
import type { RowWindow } from '../../src/logical/limits-of.ts';
import { writeResidual } from '../../src/duckdb-sql/plan.ts';
import { column, num, ref, scanOf, testTable } from '../execution/tables.ts';

const table = testTable('t', ['id', 'n'], []);

function written(plan: LogicalPlan, rows: RowWindow | null = { offset: 0, count: 10 }): string {
  const source = {
    name: 'r0',
    columns: [
      { name: 'k0', type: TEXT },
      { name: 'k1', type: integer(3) },
    ],
  };
  return writeResidual(plan, () => source, rows).sql;
}

/** IDs depend on what ran before: numbered anew in order of appearance. */
function renumbered(sql: string): string {
  const names = new Map<string, string>();
  return sql.replace(/\b[ct]\d+\b/g, (name) => {
    const known =
      names.get(name) ?? `${name[0]}${[...names.keys()].filter((key) => key[0] === name[0]).length}`;
    names.set(name, known);
    return known;
  });
}

const equals = (left: Column, right: Column): Expression => ({
  kind: 'Comparison',
  operator: '=',
  left: ref(left),
  right: ref(right),
});

describe('the residual query', () => {
  it('joins flat, with all conditions in one WHERE', () => {
    const scans = [scanOf(table), scanOf(table), scanOf(table)].map(({ scan, c }) => ({
      scan,
      id: c['id'] ?? column('id'),
    }));
    const [a, b, c] = scans;
    if (a === undefined || b === undefined || c === undefined) throw new Error('no scan');
    const filtered = (entry: typeof a): LogicalPlan => ({
      kind: 'Filter',
      input: entry.scan,
      predicates: [{ kind: 'IsNull', operand: ref(entry.id), negated: true }],
    });
    const join = (left: LogicalPlan, right: LogicalPlan, on: Expression): LogicalPlan => ({
      kind: 'Join',
      lateral: false,
      join: 'inner',
      left,
      right,
      on: [on],
    });
    const plan = join(join(filtered(a), filtered(b), equals(a.id, b.id)), filtered(c), equals(b.id, c.id));
    const sql = renumbered(written(plan));
    expect(sql.match(/WHERE/g)).to.have.length(1);
    expect(sql).to.match(/FROM \(\(\(SELECT .*\) t0 INNER JOIN .* ON \(c\d = c\d\)\) INNER JOIN/);
  });

  it('sorts by all columns where no order is asked for, and cuts the page out', () => {
    const { scan } = scanOf(table);
    expect(renumbered(written(scan, { offset: 20, count: 10 }))).to.equal(
      'SELECT c0, c1 FROM (SELECT k0 AS c0, k1 AS c1 FROM r0) t0 ' +
        'ORDER BY c0 ASC NULLS FIRST, c1 ASC NULLS FIRST LIMIT 10 OFFSET 20',
    );
  });

  it("joins the statement's LIMIT and the page's into one", () => {
    const { scan } = scanOf(table);
    const limited: LogicalPlan = { kind: 'Limit', input: scan, count: 25, offset: 5 };
    expect(written(limited, { offset: 20, count: 10 })).to.match(/ LIMIT 5 OFFSET 25$/);
    expect(written(limited, { offset: 30, count: 10 })).to.match(/ LIMIT 0 OFFSET 35$/);
    const twice: LogicalPlan = { kind: 'Limit', input: limited, count: 100, offset: 2 };
    expect(written(twice, { offset: 0, count: 50 })).to.match(/ LIMIT 23 OFFSET 7$/);
  });

  it('orders no subquery that has no limit', () => {
    const { scan, c } = scanOf(table);
    const sorted: LogicalPlan = {
      kind: 'Sort',
      input: scan,
      keys: [{ expression: ref(c['n'] ?? column('n')), descending: true, nullsFirst: false }],
    };
    const plan: LogicalPlan = { kind: 'Distinct', input: sorted, on: null };
    expect(written(plan).match(/ORDER BY/g)).to.have.length(1);
  });
});

describe('a literal', () => {
  it('of text cannot end itself', () => {
    expect(quoteText(`a'b''c`)).to.equal(`'a''b''''c'`);
    expect(quoteText(`\\' OR 1=1 --`)).to.equal(`'\\'' OR 1=1 --'`);
    expect(quoteText('a\0b')).to.equal(`('a' || chr(0) || 'b')`);
  });

  it('of a number has all its digits', () => {
    expect(writeLiteral({ type: 'number', text: '1.50' }).sql).to.equal(`'1.5'::DECIMAL(2,1)`);
    expect(writeLiteral({ type: 'number', text: '12345678901234567890' }).sql).to.equal(
      '12345678901234567890::HUGEINT',
    );
    expect(writeLiteral({ type: 'number', text: '1e2' }).sql).to.equal('100::BIGINT');
    expect(writeLiteral({ type: 'number', text: `1${'0'.repeat(50)}` }).sql).to.match(/::DOUBLE$/);
  });

  it('of an interval takes only units that there are', () => {
    expect(writeLiteral({ type: 'interval', value: '3', unit: 'DAYS' }).sql).to.equal(
      `CAST('3 day' AS INTERVAL)`,
    );
    expect(() => writeLiteral({ type: 'interval', value: '3', unit: `DAY'` })).to.throw('not a unit');
  });
});

describe('a constant', () => {
  it('is no sort key', () => {
    const { scan } = scanOf(table);
    const plan: LogicalPlan = {
      kind: 'Sort',
      input: scan,
      keys: [{ expression: num(1), descending: false, nullsFirst: true }],
    };
    expect(written(plan)).to.not.include('1::BIGINT');
  });
});
