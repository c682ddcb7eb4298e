import { NoOfferError } from '../no-offer.ts';
import { isAt, operatorToken, textToken, wordToken, type SourceToken } from '../source/source-token.ts';
import { everywhere, only, spliced } from './rule.ts';

/** `x -> '$.a'` and `x ->> '$.a'` are calls here; the second gives text. */
export const jsonArrows = only(['MySQL', 'MariaDB', 'SQLite'], (tokens) =>
  everywhere(tokens, (list, at) => {
    if (!isAt(list, at, '->') && !isAt(list, at, '->>')) return null;
    const path = list[at + 1];
    const from = pathStart(list, at);
    const isChained = isAt(list, at + 2, '->') || isAt(list, at + 2, '->>');
    if (path?.kind !== 'text' || from === at || isChained) throw new NoOfferError('-> of an expression');
    const name = isAt(list, at, '->') ? 'JSON_EXTRACT' : 'JSON_EXTRACT_STRING';
    return spliced(
      list,
      ...([from, at + 2] as const),
      ...[wordToken(name), operatorToken('('), ...list.slice(from, at), operatorToken(',')],
      ...[textToken(jsonPath(path.value)), operatorToken(')')],
    );
  }),
);

/** Where the path of names starts that ends before an index. */
function pathStart(tokens: readonly SourceToken[], end: number): number {
  let start = end;
  const isName = (index: number): boolean => ['word', 'name'].includes(tokens[index]?.kind ?? '');
  while (isName(start - 1)) {
    start -= 1;
    if (!isAt(tokens, start - 1, '.')) break;
    start -= 1;
  }
  return start;
}

/** SQLite takes a bare name for a path. */
const jsonPath = (path: string): string => {
  if (path.startsWith('$')) return path;
  if (!/^\w+$/.test(path) || /^\d/.test(path)) throw new NoOfferError('this path into a document');
  return `$.${path}`;
};

/** Snowflake's `address:street` is a path of names. */
export const colonPaths = only(['Snowflake'], (tokens) =>
  everywhere(tokens, (list, at) => {
    const [before, colon, after] = [list[at - 1], list[at], list[at + 1]];
    const isPath =
      colon?.upper === ':' &&
      ['word', 'name'].includes(before?.kind ?? '') &&
      ['word', 'name'].includes(after?.kind ?? '');
    return isPath ? spliced(list, at, at + 1, { ...operatorToken('.'), spaceBefore: false }) : null;
  }),
);

/** Lists whose first element is number 1, and BigQuery's ways to say which it is. */
export const subscripts = only(['BigQuery', 'Trino', 'Athena'], (tokens, { name }) =>
  everywhere(tokens, (list, at) => {
    const before = list[at - 1];
    const isSubscript =
      isAt(list, at, '[') &&
      (before?.kind === 'name' || before?.kind === 'word' || before?.upper === ')' || before?.upper === ']');
    if (!isSubscript || before?.upper === 'ARRAY') return null;
    const inner = list[at + 1];
    if (inner?.kind === 'text') return null;
    if (name === 'BigQuery') {
      const call = inner?.upper ?? '';
      const place = list[at + 3];
      if (!/^(SAFE_)?(OFFSET|ORDINAL)$/.test(call) || place?.kind !== 'number')
        throw new NoOfferError('a computed subscript');
      const index = Number(place.value) - (call.endsWith('ORDINAL') ? 1 : 0);
      return spliced(list, at + 1, at + 5, indexToken(index));
    }
    if (inner?.kind !== 'number' || !isAt(list, at + 2, ']')) throw new NoOfferError('a computed subscript');
    return spliced(list, at + 1, at + 2, indexToken(Number(inner.value) - 1));
  }),
);

function indexToken(index: number): SourceToken {
  if (!Number.isSafeInteger(index) || index < 0) throw new NoOfferError('an element before the first');
  return { kind: 'number', value: String(index), upper: '', spaceBefore: false, source: String(index) };
}
