import type { Dialect } from '../dialect.ts';
import { NoOfferError } from '../no-offer.ts';
import { checkPattern } from '../meaning/patterns.ts';
import { isAt, operatorToken, textToken, wordToken, type SourceToken } from '../source/source-token.ts';
import { everywhere, spliced, type SyntaxRule } from './rule.ts';

const MYSQL = ['MySQL', 'MariaDB'];

/** Operators that are spelled otherwise here, where they have no argument to turn: by the dialects that have them. */
const SPELLINGS: ReadonlyMap<
  string,
  { readonly in: readonly string[]; readonly ours: readonly SourceToken[] }
> = new Map([
  ['==', { in: ['SQLite', 'Hive'], ours: [operatorToken('=')] }],
  ['<=>', { in: [...MYSQL, 'Hive'], ours: ['IS', 'NOT', 'DISTINCT', 'FROM'].map(wordToken) }],
  ['!<', { in: ['SQL Server'], ours: [operatorToken('>=')] }],
  ['!>', { in: ['SQL Server'], ours: [operatorToken('<=')] }],
  ['&&', { in: MYSQL, ours: [wordToken('AND')] }],
  ['DIV', { in: [...MYSQL, 'Hive'], ours: [operatorToken('//')] }],
  ['MOD', { in: MYSQL, ours: [operatorToken('%')] }],
]);

export const spellOperators: SyntaxRule = (tokens, dialect) =>
  everywhere(tokens, (list, at) => {
    const upper = list[at]?.upper ?? '';
    const isCall =
      isAt(list, at + 1, '(') && (upper === 'MOD' || upper === 'DIV') && !endsOperand(list[at - 1]);
    if (isCall || isAt(list, at - 1, '.') || isAt(list, at - 1, 'AS')) return null;
    if (upper === 'XOR') throw new NoOfferError('XOR of conditions');
    if (upper === '^' && dialect.name === 'Redshift') throw new NoOfferError('^, which is a power there');
    // With a setting, `||` joins texts there, too.
    if (upper === '||' && dialect.pipesAreOr && list[at + 1]?.kind === 'text')
      throw new NoOfferError('|| of what is no condition');
    if (upper === '||' && dialect.pipesAreOr) return spliced(list, at, at + 1, wordToken('OR'));
    const spelling = SPELLINGS.get(upper);
    return spelling?.in.includes(dialect.name) === true ? spliced(list, at, at + 1, ...spelling.ours) : null;
  });

const endsOperand = (token: SourceToken | undefined): boolean =>
  token !== undefined &&
  (token.upper === ')' || token.upper === ']' || token.kind !== 'operator') &&
  !['SELECT', ',', '(', 'WHERE', 'AND', 'OR', 'BY', 'ON', 'THEN', 'WHEN', 'ELSE', 'NOT'].includes(
    token.upper,
  );

/** `x RLIKE 'p'` and `x REGEXP 'p'`, with NOT or without: `~` and `!~`. */
export const regularExpressions: SyntaxRule = (tokens, dialect) =>
  everywhere(tokens, (list, at) => {
    if (!isAt(list, at, 'RLIKE') && !isAt(list, at, 'REGEXP')) return null;
    if (isAt(list, at + 1, '(') && !endsOperand(list[at - 1])) return null;
    const pattern = list[at + 1];
    if (pattern?.kind !== 'text') throw new NoOfferError('a regular expression that is no constant');
    const isNegated = isAt(list, at - 1, 'NOT');
    const { operator, text } = matching(pattern.value, isNegated, dialect);
    return spliced(list, isNegated ? at - 1 : at, at + 2, operatorToken(operator), textToken(text));
  });

/** MySQL's collations make no difference between upper and lower case; Snowflake's expressions match a whole text. */
function matching(
  pattern: string,
  isNegated: boolean,
  { name }: Dialect,
): { readonly operator: string; readonly text: string } {
  checkPattern(pattern);
  const operator = isNegated ? '!~' : '~';
  if (name === 'MySQL' || name === 'MariaDB') return { operator: `${operator}*`, text: pattern };
  if (name === 'Snowflake') return { operator, text: `^(?:${pattern})$` };
  if (name === 'Hive') return { operator, text: pattern };
  throw new NoOfferError(`a regular expression of ${name}`);
}

/** A LIKE pattern that means the same everywhere. */
export const checkLikePatterns: SyntaxRule = (tokens, { name }) => {
  tokens.forEach(({ kind, value, source }, at) => {
    const before = tokens[at - 1]?.upper;
    if (kind !== 'text' || (before !== 'LIKE' && before !== 'ILIKE')) return;
    if (source.includes('\\')) throw new NoOfferError('a backslash in a LIKE pattern');
    if (name === 'SQL Server' && value.includes('[')) throw new NoOfferError('a LIKE pattern with [ ]');
  });
  return tokens;
};
