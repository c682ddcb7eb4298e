/** Expressions for people, in SQL and with the statement's own names. For EXPLAIN; never to be run. */
import type { AggregateCall, Column, Expression, LiteralValue, SortKey } from '../../logical/expression.ts';
import { visitExpression, type ExpressionVisitor } from '../../logical/visit.ts';

export type NameOf = (column: Column) => string;

function literal(value: LiteralValue): string {
  switch (value.type) {
    case 'null':
      return 'NULL';
    case 'number':
      return value.text;
    case 'text':
      return `'${value.value.replaceAll("'", "''")}'`;
    case 'binary':
      return `X'${Buffer.from(value.base64, 'base64').toString('hex').toUpperCase()}'`;
    case 'boolean':
      return value.value ? 'TRUE' : 'FALSE';
    case 'temporal':
      return `${value.sqlType} '${value.value}'`;
    case 'interval':
      return `INTERVAL '${value.value}'${value.unit === null ? '' : ` ${value.unit}`}`;
  }
}

const not = (negated: boolean): string => (negated ? 'NOT ' : '');

export function printExpression(root: Expression, nameOf: NameOf): string {
  const print = (node: Expression): string => visitExpression(visitor, node);
  /** In parentheses where it is an operator itself. */
  const operand = (node: Expression): string =>
    ['Comparison', 'Arithmetic', 'And', 'Or', 'Not', 'Between', 'InList', 'Like', 'Negate'].includes(
      node.kind,
    )
      ? `(${print(node)})`
      : print(node);
  const binary = (node: { left: Expression; operator: string; right: Expression }): string =>
    `${operand(node.left)} ${node.operator} ${operand(node.right)}`;
  const visitor: ExpressionVisitor<string> = {
    ColumnReference: (node) => nameOf(node.column),
    Literal: (node) => literal(node.value),
    Comparison: binary,
    Arithmetic: binary,
    Negate: (node) => `-${operand(node.operand)}`,
    BitwiseNot: (node) => `~${operand(node.operand)}`,
    Not: (node) => `NOT ${operand(node.operand)}`,
    And: (node) => node.operands.map(operand).join(' AND '),
    Or: (node) => node.operands.map(operand).join(' OR '),
    IsNull: (node) => `${operand(node.operand)} IS ${not(node.negated)}NULL`,
    IsTruth: (node) => `${operand(node.operand)} IS ${not(node.negated)}${node.value ? 'TRUE' : 'FALSE'}`,
    Between: (node) =>
      `${operand(node.operand)} ${not(node.negated)}BETWEEN ${operand(node.low)} AND ${operand(node.high)}`,
    InList: (node) =>
      `${operand(node.operand)} ${not(node.negated)}IN (${node.values.map(print).join(', ')})`,
    Like: (node) => {
      const escape = node.escape === null ? '' : ` ESCAPE ${operand(node.escape)}`;
      const like = node.caseInsensitive ? 'ILIKE' : 'LIKE';
      return `${operand(node.operand)} ${not(node.negated)}${like} ${operand(node.pattern)}${escape}`;
    },
    Case: (node) => {
      const branches = node.branches.map(({ when, then }) => `WHEN ${print(when)} THEN ${print(then)}`);
      const subject = node.operand === null ? '' : ` ${print(node.operand)}`;
      const otherwise = node.otherwise === null ? '' : ` ELSE ${print(node.otherwise)}`;
      return `CASE${subject} ${branches.join(' ')}${otherwise} END`;
    },
    Cast: (node) => `${node.tryCast ? 'TRY_CAST' : 'CAST'}(${print(node.operand)} AS ${node.sqlType})`,
    Extract: (node) => `EXTRACT(${node.field} FROM ${print(node.operand)})`,
    FunctionCall: (node) => `${node.name}(${node.arguments.map(print).join(', ')})`,
    DocumentAccess: (node) =>
      operand(node.operand) +
      node.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join(''),
    Row: (node) => `(${node.values.map(print).join(', ')})`,
    ScalarSubquery: () => '(subquery)',
    Exists: () => 'EXISTS (subquery)',
    InSubquery: (node) => `${operand(node.operand)} ${not(node.negated)}IN (subquery)`,
    QuantifiedComparison: (node) => `${operand(node.operand)} ${node.operator} ${node.quantifier} (subquery)`,
  };
  return print(root);
}

export function printSortKey(key: SortKey, nameOf: NameOf): string {
  const direction = key.descending ? ' DESC' : '';
  // Said only where it is not what it would be anyway.
  const nulls = key.nullsFirst === key.descending ? ` NULLS ${key.nullsFirst ? 'FIRST' : 'LAST'}` : '';
  return `${printExpression(key.expression, nameOf)}${direction}${nulls}`;
}

export function printCall(call: AggregateCall, nameOf: NameOf): string {
  const list = call.arguments.map((argument) => printExpression(argument, nameOf)).join(', ');
  const content = call.arguments.length === 0 && call.name === 'COUNT' ? '*' : list;
  const filter = call.filter === null ? '' : ` FILTER (WHERE ${printExpression(call.filter, nameOf)})`;
  return `${call.name}(${call.distinct ? 'DISTINCT ' : ''}${content})${filter}`;
}
