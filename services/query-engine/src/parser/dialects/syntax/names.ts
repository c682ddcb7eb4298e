import { isReserved } from '../../keywords.ts';
import { findInLevel } from '../source/brackets.ts';
import { isAt, nameToken, wordToken, type SourceToken } from '../source/source-token.ts';
import { everywhere, only, spliced } from './rule.ts';

/** A name given to a column may be written as a text: `AS 'total'`, `total 'sum'`. */
export const textAliases = only(['MySQL', 'MariaDB', 'SQL Server', 'SQLite', 'BigQuery', 'Hive'], (tokens) =>
  everywhere(tokens, (list, at) => {
    const alias = list[at];
    const before = list[at - 1];
    if (alias?.kind !== 'text' || alias.value === '' || before === undefined) return null;
    // MySQL's `_utf8'…'` is a text with its character set.
    const isBare =
      alias.spaceBefore && !before.upper.startsWith('_') && endsValue(before) && endsItem(list[at + 1]);
    if (before.upper !== 'AS' && !isBare) return null;
    return spliced(list, at, at + 1, { ...nameToken(alias.value), spaceBefore: true });
  }),
);

const endsValue = ({ kind, upper }: SourceToken): boolean =>
  kind === 'name' ||
  kind === 'number' ||
  upper === ')' ||
  upper === 'END' ||
  (kind === 'word' &&
    !isReserved(upper) &&
    upper !== 'LIKE' &&
    upper !== 'RLIKE' &&
    upper !== 'REGEXP' &&
    !isTyped(upper));

/** `DATE '…'` is a literal. */
const isTyped = (upper: string): boolean =>
  /^(DATE|TIME|TIMESTAMP|TIMESTAMPTZ|DATETIME|INTERVAL|SEPARATOR|ESCAPE)$/.test(upper);

const endsItem = (token: SourceToken | undefined): boolean =>
  token === undefined || [',', 'FROM', ')', ';'].includes(token.upper);

/** SQL Server's `SELECT total = price * 2` names a column, where here it would compare. */
export const assignedAliases = only(['SQL Server'], (tokens) =>
  everywhere(tokens, (list, at) => {
    if (!isAt(list, at, 'SELECT')) return null;
    const quantified = isAt(list, at + 1, 'DISTINCT') || isAt(list, at + 1, 'ALL') ? 2 : 1;
    return assigned(list, at + quantified);
  }),
);

/** Changes the items of the SELECT list that starts at an index. */
function assigned(tokens: readonly SourceToken[], from: number): readonly SourceToken[] {
  const end = findInLevel(tokens, from, ({ upper }) => upper === ',' || upper === 'FROM' || upper === ';');
  const rest = end.found && isAt(tokens, end.at, ',') ? assigned(tokens, end.at + 1) : tokens;
  const name = rest[from];
  if ((name?.kind !== 'word' && name?.kind !== 'name' && name?.kind !== 'text') || !isAt(rest, from + 1, '='))
    return rest;
  const alias = name.kind === 'text' ? nameToken(name.value) : name;
  const value = rest.slice(from + 2, end.at);
  return spliced(rest, from, end.at, ...value, wordToken('AS'), { ...alias, spaceBefore: true });
}

/** BigQuery's `* EXCEPT (a)` is `* EXCLUDE (a)`. */
export const starExcept = only(['BigQuery'], (tokens) =>
  everywhere(tokens, (list, at) =>
    isAt(list, at, '*', 'EXCEPT', '(') && !isAt(list, at + 3, 'SELECT')
      ? spliced(list, at + 1, at + 2, wordToken('EXCLUDE'))
      : null,
  ),
);
