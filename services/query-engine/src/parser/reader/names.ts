import type { Identifier, PathStep } from '../ast.ts';
import { next, nextUpper, tokenAt, upperAt, type Cursor } from './cursor.ts';
import { isColumnName, isName } from './lookahead.ts';
import { require, unexpected } from './refusals.ts';

/** The name that is next, whatever word it is. */
export function readIdentifier(cursor: Cursor): Identifier {
  const { value, type, position } = next(cursor);
  cursor.at++;
  return { name: value, quoted: type === 'name', pos: position };
}

/** The name that has to be next. */
export function requireName(cursor: Cursor, what: string): Identifier {
  if (!isName(cursor, cursor.at)) throw unexpected(cursor, cursor.at, [what]);
  return readIdentifier(cursor);
}

/** The name after AS, where every word is one. */
export function requireNameAfterAs(cursor: Cursor): Identifier {
  const { type } = next(cursor);
  if (type !== 'word' && type !== 'name') throw unexpected(cursor, cursor.at, ['a name']);
  return readIdentifier(cursor);
}

/** The name of a column, which has to be next. */
export function requireColumnName(cursor: Cursor): Identifier {
  if (!isColumnName(cursor, cursor.at)) throw unexpected(cursor, cursor.at, ['a column name']);
  return readIdentifier(cursor);
}

/** The names of a parenthesized list such as `(a, b)`. */
export function readNameList(cursor: Cursor): readonly Identifier[] {
  require(cursor, '(');
  const names: Identifier[] = [];
  for (;;) {
    names.push(requireColumnName(cursor));
    const upper = nextUpper(cursor);
    if (upper !== ',' && upper !== ')') throw unexpected(cursor, cursor.at, ["','", "')'"]);
    cursor.at++;
    if (upper === ')') return names;
  }
}

/** Steps `.name`, `[3]`, `['name']`, up to a subscript that is computed. After a dot every word is a name. */
export function readSteps(cursor: Cursor): PathStep[] {
  const steps: PathStep[] = [];
  for (;;) {
    const upper = nextUpper(cursor);
    if (upper === '.' && isStepName(cursor, cursor.at + 1)) {
      cursor.at++;
      steps.push({ kind: 'Name', identifier: readIdentifier(cursor) });
    } else {
      const step = upper === '[' ? constantSubscript(cursor) : null;
      if (step === null) return steps;
      steps.push(step);
      cursor.at += 3;
    }
  }
}

/** Whether a word or a quoted name stands here. */
export function isStepName(cursor: Cursor, index: number): boolean {
  const { type } = tokenAt(cursor, index);
  return type === 'word' || type === 'name';
}

/** The step of the subscript that is next, if it is a literal. */
function constantSubscript(cursor: Cursor): PathStep | null {
  const { type, value, upper, position } = tokenAt(cursor, cursor.at + 1);
  if (upper === ']') throw unexpected(cursor, cursor.at + 1, ['a subscript']);
  if (upperAt(cursor, cursor.at + 2) !== ']') return null;
  if (type === 'string' && value !== '') {
    return { kind: 'Name', identifier: { name: value, quoted: true, pos: position } };
  }
  if (type === 'number' && /^\d{1,9}$/.test(value)) {
    return { kind: 'Index', index: Number(value), pos: position };
  }
  return null;
}
