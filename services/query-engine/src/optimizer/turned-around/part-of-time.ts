import type { Expression } from '../../logical/expression.ts';
import { constantText } from './rules/text-conditions.ts';

/** A part of a time by the name that a function or field has for it, in lower case, and the time that it is of. */
export interface PartOfTime {
  readonly part: string;
  readonly time: Expression;
}

/** `year(e)`, `EXTRACT(HOUR FROM e)`, `date_part('day', e)`, and any other function of one argument; null for other expressions. */
export function partOfTime(node: Expression): PartOfTime | null {
  if (node.kind === 'Extract') return { part: node.field.toLowerCase(), time: node.operand };
  if (node.kind !== 'FunctionCall') return null;
  const [first, second, ...others] = node.arguments;
  if (first === undefined || others.length > 0) return null;
  if (second === undefined) return { part: node.name.toLowerCase(), time: first };
  const part = node.name === 'DATE_PART' ? constantText(first) : null;
  return part === null ? null : { part: part.toLowerCase(), time: second };
}

/** Parts of dates that are numbers, and together a date. */
export type DatePart = 'year' | 'quarter' | 'month' | 'day';

export interface PartOfDate extends PartOfTime {
  readonly part: DatePart;
}

const DATE_PARTS: ReadonlySet<string> = new Set<DatePart>(['year', 'quarter', 'month', 'day']);

/** The same of these parts alone. */
export function partOfDate(node: Expression): PartOfDate | null {
  const found = partOfTime(node);
  return found !== null && DATE_PARTS.has(found.part) ? { ...found, part: found.part as DatePart } : null;
}
