/** Statements over a small catalog, optimized and shown as text. */
import { expect } from 'chai';
import { bind } from '../../src/binder/bind.ts';
import { parseParameters } from '../../src/binder/parameters.ts';
import type { AttributeType, CatalogTable } from '../../src/catalog/table.ts';
import type { Column, Expression } from '../../src/logical/expression.ts';
import type { BoundStatement, LogicalPlan, TableScan, TopOfEach } from '../../src/logical/plan.ts';
import { problemsOf } from '../../src/logical/validate.ts';
import {
  inputsOf,
  expressionsOf,
  subqueryOf,
  visitPlan,
  walkDeep,
  walkExpression,
} from '../../src/logical/visit.ts';
import type { OptimizeOptions } from '../../src/optimizer/optimize.ts';
import { parse } from '../../src/parser/parse.ts';
import { printCall, printExpression, printSortKey } from '../../src/planning/explain/print-expression.ts';
import { optimize } from '../planning/in-one-go.ts';

type Attributes = Readonly<Record<string, AttributeType>>;

/** A sampled table; the first attribute is the partition key, the one in `sortKey` the sort key. */
function table(tableName: string, attributes: Attributes, sortKey: string | null = null): CatalogTable {
  const [partitionKey = 'id'] = Object.keys(attributes);
  const key = (name: string): { name: string; type: 'S' | 'N' } => ({
    name,
    type: attributes[name] === 'N' ? 'N' : 'S',
  });
  return {
    version: '1',
    schemaName: 'shop',
    tableName,
    access: { roleArn: '', externalId: '', region: '', tableAllowlist: [] },
    key: { partitionKey: key(partitionKey), sortKey: sortKey === null ? null : key(sortKey) },
    indexes: [],
    itemCount: 10,
    sizeBytes: 1_000,
    attributes: Object.entries(attributes).map(([name, type]) => ({
      name,
      types: { [type]: 10 },
      integerDigits: 3,
      scale: 0,
      nested: [],
      distinctValues: 5,
    })),
    sampledItems: 10,
  };
}

export const TABLES: readonly CatalogTable[] = [
  table('customers', { id: 'S', name: 'S', city: 'S', vip: 'BOOL', age: 'N' }),
  table('orders', { customer_id: 'S', order_no: 'N', total: 'N', status: 'S', address: 'M' }, 'order_no'),
  table('lines', { order_no: 'N', product_id: 'S', quantity: 'N' }, 'product_id'),
];

export function bindSql(sql: string, parameters = '', known = TABLES): BoundStatement {
  return bind(parse(sql), {
    sql,
    parameters: parseParameters(parameters),
    tables: (name) => {
      const found = known.find(({ tableName }) => tableName === name.table.name);
      if (found === undefined) throw new Error(`no table ${name.table.name}`);
      return found;
    },
  });
}

const DEFAULTS: OptimizeOptions = { rowsWanted: null, pushdown: true };

/** Optimizes, and checks that the plan is sound, with the columns it had. */
export function optimizeSql(sql: string, options: Partial<OptimizeOptions> = {}): BoundStatement {
  return optimizeBound(bindSql(sql), options);
}

export function optimizeBound(bound: BoundStatement, options: Partial<OptimizeOptions> = {}): BoundStatement {
  const before = problemsOf(bound.plan);
  if (before.length > 0) throw new Error(`the binder's plan is wrong: ${before.join('; ')}`);
  const optimized = optimize(bound, { ...DEFAULTS, ...options });
  expect(problemsOf(optimized.plan)).to.deep.equal([]);
  expect(optimized.columns).to.equal(bound.columns);
  return optimized;
}

/** The optimized plan: a node a line, indented; columns as `alias.name` where they come from a scan. */
export function planOf(sql: string, options: Partial<OptimizeOptions> = {}): string {
  return print(optimizeSql(sql, options).plan);
}

function namesOf(plan: LogicalPlan): (column: Column) => string {
  const names = new Map<number, string>();
  walkDeep(plan, {
    plan: (node) => {
      if (node.kind !== 'TableScan') return;
      for (const { id, name } of node.columns) names.set(id, `${node.alias}.${name}`);
    },
  });
  return ({ id, name }) => names.get(id) ?? name;
}

function orderText(order: TableScan['orderHint']): string {
  return order.map(({ column, descending }) => column.name + (descending ? ' DESC' : '')).join(', ');
}

function topText({ by, order, rows, ties }: TopOfEach): string {
  const groups = by.map(({ name }) => name).join(', ');
  return `${rows} of each [${groups}] by ${orderText(order)}, ties: ${ties}`;
}

export function print(plan: LogicalPlan): string {
  const nameOf = namesOf(plan);
  const list = (expressions: readonly Expression[], separator = ', '): string =>
    expressions.map((expression) => printExpression(expression, nameOf)).join(separator);
  const line = (node: LogicalPlan): string =>
    visitPlan<string>(
      {
        TableScan: (scan) =>
          [
            `Scan ${scan.alias} [${scan.columns.map(({ name }) => name).join(', ')}]`,
            scan.filter.length > 0 ? `filter ${list(scan.filter, ' AND ')}` : '',
            scan.limitHint === null ? '' : `rows ${scan.limitHint}`,
            scan.orderHint.length === 0 ? '' : `order ${orderText(scan.orderHint)}`,
            scan.topOfEach === undefined ? '' : `top ${topText(scan.topOfEach)}`,
          ]
            .filter((part) => part !== '')
            .join(' | '),
        Values: ({ rows }) => `Values of ${rows.length}`,
        Filter: ({ predicates }) => `Filter ${list(predicates, ' AND ')}`,
        Project: ({ columns }) => `Project ${list(columns.map(({ expression }) => expression))}`.trim(),
        Join: (join) => `${join.join} join ${list(join.on, ' AND ')}`.trim(),
        Unnest: ({ list: of, outer }) => `Unnest ${list([of])}${outer ? ' left' : ''}`,
        Series: ({ arguments: given }) => `Series ${list(given)}`,
        Aggregate: ({ groupBy, aggregates }) =>
          `Aggregate ${[...aggregates.map(({ call }) => printCall(call, nameOf))].join(', ')} by ${list(groupBy.map(({ expression }) => expression))}`.trim(),
        Window: ({ functions }) =>
          `Window ${functions.map(({ call }) => printCall(call, nameOf)).join(', ')}`,
        Distinct: ({ on }) => (on === null ? 'Distinct' : `Distinct on ${list(on)}`),
        SetOperation: ({ operator, all, columns }) => `${operator}${all ? ' all' : ''} of ${columns.length}`,
        Sort: ({ keys }) => `Sort ${keys.map((key) => printSortKey(key, nameOf)).join(', ')}`,
        Limit: ({ count, offset }) => `Limit ${count ?? 'all'} from ${offset}`,
        With: ({ ctes }) => `With ${ctes.map(({ name }) => name).join(', ')}`,
        Recursion: ({ name, all }) => `Recursion ${name}${all ? ' all' : ''}`,
        RecursionScan: ({ name }) => `Rows of ${name}`,
        CteScan: ({ name, columns }) => `Cte ${name} [${columns.map((column) => column.name).join(', ')}]`,
      },
      node,
    );
  const subqueries = (node: LogicalPlan): readonly LogicalPlan[] => {
    const plans: LogicalPlan[] = [];
    const collect = (expression: Expression): void => {
      const subquery = subqueryOf(expression);
      if (subquery !== null) plans.push(subquery);
    };
    // A scan's filter holds none, and a node's own come before its inputs.
    for (const root of expressionsOf(node)) walkExpression(root, collect);
    return plans;
  };
  const lines = (node: LogicalPlan, indent: string): readonly string[] => [
    `${indent}${line(node)}`,
    ...subqueries(node).flatMap((subquery) => [`${indent}  subquery`, ...lines(subquery, `${indent}    `)]),
    ...inputsOf(node).flatMap((input) => lines(input, `${indent}  `)),
  ];
  return lines(plan, '').join('\n');
}

/** Lines of a template string, its own indentation taken away. */
export function text(strings: TemplateStringsArray): string {
  const lines = (strings[0] ?? '').split('\n').filter((line) => line.trim() !== '');
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indent)).join('\n');
}
