import { NoOfferError } from '../no-offer.ts';
import { closingOf, findInLevel } from '../source/brackets.ts';
import { isAt, wordToken, type SourceToken } from '../source/source-token.ts';
import { everywhere, only, spliced } from './rule.ts';

/** What TOP does not go with: it would count other rows than LIMIT at the end of the query. */
const NOT_BESIDE_TOP = new Set('UNION INTERSECT EXCEPT MINUS LIMIT OFFSET FETCH FOR OPTION'.split(' '));

/** `SELECT TOP n …` is `SELECT … LIMIT n`. */
export const topToLimit = only(['SQL Server', 'Snowflake', 'Redshift'], (tokens) =>
  everywhere(tokens, (list, at) => {
    if (!isAt(list, at, 'SELECT')) return null;
    const isQuantified = isAt(list, at + 1, 'DISTINCT') || isAt(list, at + 1, 'ALL');
    const top = at + (isQuantified ? 2 : 1);
    const count = isAt(list, top, 'TOP') ? countAfter(list, top) : null;
    if (count === null) return null;
    if (isAt(list, count.end, 'PERCENT')) throw new NoOfferError('TOP with PERCENT');
    if (isAt(list, count.end, 'WITH', 'TIES')) throw new NoOfferError('TOP with TIES');
    const clash = findInLevel(list, at, ({ upper }) => NOT_BESIDE_TOP.has(upper));
    if (clash.found || followsSetOperator(list, at)) throw new NoOfferError('TOP of a part of the rows');
    const end = findInLevel(list, count.end, ({ upper }) => upper === ';').at;
    const limited = spliced(list, end, end, wordToken('LIMIT'), spaced(count.token));
    return spliced(limited, top, count.end);
  }),
);

const spaced = (token: SourceToken): SourceToken => ({ ...token, spaceBefore: true });

/** The number or parameter after TOP, in parentheses or not. */
function countAfter(
  tokens: readonly SourceToken[],
  top: number,
): { readonly token: SourceToken; readonly end: number } | null {
  const opens = isAt(tokens, top + 1, '(');
  const token = tokens[top + (opens ? 2 : 1)];
  if (token?.kind !== 'number' && token?.kind !== 'other') return null;
  if (opens && closingOf(tokens, top + 1) !== top + 3) return null;
  return { token, end: top + (opens ? 4 : 2) };
}

function followsSetOperator(tokens: readonly SourceToken[], at: number): boolean {
  const before = tokens[isAt(tokens, at - 1, 'ALL') ? at - 2 : at - 1]?.upper ?? '';
  return before === 'UNION' || before === 'INTERSECT' || before === 'EXCEPT';
}

/** `LIMIT a, b` is `LIMIT b OFFSET a`. */
export const limitPair = only(['MySQL', 'MariaDB', 'SQLite', 'Hive'], (tokens) =>
  everywhere(tokens, (list, at) => {
    const [skipped, count] = [list[at + 1], list[at + 3]];
    if (!isAt(list, at, 'LIMIT') || !isAt(list, at + 2, ',')) return null;
    if (skipped === undefined || count === undefined) return null;
    return spliced(list, at + 1, at + 4, spaced(count), wordToken('OFFSET'), spaced(skipped));
  }),
);
