/** Texts as truth values, as PostgreSQL reads them: any beginning of a word that means one alone ("Boolean Type"). */
import { castTo, expression, functionCall, literal } from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';
import { scalarNamed } from '../logical/functions/list.ts';
import type { Position } from '../parser/ast.ts';

const TRUE = ['t', 'tr', 'tru', 'true', 'y', 'ye', 'yes', 'on', '1'];
const FALSE = ['f', 'fa', 'fal', 'fals', 'false', 'n', 'no', 'of', 'off', '0'];
const SPACES = ' \t\n\v\f\r';

/** The truth value that a text spells; null where it spells neither. */
function booleanOf(text: string): boolean | null {
  const word = /^[ \t\n\v\f\r]*([a-z01]+)[ \t\n\v\f\r]*$/i.exec(text)?.[1]?.toLowerCase() ?? '';
  return TRUE.includes(word) ? true : FALSE.includes(word) ? false : null;
}

/** Kinds whose values are true, false or NULL. */
const CONDITIONS: ReadonlySet<Expression['kind']> = new Set([
  ...(['Comparison', 'Not', 'And', 'Or', 'IsNull', 'IsTruth', 'Between', 'InList', 'Like'] as const),
  ...(['Exists', 'InSubquery', 'QuantifiedComparison', 'Arithmetic', 'Negate', 'BitwiseNot'] as const),
]);
const RESULTS: ReadonlySet<unknown> = new Set(['boolean', 'number', 'integer', 'hugeInteger']);

/** Whether values may be texts. */
function mayBeText(node: Expression): boolean {
  switch (node.kind) {
    case 'Literal':
      return node.value.type === 'text';
    case 'Cast':
      return node.sqlType === 'VARCHAR' || node.sqlType === 'JSON';
    case 'FunctionCall':
      return !RESULTS.has(scalarNamed(node.name).result);
    default:
      return !CONDITIONS.has(node.kind);
  }
}

const text = (value: string, pos: Position): Expression => literal({ type: 'text', value }, pos);

/** `operand::boolean`; null where it is what it is by our rules. What means neither fails in the cast of what is left. */
export function castToBoolean(operand: Expression, pos: Position): Expression | null {
  if (!mayBeText(operand)) return null;
  if (operand.kind === 'Literal') {
    const value = operand.value.type === 'text' ? booleanOf(operand.value.value) : null;
    return value === null ? null : literal({ type: 'boolean', value }, pos);
  }
  const written = castTo(operand, 'VARCHAR', pos);
  const word = functionCall('LOWER', [functionCall('TRIM', [written, text(SPACES, pos)], pos)], pos);
  const branch = (words: readonly string[], value: boolean) => ({
    when: expression({
      ...{ kind: 'InList', operand: word, values: words.map((one) => text(one, pos)), negated: false, pos },
    }),
    then: literal({ type: 'boolean', value }, pos),
  });
  const branches = [branch(TRUE, true), branch(FALSE, false)];
  return expression({
    kind: 'Case',
    operand: null,
    branches,
    otherwise: castTo(written, 'BOOLEAN', pos),
    pos,
  });
}
