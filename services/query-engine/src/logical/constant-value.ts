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

/** Whether a constant is a DOUBLE: it stands for all numbers that are near it, so that no key is said to equal it. */
export function isApproximate(value: LiteralValue | null): boolean {
  return value?.type === 'number' && value.approximate === true;
}
