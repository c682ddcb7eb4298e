import type { AstStarChanges, Identifier } from '../ast.ts';
import { syntaxError } from '../errors.ts';
import { writeExpression } from './expressions.ts';
import { identifierAt, readNameList } from './names.ts';
import { findKeyword, inside, isColumnName, isKeyword, splitAtCommas, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { tokenAt, unexpected, upperAt, type Statement } from './statement.ts';

/**
 * Writes `*` or `t.*` with what may follow it, in this order: `EXCLUDE (a, b)`, `REPLACE (x AS a)`, `RENAME (a AS b)`;
 * one column needs no parentheses. `star` is the index of the star in the item.
 */
export function writeStar(scope: Scope, item: Span, star: number): void {
  const { statement, draft } = scope;
  const qualifier: Identifier[] = [];
  for (let at = item.from; at < star; at += 2) qualifier.push(identifierAt(statement, at));
  let at = star + 1;
  let exclude: readonly Identifier[] = [];
  if (isChange(statement, item, at, 'EXCLUDE')) {
    const listed = listAfter(statement, item, at);
    exclude = listed.isList ? readNameList(statement, at + 1) : [columnAt(statement, at + 1)];
    at = listed.next;
  }
  const replaced: { readonly expression: Span; readonly column: Identifier }[] = [];
  if (isChange(statement, item, at, 'REPLACE')) {
    const listed = listAfter(statement, item, at);
    for (const part of listed.parts) {
      const as = asIn(statement, part);
      replaced.push({ expression: { from: part.from, to: as }, column: columnAt(statement, as + 1) });
    }
    at = listed.next;
  }
  const rename: AstStarChanges['rename'][number][] = [];
  if (isChange(statement, item, at, 'RENAME')) {
    const listed = listAfter(statement, item, at);
    for (const part of listed.parts) {
      const as = asIn(statement, part);
      if (as !== part.from + 1) throw unexpected(statement, part.from + 1, ['AS']);
      rename.push({ column: columnAt(statement, part.from), to: identifierAt(statement, as + 1) });
    }
    at = listed.next;
  }
  if (at < item.to) throw unexpected(statement, at, ["','", 'FROM']);
  const { position: pos } = tokenAt(statement, item.from);
  const replace = replaced.map(({ column }) => column);
  refuseTwice(statement, [...exclude, ...replace, ...rename.map(({ column }) => column)]);
  const mark = { kind: 'Star', qualifier, exclude, replace, rename, pos } as const;
  if (replaced.length === 0) {
    draft.name(mark, item.from);
    return;
  }
  draft.call(mark, item.from, () => {
    replaced.forEach(({ expression }, index) => {
      if (index > 0) draft.raw(',', expression.from);
      writeExpression(scope, expression);
    });
  });
}

/** DuckDB finds this out while it parses, so that it could not be the judge. */
function refuseTwice(statement: Statement, columns: readonly Identifier[]): void {
  const seen = new Set<string>();
  for (const { name, pos } of columns) {
    const folded = name.toLowerCase();
    if (seen.has(folded)) {
      throw syntaxError(
        'parse',
        statement.sql,
        pos,
        `'${name}' is named twice`,
        'a column of * is changed once',
      );
    }
    seen.add(folded);
  }
}

const isChange = (statement: Statement, item: Span, index: number, word: string): boolean =>
  index < item.to && isKeyword(statement, index, word);

/** What follows EXCLUDE, REPLACE or RENAME: a list in parentheses, or one column. */
function listAfter(
  statement: Statement,
  item: Span,
  index: number,
): { readonly isList: boolean; readonly parts: readonly Span[]; readonly next: number } {
  const from = index + 1;
  if (from >= item.to) throw unexpected(statement, from, ['a column name', "'('"]);
  if (upperAt(statement, from) === '(') {
    const span = inside(statement, from);
    return { isList: true, parts: splitAtCommas(statement, span), next: span.to + 1 };
  }
  if (upperAt(statement, index) === 'EXCLUDE') return { isList: false, parts: [], next: from + 1 };
  const as = findKeyword(statement, { from, to: item.to }, 'AS');
  if (as < 0) throw unexpected(statement, item.to, ['AS']);
  return { isList: false, parts: [{ from, to: as + 2 }], next: as + 2 };
}

/** The index of the AS of `x AS a`, after which is one name and nothing else. */
function asIn(statement: Statement, part: Span): number {
  const as = findKeyword(statement, part, 'AS');
  if (as < 0) throw unexpected(statement, part.to, ['AS']);
  const { type } = tokenAt(statement, as + 1);
  if (as + 1 >= part.to || (type !== 'word' && type !== 'name'))
    throw unexpected(statement, as + 1, ['a name']);
  if (as + 2 < part.to) throw unexpected(statement, as + 2, ["','", "')'"]);
  return as;
}

function columnAt(statement: Statement, index: number): Identifier {
  const { type } = tokenAt(statement, index);
  const afterAs = upperAt(statement, index - 1) === 'AS' && type === 'word';
  if (!afterAs && !isColumnName(statement, index)) throw unexpected(statement, index, ['a column name']);
  return identifierAt(statement, index);
}
