/** Expressions with other parts; the same where none is another. */
import type { Expression } from '../../logical/expression.ts';
import { withFields, type OfKind } from '../../logical/visit.ts';

type MapAll = (nodes: readonly Expression[]) => readonly Expression[];
type Call = OfKind<Expression, 'FunctionCall'>;
type Case = OfKind<Expression, 'Case'>;

export const withArguments = (node: Call, values: readonly Expression[]): Call =>
  values.every((value, i) => value === node.arguments[i])
    ? node
    : withFields(node, { arguments: Object.freeze([...values]) });

/** A CASE, what it gives mapped together. */
export function withChoices(node: Case, map: MapAll): Case {
  const { branches, otherwise } = node;
  const given = map([...branches.map(({ then }) => then), ...(otherwise === null ? [] : [otherwise])]);
  const isSame =
    branches.every(({ then }, i) => then === given[i]) &&
    (otherwise ?? given[branches.length]) === given[branches.length];
  if (isSame) return node;
  return withFields(node, {
    branches: Object.freeze(
      branches.map((branch, i) => withFields(branch, { then: given[i] ?? branch.then })),
    ),
    otherwise: otherwise === null ? null : (given[branches.length] ?? otherwise),
  });
}
