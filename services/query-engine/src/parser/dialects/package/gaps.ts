import { closingOf } from '../source/brackets.ts';
import { isAt, wordToken, type SourceToken } from '../source/source-token.ts';
import { everywhere, spliced } from '../syntax/rule.ts';

/** Words that the package does not read in some dialect that has them, and what it reads in their place. */
const INSTEAD: readonly (readonly [words: string, instead: string])[] = [
  ['<=>', '='],
  ['NOT RLIKE', 'LIKE'],
  ['RLIKE', 'LIKE'],
  ['NOT REGEXP', 'LIKE'],
  ['REGEXP', 'LIKE'],
  ['LEFT SEMI JOIN', 'JOIN'],
  ['STRAIGHT_JOIN', 'JOIN'],
  ['!<', '<'],
  ['!>', '>'],
  ['STD', 'AVG'],
  ['MINUS', 'UNION'],
];

/**
 * The statement without constructs that the package's grammars lack although the dialect has them; null where there are
 * none. Only for finding out whether the rest is read: this text is never offered.
 */
export function withoutGaps(tokens: readonly SourceToken[]): string | null {
  const plain = everywhere(tokens, (list, at) => {
    const isIndexHint =
      (isAt(list, at, 'USE') || isAt(list, at, 'FORCE') || isAt(list, at, 'IGNORE')) &&
      isAt(list, at + 1, 'INDEX', '(');
    if (isIndexHint) return spliced(list, at, closingOf(list, at + 2) + 1);
    if (isAt(list, at, 'OPTION', '(')) return spliced(list, at, closingOf(list, at + 1) + 1);
    if (isAt(list, at, 'WITHIN', 'GROUP', '(')) return spliced(list, at, closingOf(list, at + 2) + 1);
    if (isAt(list, at, 'LATERAL', 'VIEW')) {
      const opening = at + (isAt(list, at + 2, 'OUTER') ? 4 : 3);
      const view = closingOf(list, opening) + 1;
      const end = isAt(list, view + 1, 'AS') ? view + 3 : view + 1;
      return spliced(list, at, end, wordToken('CROSS'), wordToken('JOIN'), ...list.slice(view, view + 1));
    }
    if (isAt(list, at, 'WITH', 'ORDINALITY')) return spliced(list, at, at + 2);
    if (isAt(list, at, 'STRAIGHT_JOIN') && isAt(list, at - 1, 'SELECT')) return spliced(list, at, at + 1);
    const found = INSTEAD.find(([words]) => isAt(list, at, ...words.split(' ')));
    if (found === undefined) return null;
    const [words, instead] = found;
    return spliced(list, at, at + words.split(' ').length, wordToken(instead));
  });
  if (plain === tokens) return null;
  return plain.map(({ source, spaceBefore }) => (spaceBefore ? ' ' : '') + source).join('');
}
