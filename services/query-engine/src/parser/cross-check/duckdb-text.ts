import { tokenize } from '../lexer/lexer.ts';
import type { Comment, Token } from '../lexer/token.ts';
import { byteCollations } from './byte-collations.ts';
import { dashedTableNames } from './dashed-names.ts';
import { spellOperators } from './operators.ts';
import { qualifiedStars } from './qualified-stars.ts';
import { sampleSeeds } from './sample-seeds.ts';
import { typeSchemas } from './type-schemas.ts';

/** A piece of the text, by offsets, and what to put in its place. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * The caller's SQL with the few things spelled anew that DuckDB's parser does not know or reads as something else:
 * `:name` parameters, `N'…'`, `INTERVAL 3 DAY`, dashes in table names, operators that touch (`a%-1` has an operator
 * `%-` there), PostgreSQL's operators of documents, the order of text that is the only one, seeds of samples, white space beyond ASCII and the vertical tab. Comments become a space, as
 * DuckDB's parser is quadratic in them. It works on tokens alone and shares nothing with the reader, so that the
 * cross-check does not repeat the mistakes that it is there to find. `more` are further edits.
 */
export function toDuckDbText(sql: string, more: readonly Edit[] = []): string {
  const comments: Comment[] = [];
  const tokens = tokenize(sql, comments);
  const edits = [
    ...tokens.flatMap((token, index) => editToken(token, tokens[index - 1])),
    ...tokens.flatMap((token, index) => separateOperators(token, tokens[index - 1])),
    ...comments.map(({ from, to }) => ({ from, to, text: ' ' })),
    ...tokens.flatMap((token, index) => plainSpaces(sql, token, tokens[index - 1])),
    ...dashedTableNames(tokens),
    ...qualifiedStars(tokens),
    ...spellOperators(tokens),
    ...typeSchemas(tokens),
    ...byteCollations(tokens),
    ...sampleSeeds(tokens),
    ...more,
  ];
  let text = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    // White space inside of a name that is replaced as a whole.
    if (edit.from < at) continue;
    text += sql.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return text + sql.slice(at);
}

function editToken(token: Token, before: Token | undefined): readonly Edit[] {
  const { type, text, value, position, end } = token;
  const replace = (by: string): readonly Edit[] => [{ from: position.offset, to: end, text: by }];
  if (type === 'parameter' && text.startsWith(':'))
    return replace(`${token.spaceBefore ? '' : ' '}$${value}`);
  if (type === 'string' && /^n/i.test(text)) return replace(`'${value.replaceAll("'", "''")}'`);
  if (type === 'number' && before?.upper === 'INTERVAL') return replace(`'${value}'`);
  return [];
}

function separateOperators(token: Token, before: Token | undefined): readonly Edit[] {
  const touching = before?.type === 'operator' && token.type === 'operator' && !token.spaceBefore;
  if (!touching || !/^[-+~]$/.test(token.text)) return [];
  return [{ from: token.position.offset, to: token.position.offset, text: ' ' }];
}

/**
 * DuckDB takes some of the white space of Unicode for names, and U+000B for none. A zero-width character stays at its
 * place, as a space.
 */
function plainSpaces(sql: string, token: Token, before: Token | undefined): readonly Edit[] {
  const from = before?.end ?? 0;
  const gap = sql.slice(from, token.position.offset);
  return [...gap.matchAll(/[^\x00-\x7f]|\v/g)].map(({ index }) => ({
    from: from + index,
    to: from + index + 1,
    text: ' ',
  }));
}
