import type { AstExpression, Position } from '../ast.ts';

export type FunctionCall = Extract<AstExpression, { kind: 'FunctionCall' }>;

/** A call with arguments and nothing else. */
export function plainCall(name: string, operands: readonly AstExpression[], pos: Position): FunctionCall {
  const none = { star: false, distinct: false, orderBy: [], withinGroup: [], filter: null, over: null };
  return { kind: 'FunctionCall', name, arguments: operands, ...none, pos };
}
