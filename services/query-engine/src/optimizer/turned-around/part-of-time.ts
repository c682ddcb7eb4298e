import { constantValue } from '../../logical/constant-value.ts';
import type { Expression } from '../../logical/expression.ts';

/** A part of a date that is a number, and the time that it is of. */
export interface PartOfTime {
  readonly part: 'year' | 'quarter' | 'month' | 'day';
  readonly time: Expression;
}

const PARTS: ReadonlySet<string> = new Set([
  'year',
  'quarter',
  'month',
  'day',
] satisfies PartOfTime['part'][]);

/** `year(e)`, `EXTRACT(MONTH FROM e)`, `date_part('day', e)`; null for any other expression. */
export function partOfTime(node: Expression): PartOfTime | null {
  if (node.kind === 'Extract') return named(node.field, node.operand);
  if (node.kind !== 'FunctionCall') return null;
  const [first, second, ...others] = node.arguments;
  if (first === undefined || others.length > 0) return null;
  if (second === undefined) return named(node.name, first);
  const part = node.name === 'DATE_PART' ? constantValue(first) : null;
  return part?.type === 'text' ? named(part.value, second) : null;
}

function named(name: string, time: Expression): PartOfTime | null {
  const part = name.toLowerCase();
  return PARTS.has(part) ? { part: part as PartOfTime['part'], time } : null;
}
