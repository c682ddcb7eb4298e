import { NoOfferError } from '../no-offer.ts';
import { closingOf } from '../source/brackets.ts';
import { isAt, wordToken } from '../source/source-token.ts';
import { everywhere, only, spliced } from './rule.ts';

const SELECT_HINTS = new Set(
  'STRAIGHT_JOIN HIGH_PRIORITY SQL_NO_CACHE SQL_CACHE SQL_SMALL_RESULT SQL_BIG_RESULT SQL_BUFFER_RESULT'.split(
    ' ',
  ),
);
/** Of the hints in WITH (…) after a table, those that change no row of a table that nobody writes to meanwhile. */
const TABLE_HINTS = new Set(
  'NOLOCK READUNCOMMITTED READCOMMITTED READPAST ROWLOCK PAGLOCK TABLOCK INDEX FORCESEEK'.split(' '),
);

/** MySQL's words after SELECT, and its index hints, say how to find rows, not which. */
export const mysqlHints = only(['MySQL', 'MariaDB'], (tokens) =>
  everywhere(tokens, (list, at) => {
    const upper = list[at]?.upper ?? '';
    if (
      SELECT_HINTS.has(upper) &&
      followsSelect(
        list.map((token) => token.upper),
        at,
      )
    )
      return spliced(list, at, at + 1);
    if (upper === 'DISTINCTROW') return spliced(list, at, at + 1, wordToken('DISTINCT'));
    const isIndexHint =
      (upper === 'USE' || upper === 'FORCE' || upper === 'IGNORE') &&
      (isAt(list, at + 1, 'INDEX', '(') || isAt(list, at + 1, 'KEY', '('));
    return isIndexHint ? spliced(list, at, closingOf(list, at + 2) + 1) : null;
  }),
);

/** Whether only hints, ALL and DISTINCT stand between SELECT and an index. */
function followsSelect(uppers: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= 0; before--) {
    const upper = uppers[before] ?? '';
    if (upper === 'SELECT') return true;
    if (!SELECT_HINTS.has(upper) && upper !== 'ALL' && upper !== 'DISTINCT') return false;
  }
  return false;
}

/** `FROM t WITH (NOLOCK)`, and `OPTION (RECOMPILE)` at the end. */
export const sqlServerHints = only(['SQL Server'], (tokens) =>
  everywhere(tokens, (list, at) => {
    const isOption = isAt(list, at, 'OPTION', '(');
    const isTableHint = isAt(list, at, 'WITH', '(');
    if (!isOption && !isTableHint) return null;
    const closing = closingOf(list, at + 1);
    const hint = list[at + 2]?.upper ?? '';
    if (isTableHint && !TABLE_HINTS.has(hint)) throw new NoOfferError(`the hint ${hint}`);
    if (isOption && hint !== 'RECOMPILE' && hint !== 'MAXDOP') throw new NoOfferError(`the option ${hint}`);
    return spliced(list, at, closing + 1);
  }),
);

/** `FROM DUAL` is no table at all. */
export const fromDual = only(['MySQL', 'MariaDB', 'Snowflake'], (tokens) =>
  everywhere(tokens, (list, at) =>
    isAt(list, at, 'FROM', 'DUAL') && !isAt(list, at + 2, ',') ? spliced(list, at, at + 2) : null,
  ),
);
