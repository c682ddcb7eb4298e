/**
 * Times with a zone in a session of UTC. The engine has some of them as times without one, which is the same but for what is made
 * of them by a zone, or as text.
 */
import type { Expression } from '../../logical/expression.ts';
import { argumentKind } from '../../logical/functions/definition.ts';
import { scalarNamed } from '../../logical/functions/list.ts';
import { withFields } from '../../logical/visit.ts';
import { asInstant, type Clocks } from './clocks.ts';
import { isText } from './constants.ts';
import { withArguments, withChoices } from './parts.ts';
import { CHOICES, commonKind } from './time-kind.ts';

const TEXTS: ReadonlySet<string> = new Set(['VARCHAR', 'JSON']);

/** The node, its children being so already. */
export function inUtc(node: Expression, { kind }: Clocks): Expression {
  const instantOf = (one: Expression): Expression => (kind(one) === 'zoned' ? asInstant(one) : one);
  /** Constant texts beside a time with a zone are such times. */
  const alike = (nodes: readonly Expression[]): readonly Expression[] =>
    commonKind(nodes.map(kind)) === 'zoned'
      ? nodes.map((one) => (isText(one) ? asInstant(one) : one))
      : nodes;
  switch (node.kind) {
    case 'Cast':
      return TEXTS.has(node.sqlType) ? withFields(node, { operand: instantOf(node.operand) }) : node;
    case 'Arithmetic':
      return node.operator === '||'
        ? withFields(node, { left: instantOf(node.left), right: instantOf(node.right) })
        : node;
    case 'Case':
      return withChoices(node, alike);
    case 'FunctionCall': {
      if (CHOICES.has(node.name) || node.name === 'NULLIF') return withArguments(node, alike(node.arguments));
      const definition = scalarNamed(node.name);
      const isZone = node.name === 'TIMEZONE';
      return withArguments(
        node,
        node.arguments.map((value, i) =>
          isZone || argumentKind(definition, i) !== 'instant' ? instantOf(value) : value,
        ),
      );
    }
    default:
      return node;
  }
}
