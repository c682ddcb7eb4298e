import type { AstExpression, AstSelectItem, AstStarChanges, Identifier, Position } from '../ast.ts';
import { next, nextUpper, take, type Cursor } from './cursor.ts';
import { readExpression } from './lists.ts';
import { endsClause } from './lookahead.ts';
import { readIdentifier, readNameList, requireColumnName, requireNameAfterAs } from './names.ts';
import { refuse, require, unexpected } from './refusals.ts';

/** All columns, as FROM without SELECT has them. */
export const allColumns = (pos: Position): AstSelectItem => ({
  ...{ kind: 'Star', qualifier: [], changes: { exclude: [], replace: [], rename: [] }, pos },
});

/**
 * Reads `*` or `t.*` with what may follow it, in this order: `EXCLUDE (a, b)`, `REPLACE (x AS a)`, `RENAME (a AS b)`;
 * one column needs no parentheses.
 */
export function readStar(cursor: Cursor): AstSelectItem {
  const { position: pos } = next(cursor);
  const qualifier: Identifier[] = [];
  while (!take(cursor, '*')) {
    qualifier.push(readIdentifier(cursor));
    cursor.at++;
  }
  const exclude = startsChange(cursor, 'EXCLUDE') ? readExclude(cursor) : [];
  const replace = startsChange(cursor, 'REPLACE') ? readChanges(cursor, readReplacement) : [];
  const rename = startsChange(cursor, 'RENAME') ? readChanges(cursor, readRenaming) : [];
  refuseTwice(cursor, [...exclude, ...[...replace, ...rename].map(({ column }) => column)]);
  return { kind: 'Star', qualifier, changes: { exclude, replace, rename }, pos };
}

function startsChange(cursor: Cursor, word: string): boolean {
  if (!take(cursor, word)) return false;
  if (nextUpper(cursor) === ',' || endsClause(cursor))
    throw unexpected(cursor, cursor.at, ['a column name', "'('"]);
  return true;
}

const readExclude = (cursor: Cursor): readonly Identifier[] =>
  nextUpper(cursor) === '(' ? readNameList(cursor) : [requireColumnName(cursor)];

/** Reads one change, or a list of them in parentheses. */
function readChanges<T>(cursor: Cursor, readOne: (cursor: Cursor) => T): readonly T[] {
  if (!take(cursor, '(')) return [readOne(cursor)];
  const changes: T[] = [];
  for (;;) {
    changes.push(readOne(cursor));
    const upper = nextUpper(cursor);
    if (upper !== ',' && upper !== ')') throw unexpected(cursor, cursor.at, ["','", "')'"]);
    cursor.at++;
    if (upper === ')') return changes;
  }
}

function readReplacement(cursor: Cursor): {
  readonly expression: AstExpression;
  readonly column: Identifier;
} {
  const expression = readExpression(cursor);
  require(cursor, 'AS');
  return { expression, column: requireNameAfterAs(cursor) };
}

function readRenaming(cursor: Cursor): AstStarChanges['rename'][number] {
  const column = requireColumnName(cursor);
  require(cursor, 'AS');
  return { column, to: requireNameAfterAs(cursor) };
}

/** DuckDB finds this out while it parses, so that it could not cross-check it. */
function refuseTwice(cursor: Cursor, columns: readonly Identifier[]): void {
  const seen = new Set<string>();
  for (const { name, pos } of columns) {
    const folded = name.toLowerCase();
    if (seen.has(folded)) {
      throw refuse(cursor, pos, `'${name}' is named twice`, 'a column of * is changed once');
    }
    seen.add(folded);
  }
}
