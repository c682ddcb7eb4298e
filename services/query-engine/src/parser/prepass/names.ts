import type { Identifier, PathStep } from '../ast.ts';
import type { Span } from './scan.ts';
import { inside, isColumnName, isName, splitAtCommas } from './scan.ts';
import { tokenAt, unexpected, upperAt, type Statement } from './statement.ts';

/** The name at an index, as written. */
export function identifierAt(statement: Statement, index: number): Identifier {
  const token = tokenAt(statement, index);
  return { name: token.value, quoted: token.type === 'name', pos: token.position };
}

/** The name at an index; an error if there is none. */
export function requireName(statement: Statement, index: number, what: string): Identifier {
  if (!isName(statement, index)) throw unexpected(statement, index, [what]);
  return identifierAt(statement, index);
}

/** The names of a parenthesised list such as `(a, b)`. */
export function readNameList(statement: Statement, opening: number): readonly Identifier[] {
  return splitAtCommas(statement, inside(statement, opening)).map((part: Span) => {
    if (!isColumnName(statement, part.from)) throw unexpected(statement, part.from, ['a column name']);
    const name = identifierAt(statement, part.from);
    if (part.to !== part.from + 1) throw unexpected(statement, part.from + 1, ["','", "')'"]);
    return name;
  });
}

/**
 * Steps `.name`, `[3]`, `['name']` from an index on, and the index after them, which is that of a subscript where it is
 * computed. After a dot every word is a name.
 */
export function readSteps(
  statement: Statement,
  from: number,
): { readonly steps: readonly PathStep[]; readonly next: number } {
  const steps: PathStep[] = [];
  let at = from;
  for (;;) {
    const next = tokenAt(statement, at + 1);
    if (upperAt(statement, at) === '.' && (next.type === 'word' || next.type === 'name')) {
      steps.push({ kind: 'Name', identifier: identifierAt(statement, at + 1) });
      at += 2;
    } else {
      const step = upperAt(statement, at) === '[' ? readSubscript(statement, at) : null;
      if (step === null) return { steps, next: at };
      steps.push(step);
      at += 3;
    }
  }
}

/** The step of a constant subscript. */
function readSubscript(statement: Statement, opening: number): PathStep | null {
  const { from, to } = inside(statement, opening);
  const { type, value, position } = tokenAt(statement, from);
  if (to === from) throw unexpected(statement, to, ['a subscript']);
  if (to === from + 1 && type === 'string' && value !== '') {
    return { kind: 'Name', identifier: { name: value, quoted: true, pos: position } };
  }
  if (to === from + 1 && type === 'number' && /^\d{1,9}$/.test(value)) {
    return { kind: 'Index', index: Number(value), pos: position };
  }
  return null;
}
