/** Conditions on texts that rules give, by spans of texts in the order of their UTF-8 bytes. */
import { and, castTo, comparison, FALSE_LITERAL, literal } from '../../../logical/build-expression.ts';
import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression, LiteralValue } from '../../../logical/expression.ts';
import { textAfter } from '../../../logical/text-order.ts';
import type { ComparisonWithConstant, TurnAroundContext } from '../rule.ts';
import { isText } from '../value-kind.ts';

/** Texts that compare so with one, or that begin with it. */
export interface TextSpan {
  readonly is: ComparisonWithConstant['operator'] | 'begins';
  readonly text: string;
}

const ESCAPE = '!';
const WILDCARDS = /[%_]/;

/** A constant that is a text which an attribute may have. Half a surrogate pair is in none, and sorts as another character. */
export function textOf(value: LiteralValue | null): string | null {
  return value?.type === 'text' && value.value.isWellFormed() ? value.value : null;
}

export const constantText = (node: Expression | undefined): string | null =>
  node === undefined ? null : textOf(constantValue(node));

/** A whole number of characters or of a part, from 1; null for any other expression. */
export function constantCount(node: Expression | undefined): number | null {
  const value = node === undefined ? null : constantValue(node);
  return value?.type === 'number' && /^[1-9]\d{0,8}$/.test(value.text) ? Number(value.text) : null;
}

/** The operand as the text that functions of text take it for. */
export function asText(operand: Expression, context: TurnAroundContext): Expression {
  return isText(operand, context) ? operand : castTo(operand, 'VARCHAR');
}

/** Without casts that change nothing of it. */
export function withoutCasts(operand: Expression, context: TurnAroundContext): Expression {
  return operand.kind === 'Cast' && operand.sqlType === 'VARCHAR' && isText(operand.operand, context)
    ? withoutCasts(operand.operand, context)
    : operand;
}

/** That the operand is in one of the spans, each behind a text that all begin with; FALSE of no span. */
export function inSpans(
  operand: Expression,
  spans: readonly TextSpan[],
  context: TurnAroundContext,
  behind = '',
): Expression {
  const text = withoutCasts(asText(operand, context), context);
  return either(spans.map((span) => inSpan(text, span, behind)));
}

function inSpan(operand: Expression, { is, text }: TextSpan, behind: string): Expression {
  const whole = behind + text;
  if (is === 'begins') return begins(operand, whole);
  const compared = comparison(is, operand, literal({ type: 'text', value: whole }));
  return is === '=' || behind === '' ? compared : and([begins(operand, behind), compared]);
}

/** Of a column as LIKE, which reads are planned by as it is. */
function begins(operand: Expression, prefix: string): Expression {
  if (operand.kind === 'ColumnReference') {
    const isEscaped = WILDCARDS.test(prefix);
    const pattern = isEscaped ? [...prefix].map(plain).join('') : prefix;
    return Object.freeze({
      kind: 'Like',
      operand,
      pattern: literal({ type: 'text', value: `${pattern}%` }),
      escape: isEscaped ? literal({ type: 'text', value: ESCAPE }) : null,
      caseInsensitive: false,
      negated: false,
    });
  }
  const after = textAfter(prefix);
  const low = comparison('>=', operand, literal({ type: 'text', value: prefix }));
  return after === null ? low : and([low, comparison('<', operand, literal({ type: 'text', value: after }))]);
}

const plain = (character: string): string =>
  WILDCARDS.test(character) || character === ESCAPE ? ESCAPE + character : character;

/** OR of conditions: FALSE of none. */
export function either(conditions: readonly Expression[]): Expression {
  const [only] = conditions;
  if (only === undefined) return FALSE_LITERAL;
  return conditions.length === 1
    ? only
    : Object.freeze({ kind: 'Or', operands: Object.freeze([...conditions]) });
}
