import { syntaxError } from '../errors.ts';
import { tokenize } from '../lexer/lexer.ts';
import { DraftWriter, type Draft } from './draft.ts';
import { matchBrackets } from './brackets.ts';
import { notAQuery, writeQuery } from './queries.ts';
import { isQueryStart } from './scan.ts';
import { tokenAt, unsupported, upperAt, type Statement } from './statement.ts';

/** Cuts the text into tokens and checks that it is one query, its brackets closed, within the limits. */
export function readStatement(sql: string): Statement {
  const tokens = tokenize(sql);
  let end = tokens.length - 1;
  while (end > 0 && tokens[end - 1]?.upper === ';') end--;
  const first = tokenAt({ tokens }, 0);
  if (end === 0)
    throw syntaxError('parse', sql, first.position, 'the query is empty', 'expected SELECT or WITH');
  let start = 0;
  while (upperAt({ tokens }, start) === '(') start++;
  const parameters = tokens.flatMap(({ type }, index) => (type === 'parameter' ? [index] : []));
  const unmatched = { sql, tokens, closing: [], parameters, end };
  if (upperAt(unmatched, start) === 'VALUES') {
    throw unsupported(unmatched, start, 'VALUES as a statement', 'only SELECT is supported');
  }
  if (!isQueryStart(unmatched, start)) throw notAQuery(unmatched, start);
  const semicolon = tokens.findIndex((token, index) => token.upper === ';' && index < end);
  if (semicolon >= 0) {
    throw unsupported(unmatched, semicolon + 1, 'more than one statement', 'send one query at a time');
  }
  return { ...unmatched, closing: matchBrackets(sql, tokens) };
}

/** Rewrites a statement as the text that the grammar reads right (see `DraftWriter` and `marks.ts`). */
export function writeDraft(statement: Statement): Draft {
  const draft = new DraftWriter();
  const counts = { joins: 0, selects: 0, groupingColumns: 0 };
  writeQuery({ statement, draft, counts }, { from: 0, to: statement.end });
  return draft.finish();
}
