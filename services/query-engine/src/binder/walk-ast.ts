/** What lies directly below an expression of the syntax tree. */
import type { AstExpression, AstQuery, AstSortKey, AstWindow } from '../parser/ast.ts';

export interface AstChildren {
  readonly expressions: readonly AstExpression[];
  readonly query: AstQuery | null;
}

type AstKind = AstExpression['kind'];
type AstOf<K extends AstKind> = AstExpression extends infer N
  ? N extends { readonly kind: infer NodeKind }
    ? K extends NodeKind
      ? N
      : never
    : never
  : never;

const only = (...expressions: readonly (AstExpression | null)[]): AstChildren => ({
  expressions: expressions.filter((child) => child !== null),
  query: null,
});

const keysOf = (keys: readonly AstSortKey[]): readonly AstExpression[] => keys.map((key) => key.expression);

function windowOf(window: AstWindow | null): readonly AstExpression[] {
  if (window === null) return [];
  const bounds = window.frame === null ? [] : [window.frame.start, window.frame.end];
  return [
    ...window.partitionBy,
    ...keysOf(window.orderBy),
    ...bounds.flatMap((bound) => ('offset' in bound ? [bound.offset] : [])),
  ];
}

const CHILDREN: { readonly [K in AstKind]: (node: AstOf<K>) => AstChildren } = {
  Name: () => only(),
  Access: (node) => only(node.operand),
  Subscript: (node) => only(node.operand, node.index),
  Slice: (node) => only(node.operand, node.from, node.to),
  StringLiteral: () => only(),
  NumberLiteral: () => only(),
  BinaryLiteral: () => only(),
  BooleanLiteral: () => only(),
  NullLiteral: () => only(),
  TypedLiteral: () => only(),
  IntervalLiteral: () => only(),
  Parameter: () => only(),
  Unary: (node) => only(node.operand),
  Binary: (node) => only(node.left, node.right),
  Not: (node) => only(node.operand),
  And: (node) => only(...node.operands),
  Or: (node) => only(...node.operands),
  Is: (node) => only(node.operand),
  Between: (node) => only(node.operand, node.low, node.high),
  InList: (node) => only(node.operand, ...node.values),
  InSubquery: (node) => ({ expressions: [node.operand], query: node.query }),
  Like: (node) => only(node.operand, node.pattern, node.escape),
  SimilarTo: (node) => only(node.operand, node.pattern),
  Exists: (node) => ({ expressions: [], query: node.query }),
  ScalarSubquery: (node) => ({ expressions: [], query: node.query }),
  ArraySubquery: (node) => ({ expressions: [], query: node.query }),
  QuantifiedComparison: (node) => ({ expressions: [node.operand], query: node.query }),
  QuantifiedList: (node) => only(node.operand, node.list),
  Case: (node) =>
    only(node.operand, ...node.branches.flatMap(({ when, then }) => [when, then]), node.otherwise),
  Cast: (node) => only(node.operand),
  Extract: (node) => only(node.operand),
  FunctionCall: (node) =>
    only(
      ...node.arguments,
      ...keysOf(node.orderBy),
      ...keysOf(node.withinGroup),
      node.filter,
      ...windowOf(node.over),
    ),
  Row: (node) => only(...node.values),
};

export function astChildren(node: AstExpression): AstChildren {
  return (CHILDREN[node.kind] as (node: AstExpression) => AstChildren)(node);
}
