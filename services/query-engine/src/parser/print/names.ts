import type { Identifier, PathStep } from '../ast.ts';
import { isReserved } from '../keywords.ts';
import { isWordStart, wordEnd } from '../lexer/characters.ts';

/** A string literal: quotes doubled, nothing else changed. */
export const printString = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** A name as it was written: in quotes if it had them, or if it cannot do without (`my-table`). */
export function printName(
  { name, quoted }: Pick<Identifier, 'name' | 'quoted'>,
  position: 'anywhere' | 'afterDotOrAs' = 'anywhere',
): string {
  const plain = !quoted && isWordStart(name, 0) && wordEnd(name, 0) === name.length;
  const bare = plain && (position === 'afterDotOrAs' || !isReserved(name.toUpperCase()));
  return bare ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Steps into a value: `.name`, `[0]`. */
export const printSteps = (steps: readonly PathStep[]): string =>
  steps
    .map((step) =>
      step.kind === 'Index' ? `[${step.index}]` : `.${printName(step.identifier, 'afterDotOrAs')}`,
    )
    .join('');

/** `(a, b)`, or nothing for no columns. */
export const printColumns = (columns: readonly Identifier[]): string =>
  columns.length === 0 ? '' : ` (${columns.map((column) => printName(column)).join(', ')})`;
