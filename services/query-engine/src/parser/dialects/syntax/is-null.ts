import { argumentsIn, closingOf } from '../source/brackets.ts';
import { isAt, operatorToken, wordToken } from '../source/source-token.ts';
import { everywhere, only, spliced, type SyntaxRule } from './rule.ts';

/** ISNULL is a reserved word here, so its calls are spelled otherwise before they are read. */
const isNullCheck = only(['MySQL', 'MariaDB', 'Hive'], (tokens) =>
  everywhere(tokens, (list, at) => {
    if (!isAt(list, at, 'ISNULL', '(') || argumentsIn(list, at + 1).length !== 1) return null;
    const end = closingOf(list, at + 1) + 1;
    const checked = [...list.slice(at + 1, end), wordToken('IS'), wordToken('NULL')];
    return spliced(list, at, end, operatorToken('('), ...checked, operatorToken(')'));
  }),
);

const isNullReplaced = only(['SQL Server'], (tokens) =>
  everywhere(tokens, (list, at) =>
    isAt(list, at, 'ISNULL', '(') && argumentsIn(list, at + 1).length === 2
      ? spliced(list, at, at + 1, wordToken('COALESCE'))
      : null,
  ),
);

/** `ISNULL(x)` is a check, SQL Server's `ISNULL(x, y)` the first that is not NULL. */
export const isNull: SyntaxRule = (tokens, dialect) => isNullReplaced(isNullCheck(tokens, dialect), dialect);
