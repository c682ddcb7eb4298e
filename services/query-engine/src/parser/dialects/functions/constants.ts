/** What arguments say that have to be known to turn a call: numbers, texts, units. */
import type { AstExpression } from '../../ast.ts';
import { NoOfferError } from '../no-offer.ts';

/** A whole number, with its sign; null where it is none. */
export function wholeNumber(node: AstExpression | undefined): number | null {
  if (node?.kind === 'Unary' && node.operator === '-') {
    const positive = wholeNumber(node.operand);
    return positive === null ? null : -positive;
  }
  return node?.kind === 'NumberLiteral' && /^\d{1,15}$/.test(node.text) ? Number(node.text) : null;
}

/** @throws NoOfferError where the argument is no text */
export function constantText(node: AstExpression | undefined, what: string): string {
  if (node?.kind !== 'StringLiteral') throw new NoOfferError(`${what} that is no constant`);
  return node.value;
}

const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    year: 'year years yy yyyy',
    quarter: 'quarter quarters qq q',
    month: 'month months mm m mon',
    week: 'week weeks wk ww',
    day: 'day days dd d',
    hour: 'hour hours hh',
    minute: 'minute minutes mi n',
    second: 'second seconds ss s',
  }).flatMap(([unit, names]) => names.split(' ').map((name) => [name, unit] as const)),
);

/** The unit that an argument names, as a word or as a text. @throws NoOfferError where it names none that is known */
export function unitOf(node: AstExpression | undefined): string {
  const unit = UNITS.get(wordOf(node).toLowerCase());
  if (unit === undefined) throw new NoOfferError('this unit of time');
  return unit;
}

/** The same, but for weeks, which start on another day in every system. */
export function boundaryUnitOf(node: AstExpression | undefined): string {
  const unit = unitOf(node);
  if (unit === 'week') throw new NoOfferError('weeks, which start on other days elsewhere');
  return unit;
}

/** A bare word or a text; empty for anything else. */
export function wordOf(node: AstExpression | undefined): string {
  if (node?.kind === 'StringLiteral') return node.value;
  const [step, ...more] = node?.kind === 'Name' ? node.path : [];
  return step?.kind === 'Name' && more.length === 0 ? step.identifier.name : '';
}
