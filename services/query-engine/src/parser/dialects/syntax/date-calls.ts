import { argumentsIn } from '../source/brackets.ts';
import { isAt, wordToken } from '../source/source-token.ts';
import { everywhere, only, spliced } from './rule.ts';

/** Here DATE takes one argument. With more, what it makes a date of has a name of its own until the call is turned. */
export const dateCalls = only(['SQLite', 'BigQuery'], (tokens) =>
  everywhere(tokens, (list, at) =>
    isAt(list, at, 'DATE', '(') && argumentsIn(list, at + 1).length > 1
      ? spliced(list, at, at + 1, wordToken('DATE_OF_PARTS'))
      : null,
  ),
);
