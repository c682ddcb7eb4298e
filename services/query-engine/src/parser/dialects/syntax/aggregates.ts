import { NoOfferError } from '../no-offer.ts';
import { closingOf, findInLevel } from '../source/brackets.ts';
import { isAt, operatorToken, textToken, wordToken } from '../source/source-token.ts';
import { everywhere, only, spliced } from './rule.ts';

/** `GROUP_CONCAT(x ORDER BY y SEPARATOR s)` is `STRING_AGG(x, s ORDER BY y)`. */
export const groupConcat = only(['MySQL', 'MariaDB'], (tokens) =>
  everywhere(tokens, (list, at) => {
    if (!isAt(list, at, 'GROUP_CONCAT', '(')) return null;
    const closing = closingOf(list, at + 1);
    const order = findInLevel(
      list,
      at + 2,
      ({ upper }) => upper === 'ORDER' || upper === 'SEPARATOR' || upper === 'LIMIT',
    );
    const value = list.slice(at + 2, order.at);
    if (findInLevel(value, 0, ({ upper }) => upper === ',').found)
      throw new NoOfferError('GROUP_CONCAT of several values');
    const separator = findInLevel(list, order.at, ({ upper }) => upper === 'SEPARATOR');
    if (findInLevel(list, at + 2, ({ upper }) => upper === 'LIMIT').found)
      throw new NoOfferError('GROUP_CONCAT with LIMIT');
    const said = separator.found ? list.slice(separator.at + 1, closing) : [textToken(',')];
    const keys = list.slice(order.at, separator.at);
    return spliced(
      list,
      ...([at, closing] as const),
      ...[wordToken('STRING_AGG'), operatorToken('('), ...value, operatorToken(','), ...said, ...keys],
    );
  }),
);

/** `LISTAGG(x, s) WITHIN GROUP (ORDER BY y)` is `STRING_AGG(x, s ORDER BY y)`. */
export const withinGroup = only(
  ['SQL Server', 'Snowflake', 'Redshift', 'Trino', 'Athena'],
  (tokens, { name }) =>
    everywhere(tokens, (list, at) => {
      if (!isAt(list, at, name === 'SQL Server' ? 'STRING_AGG' : 'LISTAGG', '(')) return null;
      const closing = closingOf(list, at + 1);
      const comma = findInLevel(list, at + 2, ({ upper }) => upper === ',');
      const overflow = findInLevel(list, at + 2, ({ upper }) => upper === 'OVERFLOW');
      if (overflow.found) throw new NoOfferError('LISTAGG … ON OVERFLOW');
      const separator = comma.found ? [] : [operatorToken(','), textToken('')];
      if (!isAt(list, closing + 1, 'WITHIN', 'GROUP', '('))
        return spliced(list, closing, closing, ...separator);
      const end = closingOf(list, closing + 3);
      const keys = list.slice(closing + 4, end);
      return spliced(
        list,
        ...([at, end] as const),
        ...[wordToken('STRING_AGG'), ...list.slice(at + 1, closing), ...separator, ...keys],
      );
    }),
);

/** `GROUP BY a, b WITH ROLLUP` is `GROUP BY ROLLUP (a, b)`. */
export const withRollup = only(['MySQL', 'MariaDB', 'SQL Server', 'Hive'], (tokens) =>
  everywhere(tokens, (list, at) => {
    if (!isAt(list, at, 'GROUP', 'BY')) return null;
    const end = findInLevel(list, at + 2, ({ upper }) => upper === 'WITH');
    const kind = list[end.at + 1]?.upper ?? '';
    if (!end.found || (kind !== 'ROLLUP' && kind !== 'CUBE')) return null;
    const keys = list.slice(at + 2, end.at);
    return spliced(
      list,
      ...([at + 2, end.at + 2] as const),
      ...[wordToken(kind), operatorToken('('), ...keys, operatorToken(')')],
    );
  }),
);
