import type { Expression, LiteralValue } from './expression.ts';

/** The value of a literal, of a number with a minus before it, or of an expression that was folded; null for others. */
export function constantValue(node: Expression): LiteralValue | null {
  if (node.folded !== undefined) return node.folded;
  if (node.kind === 'Literal') return node.value;
  if (node.kind !== 'Negate') return null;
  const value = constantValue(node.operand);
  if (value?.type === 'null') return value;
  if (value?.type !== 'number') return null;
  return { ...value, text: value.text.startsWith('-') ? value.text.slice(1) : `-${value.text}` };
}
