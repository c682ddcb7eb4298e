import { writeExpression } from './expressions.ts';
import { findKeyword, isKeyword, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { writeSortKeys } from './sort-keys.ts';
import { tokenAt, unexpected, unsupported, upperAt, type Statement } from './statement.ts';

const TAIL_KEYWORDS = [
  'LIMIT',
  'OFFSET',
  'FETCH',
  'FOR',
  'UNION',
  'INTERSECT',
  'EXCEPT',
  'ORDER',
  'INTO',
  'USING',
] as const;

/**
 * Writes ORDER BY, LIMIT, OFFSET and FETCH FIRST, all of them as keys of one ORDER BY for the grammar, which knows
 * only literal limits and no FETCH. Returns the index after them.
 */
export function writeQueryTail(scope: Scope, span: Span): number {
  const { statement, draft } = scope;
  let at = span.from;
  let written = 0;
  const begin = (index: number): void => draft.raw(written++ === 0 ? 'ORDER BY' : ',', index);

  if (isKeyword(statement, at, 'ORDER')) {
    if (upperAt(statement, at + 1) !== 'BY') throw unexpected(statement, at + 1, ['BY']);
    const end = clauseEnd(statement, { from: at + 2, to: span.to });
    begin(at);
    writeSortKeys(scope, { from: at + 2, to: end });
    at = end;
  }
  const seen = new Set<string>();
  while (at < span.to) {
    const keyword = upperAt(statement, at);
    if (keyword !== 'LIMIT' && keyword !== 'OFFSET' && keyword !== 'FETCH') break;
    const clause = keyword === 'OFFSET' ? 'Offset' : 'Limit';
    if (seen.has(clause)) throw unexpected(statement, at, [], `${keyword} is given twice`);
    seen.add(clause);
    const { operand, next } =
      keyword === 'FETCH' ? readFetch(statement, at, span.to) : readLimit(statement, at, span.to);
    if (operand !== 'ALL') {
      begin(at);
      const pos = tokenAt(statement, at).position;
      draft.call({ kind: clause, pos }, at, () => {
        if (operand !== 'ONE') writeExpression(scope, operand);
        else draft.operand({ kind: 'Leaf', expression: { kind: 'NumberLiteral', text: '1', pos } }, at);
      });
    }
    at = next;
  }
  return refuseLocking(statement, at);
}

/** A span with the number of rows; `ALL` for no limit; `ONE` for FETCH FIRST ROW ONLY. */
interface Rows {
  readonly operand: Span | 'ALL' | 'ONE';
  readonly next: number;
}

function readLimit(statement: Statement, index: number, to: number): Rows {
  const from = index + 1;
  const end = clauseEnd(statement, { from, to });
  if (end === from) throw unexpected(statement, from, ['a number of rows']);
  if (isKeyword(statement, from, 'ALL') && end === from + 1) return { operand: 'ALL', next: end };
  const comma = upperAt(statement, from + 1) === ',';
  if (comma) throw unexpected(statement, from + 1, [], 'write LIMIT … OFFSET …');
  if (upperAt(statement, end - 1) === 'PERCENT' || upperAt(statement, end - 1) === '%') {
    throw unsupported(statement, end - 1, 'LIMIT in percent', 'give a number of rows');
  }
  const rows = isKeyword(statement, index, 'OFFSET') && isKeyword(statement, end - 1, 'ROW', 'ROWS');
  return { operand: { from, to: rows ? end - 1 : end }, next: end };
}

function readFetch(statement: Statement, index: number, to: number): Rows {
  if (!isKeyword(statement, index + 1, 'FIRST', 'NEXT'))
    throw unexpected(statement, index + 1, ['FIRST', 'NEXT']);
  const from = index + 2;
  const rows = findKeyword(statement, { from, to }, 'ROW', 'ROWS');
  if (rows < 0) throw unexpected(statement, clauseEnd(statement, { from, to }), ['ROW', 'ROWS']);
  if (isKeyword(statement, rows + 1, 'WITH'))
    throw unsupported(statement, rows + 1, 'WITH TIES', 'write ONLY');
  if (!isKeyword(statement, rows + 1, 'ONLY')) throw unexpected(statement, rows + 1, ['ONLY']);
  return { operand: rows === from ? 'ONE' : { from, to: rows }, next: rows + 2 };
}

function clauseEnd(statement: Statement, span: Span): number {
  const end = findKeyword(statement, span, ...TAIL_KEYWORDS);
  return end < 0 ? span.to : end;
}

function refuseLocking(statement: Statement, index: number): number {
  if (isKeyword(statement, index, 'FOR')) {
    throw unsupported(statement, index, `FOR ${upperAt(statement, index + 1) || '…'}`, 'queries only read');
  }
  if (isKeyword(statement, index, 'INTO')) throw unsupported(statement, index, 'INTO', 'queries only read');
  if (isKeyword(statement, index, 'USING'))
    throw unsupported(statement, index, 'USING SAMPLE', 'write LIMIT');
  return index;
}
