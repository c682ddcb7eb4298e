import type { AstExpression } from '../ast.ts';
import { isKeyword } from './scan.ts';
import type { Scope } from './scope.ts';
import { tokenAt, unsupported, upperAt, type Statement } from './statement.ts';

const INTERVAL_UNIT =
  /^(MICROSECOND|MILLISECOND|SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR|DECADE|CENTURY|MILLENNIUM)S?$/;

/** Writes the literal or parameter that starts at an index, if one does, and returns the index after it. */
export function writeLiteral(scope: Scope, index: number): number | undefined {
  const { statement, draft } = scope;
  const literal = readLiteral(statement, index);
  if (literal === undefined) return undefined;
  draft.operand({ kind: 'Leaf', expression: literal.expression }, index);
  return literal.next;
}

function readLiteral(
  statement: Statement,
  index: number,
): { readonly expression: AstExpression; readonly next: number } | undefined {
  const { type, value, upper, position: pos } = tokenAt(statement, index);
  const next = index + 1;
  if (type === 'string') return { expression: { kind: 'StringLiteral', value, pos }, next };
  if (type === 'number') return { expression: { kind: 'NumberLiteral', text: value, pos }, next };
  if (type === 'binary') return { expression: { kind: 'BinaryLiteral', hex: value, pos }, next };
  if (type === 'parameter') return { expression: parameter(statement, index), next };
  if (type !== 'word') return undefined;
  const following = tokenAt(statement, next);
  switch (upper) {
    case 'TRUE':
    case 'FALSE':
      return { expression: { kind: 'BooleanLiteral', value: upper === 'TRUE', pos }, next };
    case 'NULL':
      return { expression: { kind: 'NullLiteral', pos }, next };
    case 'DATE':
    case 'TIME':
    case 'TIMESTAMP':
    case 'TIMESTAMPTZ':
      if (following.type !== 'string') return undefined;
      return {
        expression: { kind: 'TypedLiteral', type: upper, value: following.value, pos },
        next: next + 1,
      };
    case 'INTERVAL':
      if (following.type === 'string' || following.type === 'number') return interval(statement, index);
      if (upperAt(statement, next) === '(') {
        throw unsupported(
          statement,
          index,
          'INTERVAL of an expression',
          "write a literal such as INTERVAL '3' DAY",
        );
      }
      return undefined;
    default:
      return undefined;
  }
}

function interval(
  statement: Statement,
  index: number,
): { readonly expression: AstExpression; readonly next: number } {
  const { position: pos } = tokenAt(statement, index);
  const { type, value } = tokenAt(statement, index + 1);
  const unit = upperAt(statement, index + 2);
  if (INTERVAL_UNIT.test(unit)) {
    if (isKeyword(statement, index + 3, 'TO')) throw unsupported(statement, index, 'INTERVAL … TO …');
    return { expression: { kind: 'IntervalLiteral', value, unit, pos }, next: index + 3 };
  }
  if (type === 'number')
    throw unsupported(statement, index, 'INTERVAL without a unit', 'write for example INTERVAL 3 DAY');
  return { expression: { kind: 'IntervalLiteral', value, unit: null, pos }, next: index + 2 };
}

function parameter(statement: Statement, index: number): AstExpression {
  const { value, position: pos } = tokenAt(statement, index);
  const style = parameterStyle(value);
  const first = statement.tokens[statement.parameters[0] ?? index];
  if (first !== undefined && parameterStyle(first.value) !== style) {
    throw unsupported(
      statement,
      index,
      'parameters of several kinds',
      'use one of ?, $1 and :name throughout',
    );
  }
  if (style === 'name') return { kind: 'Parameter', name: value, index: null, pos };
  if (style === 'number') return { kind: 'Parameter', name: null, index: Number(value) - 1, pos };
  return { kind: 'Parameter', name: null, index: statement.parameters.indexOf(index), pos };
}

const parameterStyle = (value: string): 'place' | 'number' | 'name' =>
  value === '?' ? 'place' : /^\d/.test(value) ? 'number' : 'name';
