import { NoOfferError } from '../no-offer.ts';
import { isAt } from '../source/source-token.ts';
import { only, type SyntaxRule } from './rule.ts';

/** What our dialect has not, or is not translated into what it has, by its words. */
const WITHOUT: readonly (readonly [words: string, reason: string])[] = [
  ['FLATTEN (', 'it makes rows of maps as well, which UNNEST does not'],
  ['PIVOT (', 'PIVOT makes columns of values'],
  ['UNPIVOT (', 'UNPIVOT makes rows of columns'],
  ['FOR UPDATE', 'queries only read'],
  ['FOR XML', 'XML is no result'],
  ['FOR JSON', 'one JSON text is no result'],
  ['CONNECT BY', 'hierarchies are not turned into WITH RECURSIVE'],
  ['START WITH', 'hierarchies are not turned into WITH RECURSIVE'],
  ['COLLATE', 'text is compared byte by byte'],
  ['AT TIME ZONE', 'times are in UTC'],
  ['SOUNDS LIKE', 'nothing compares by sound'],
  ['MATCH_RECOGNIZE', 'no patterns of rows'],
  ['TABLESAMPLE', 'nothing random is offered'],
  ['LIKE ANY', 'LIKE takes one pattern'],
  ['LIKE ALL', 'LIKE takes one pattern'],
  ['GLOB', 'GLOB has patterns of its own'],
  ['LEFT ANTI JOIN', 'there is no ANTI JOIN'],
  ['CLUSTER BY', 'no order is kept in parts'],
  ['DISTRIBUTE BY', 'no order is kept in parts'],
  ['SORT BY', 'no order is kept in parts'],
  ['WITH TIES', 'how many rows come is not certain'],
  ['SQL_CALC_FOUND_ROWS', 'the count of all rows is a query of its own'],
  ['BINARY', 'text is compared byte by byte'],
];
const WORDS = WITHOUT.map(([words, reason]) => ({ words: words.split(' '), reason }));

/** In SQLite, what stands in double quotes is a text where no column has that name. */
export const checkDoubleQuotes = only(['SQLite'], (tokens) => {
  tokens.forEach(({ kind, source }, at) => {
    const before = tokens[at - 1]?.upper ?? '';
    const isValue =
      ['=', '==', '<>', '!=', '<', '>', '<=', '>=', 'LIKE', '||'].includes(before) ||
      isAt(tokens, at - 2, 'IN', '(');
    if (kind === 'name' && source.startsWith('"') && isValue)
      throw new NoOfferError('what may be a text or a name');
  });
  return tokens;
});

/** Refuses what can't be written here, with the reason. */
export const refuseForeign: SyntaxRule = (tokens) => {
  tokens.forEach(({ kind }, at) => {
    if (kind !== 'word' || isAt(tokens, at - 1, '.') || isAt(tokens, at - 1, 'AS')) return;
    const found = WORDS.find(({ words }) => isAt(tokens, at, ...words));
    if (found !== undefined) throw new NoOfferError(found.reason);
  });
  return tokens;
};
