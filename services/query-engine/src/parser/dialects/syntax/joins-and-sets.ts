import { NoOfferError } from '../no-offer.ts';
import { isAt, wordToken } from '../source/source-token.ts';
import { everywhere, only, spliced } from './rule.ts';

/** `a STRAIGHT_JOIN b` is a join in a given order. */
export const straightJoin = only(['MySQL', 'MariaDB'], (tokens) =>
  everywhere(tokens, (list, at) =>
    isAt(list, at, 'STRAIGHT_JOIN') ? spliced(list, at, at + 1, wordToken('JOIN')) : null,
  ),
);

/** `LEFT SEMI JOIN` is `SEMI JOIN`. */
export const leftSemiJoin = only(['Hive'], (tokens) =>
  everywhere(tokens, (list, at) =>
    isAt(list, at, 'LEFT', 'SEMI', 'JOIN') ? spliced(list, at, at + 1) : null,
  ),
);

/** MINUS is EXCEPT. */
export const minus = only(['Snowflake', 'Hive'], (tokens) =>
  everywhere(tokens, (list, at) => {
    const isSetOperator = isAt(list, at, 'MINUS', 'SELECT') || isAt(list, at, 'MINUS', '(', 'SELECT');
    return isSetOperator ? spliced(list, at, at + 1, wordToken('EXCEPT')) : null;
  }),
);

/** `UNION DISTINCT` is UNION. */
export const distinctSets = only(['MySQL', 'MariaDB', 'BigQuery', 'Hive', 'Trino', 'Athena'], (tokens) =>
  everywhere(tokens, (list, at) =>
    isAt(list, at, 'DISTINCT') && ['UNION', 'EXCEPT', 'INTERSECT'].includes(list[at - 1]?.upper ?? '')
      ? spliced(list, at, at + 1)
      : null,
  ),
);

/** Where INTERSECT does not bind tighter than UNION and EXCEPT, or is not known to. */
export const checkSets = only(['SQLite', 'Hive', 'BigQuery'], (tokens) => {
  const has = (...operators: readonly string[]): boolean =>
    tokens.some(({ upper }) => operators.includes(upper));
  if (has('INTERSECT') && has('UNION', 'EXCEPT', 'MINUS'))
    throw new NoOfferError('set operations of several kinds');
  return tokens;
});
