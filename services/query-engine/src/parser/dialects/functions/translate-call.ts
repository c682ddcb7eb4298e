import type { AstExpression } from '../../ast.ts';
import type { DialectName } from '../dialect.ts';
import { NoOfferError } from '../no-offer.ts';
import { CONDITIONS } from './conditions.ts';
import { DATES } from './dates.ts';
import type { FunctionRule } from './rule.ts';
import { SAME } from './same.ts';
import { fromTemplate } from './template.ts';
import { TEXTS } from './texts.ts';

type Call = Extract<AstExpression, { kind: 'FunctionCall' }>;

/** Every rule, those of functions that mean the same among them. */
export const FUNCTION_RULES: readonly (Omit<FunctionRule, 'ours'> & {
  readonly ours: FunctionRule['ours'] | null;
})[] = [
  ...TEXTS,
  ...DATES,
  ...CONDITIONS,
  ...SAME.map(([names, count, dialects]) => ({ names, count, in: dialects, ours: null })),
];

const RULES = Map.groupBy(
  FUNCTION_RULES.flatMap((rule) => rule.names.split(' ').map((name) => ({ name, rule }))),
  ({ name }) => name,
);

/**
 * A call as our dialect has it.
 * @throws NoOfferError of a function that the dialect is not known to have, or that can't be written here
 */
export function translateCall(call: Call, dialect: DialectName): AstExpression {
  const given = call.arguments.length;
  const rule = RULES.get(call.name)?.find(
    (candidate) => candidate.rule.in.includes(dialect) && takes(candidate.rule.count, given),
  )?.rule;
  if (rule === undefined) throw new NoOfferError(`${call.name} with ${given} arguments of ${dialect}`);
  if (rule.ours === null) return call;
  const operands = call.arguments.map((operand, i) => rule.given?.[i + 1]?.(operand) ?? operand);
  const template = typeof rule.ours === 'string' ? rule.ours : rule.ours(operands);
  return withSuffixes(isUnquoting(call) ? asText(operands) : fromTemplate(template, operands), call);
}

const takes = (count: FunctionRule['count'], given: number): boolean =>
  typeof count === 'number' ? count === given : count[0] <= given && given <= count[1];

const isUnquoting = ({ name }: Call): boolean => name === 'JSON_UNQUOTE';

/** What JSON_EXTRACT would give, as text. */
function asText([extracted]: readonly AstExpression[]): AstExpression {
  if (extracted?.kind !== 'FunctionCall') throw new NoOfferError('JSON_UNQUOTE of a text');
  return { ...extracted, name: 'JSON_EXTRACT_STRING' };
}

/** DISTINCT, ORDER BY, FILTER and OVER of a call go to the one that it became. */
function withSuffixes(made: AstExpression, call: Call): AstExpression {
  const { distinct, orderBy, withinGroup, filter, over } = call;
  if (!distinct && orderBy.length === 0 && withinGroup.length === 0 && filter === null && over === null)
    return made;
  if (made.kind !== 'FunctionCall') throw new NoOfferError(`what follows ${call.name}`);
  return { ...made, distinct: distinct || made.distinct, orderBy, withinGroup, filter, over };
}
