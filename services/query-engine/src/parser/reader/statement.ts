import type { AstQuery } from '../ast.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import { matchBrackets } from './brackets.ts';
import type { Cursor, Grammar } from './cursor.ts';
import { tokenAt, upperAt } from './cursor.ts';
import { climb } from './expressions.ts';
import { isQueryStart } from './lookahead.ts';
import { readQuery } from './query.ts';
import { notAQuery, refuse, unsupported } from './refusals.ts';
import { NO_WINDOWS } from './windows.ts';

const GRAMMAR: Grammar = Object.freeze({ climb, query: readQuery });

/** Reads one query, which is the whole text. */
export function readStatement(sql: string): AstQuery {
  const tokens = tokenize(sql);
  checkStart(sql, tokens);
  const cursor: Cursor = {
    sql,
    tokens,
    closing: matchBrackets(sql, tokens),
    grammar: GRAMMAR,
    at: 0,
    counts: { joins: 0, selects: 0, groupingColumns: 0, windowTokens: 0, parameters: 0 },
    prefixes: { inExpression: 0, inAll: 0 },
    parameterStyle: null,
    windows: { uses: [], inside: false },
    namedWindows: NO_WINDOWS,
    lastOperator: { index: -1, operator: undefined },
  };
  return readQuery(cursor);
}

/** Refuses what is no single query from its first word on, before its brackets are looked at. */
function checkStart(sql: string, tokens: readonly Token[]): void {
  const text = { sql, tokens };
  let end = tokens.length - 1;
  while (end > 0 && tokens[end - 1]?.upper === ';') end--;
  if (end === 0)
    throw refuse(text, tokenAt(text, 0).position, 'the query is empty', 'expected SELECT or WITH');
  let start = 0;
  while (upperAt(text, start) === '(') start++;
  if (upperAt(text, start) === 'VALUES') {
    throw unsupported(text, start, 'VALUES as a statement', 'only SELECT is supported');
  }
  if (!isQueryStart(text, start)) throw notAQuery(text, start);
  const semicolon = tokens.findIndex(({ upper }) => upper === ';');
  if (semicolon >= 0 && semicolon < end) {
    throw unsupported(text, semicolon + 1, 'more than one statement', 'send one query at a time');
  }
}
