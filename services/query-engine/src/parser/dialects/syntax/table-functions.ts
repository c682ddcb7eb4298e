/** What makes rows for each row of the tables before it: APPLY, and functions in FROM. */
import { NoOfferError } from '../no-offer.ts';
import { argumentsIn, closingOf } from '../source/brackets.ts';
import { isAt, operatorToken, wordToken, type SourceToken } from '../source/source-token.ts';
import { everywhere, only, spliced } from './rule.ts';

type Tokens = readonly SourceToken[];

const words = (text: string): Tokens => text.split(' ').map(wordToken);
const ON_TRUE = words('ON TRUE');

/** What comes where an APPLY does, or null where none does. */
const joinAt = (list: Tokens, at: number): 'CROSS' | 'LEFT' | null => {
  if (isAt(list, at, 'CROSS', 'APPLY')) return 'CROSS';
  return isAt(list, at, 'OUTER', 'APPLY') ? 'LEFT' : null;
};

/**
 * `a CROSS APPLY (SELECT …) b` is a join with LATERAL; `OUTER APPLY` is a LEFT one, as is APPLY of STRING_SPLIT, which
 * `stringSplit` turns afterwards.
 */
export const apply = only(['SQL Server'], (tokens) =>
  everywhere(tokens, (list, at) => {
    const join = joinAt(list, at);
    if (join === null) return null;
    const isQuery = isAt(list, at + 2, '(', 'SELECT');
    if (!isQuery && !isAt(list, at + 2, 'STRING_SPLIT', '('))
      throw new NoOfferError('APPLY of something else than a query');
    const { end } = aliasAfter(list, closingOf(list, at + (isQuery ? 2 : 3)) + 1);
    const closed = join === 'LEFT' ? spliced(list, end, end, ...ON_TRUE) : list;
    return spliced(closed, at, at + 2, ...words(isQuery ? `${join} JOIN LATERAL` : `${join} JOIN`));
  }),
);

/** `FROM STRING_SPLIT(text, ',') s` has the parts in a column `value`. */
export const stringSplit = only(['SQL Server'], (tokens) =>
  everywhere(tokens, (list, at) => {
    if (!isAt(list, at, 'STRING_SPLIT', '(')) return null;
    if (argumentsIn(list, at + 1).length !== 2) throw new NoOfferError('STRING_SPLIT with places');
    const closing = closingOf(list, at + 1);
    const { alias, end } = aliasAfter(list, closing + 1);
    const call = [...words('SPLIT'), ...list.slice(at + 1, closing + 1)];
    return spliced(list, at, end, ...unnest(call, alias ?? wordToken('parts'), wordToken('value')));
  }),
);

/** `LATERAL VIEW [OUTER] explode(list) t AS c`. */
export const lateralView = only(['Hive'], (tokens) =>
  everywhere(tokens, (list, at) => {
    if (!isAt(list, at, 'LATERAL', 'VIEW')) return null;
    const isOuter = isAt(list, at + 2, 'OUTER');
    const call = at + (isOuter ? 3 : 2);
    if (!isAt(list, call, 'EXPLODE', '('))
      throw new NoOfferError('LATERAL VIEW of another function than EXPLODE');
    const closing = closingOf(list, call + 1);
    const [view, column] = [list[closing + 1], list[closing + 3]];
    if (view === undefined || column === undefined || !isAt(list, closing + 2, 'AS'))
      throw new NoOfferError('LATERAL VIEW without a name for its column');
    if (isAt(list, closing + 4, ',')) throw new NoOfferError('EXPLODE of a map');
    const rows = unnest(list.slice(call + 2, closing), view, column);
    const join = words(isOuter ? 'LEFT JOIN' : 'CROSS JOIN');
    return spliced(list, at, closing + 4, ...join, ...rows, ...(isOuter ? ON_TRUE : []));
  }),
);

/** Refuses UNNEST where the dialect has none, or one that is not known to be ours. */
export const checkUnnest = only(
  ['MySQL', 'MariaDB', 'SQL Server', 'Snowflake', 'SQLite', 'Hive', 'Redshift'],
  (tokens) => {
    if (tokens.some((_, at) => isAt(tokens, at, 'UNNEST', '('))) throw new NoOfferError('UNNEST');
    return tokens;
  },
);

/** `UNNEST(list) AS element` is the same here, but that a LEFT JOIN needs a condition. */
export const bigQueryUnnest = only(['BigQuery'], (tokens) =>
  everywhere(tokens, (list, at) => {
    if (!isAt(list, at, 'UNNEST', '(')) return null;
    const { end } = aliasAfter(list, closingOf(list, at + 1) + 1);
    if (isAt(list, end, 'WITH')) throw new NoOfferError('UNNEST with places, which start at 0');
    if (isAt(list, at - 1, ',') || isAt(list, at - 1, 'FROM') || isAt(list, at - 2, 'CROSS', 'JOIN'))
      return null;
    const isLeft = isAt(list, at - 2, 'LEFT', 'JOIN') || isAt(list, at - 3, 'LEFT', 'OUTER', 'JOIN');
    if (!isLeft || isAt(list, end, 'ON'))
      throw new NoOfferError('UNNEST elsewhere than in a join without condition');
    return spliced(list, end, end, ...ON_TRUE);
  }),
);

/** `UNNEST(list) AS t(element)` is the same here; maps and lists of rows have more columns there. */
export const trinoUnnest = only(['Trino', 'Athena'], (tokens) => {
  tokens.forEach((_, at) => {
    if (!isAt(tokens, at, 'UNNEST', '(')) return;
    const closing = closingOf(tokens, at + 1);
    const isCounted = isAt(tokens, closing + 1, 'WITH', 'ORDINALITY');
    const { end } = aliasAfter(tokens, closing + (isCounted ? 3 : 1));
    const columns = isAt(tokens, end, '(') ? argumentsIn(tokens, end).length : 0;
    if (argumentsIn(tokens, at + 1).length !== 1 || columns !== (isCounted ? 2 : 1))
      throw new NoOfferError('UNNEST of something else than one list, whose element is named');
  });
  return tokens;
});

/** `UNNEST(list) AS alias(column)`. */
const unnest = (list: Tokens, alias: SourceToken, column: SourceToken): Tokens => [
  ...[wordToken('UNNEST'), operatorToken('('), ...list, operatorToken(')')],
  ...[wordToken('AS'), spaced(alias), operatorToken('('), column, operatorToken(')')],
];

const spaced = (token: SourceToken): SourceToken => ({ ...token, spaceBefore: true });

/** What may follow a table and is no alias. */
const NO_ALIAS = new Set(
  (
    'WHERE GROUP ORDER HAVING LIMIT UNION INTERSECT EXCEPT JOIN INNER LEFT RIGHT FULL CROSS OUTER ON USING WITH ' +
    'OPTION FOR OFFSET FETCH WINDOW QUALIFY LATERAL'
  ).split(' '),
);

/** The alias that stands at an index, if one does, and where what follows it begins. */
function aliasAfter(list: Tokens, at: number): { readonly alias: SourceToken | null; readonly end: number } {
  const start = isAt(list, at, 'AS') ? at + 1 : at;
  const token = list[start];
  const isAlias = token?.kind === 'name' || (token?.kind === 'word' && !NO_ALIAS.has(token.upper));
  return isAlias ? { alias: token, end: start + 1 } : { alias: null, end: at };
}
