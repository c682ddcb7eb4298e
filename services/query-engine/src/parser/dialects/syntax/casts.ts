import { NoOfferError } from '../no-offer.ts';
import { argumentsIn, closingOf } from '../source/brackets.ts';
import { isAt, operatorToken, textToken, wordToken, type SourceToken } from '../source/source-token.ts';
import { everywhere, only, spliced, type SyntaxRule } from './rule.ts';

/** Styles of CONVERT for dates, as STRFTIME's formats. */
const DATE_STYLES: ReadonlyMap<string, string> = new Map([
  ['23', '%Y-%m-%d'],
  ['101', '%m/%d/%Y'],
  ['102', '%Y.%m.%d'],
  ['103', '%d/%m/%Y'],
  ['104', '%d.%m.%Y'],
  ['105', '%d-%m-%Y'],
  ['108', '%H:%M:%S'],
  ['110', '%m-%d-%Y'],
  ['111', '%Y/%m/%d'],
  ['112', '%Y%m%d'],
  ['120', '%Y-%m-%d %H:%M:%S'],
]);

const cast = (
  name: string,
  value: readonly SourceToken[],
  type: readonly SourceToken[],
): readonly SourceToken[] => [
  ...[wordToken(name), operatorToken('('), ...value, wordToken('AS'), ...type, operatorToken(')')],
];

/** `CONVERT(type, x)` and `TRY_CONVERT(type, x)`; a style of a date is a format. */
export const sqlServerConvert = only(['SQL Server'], (tokens) =>
  everywhere(tokens, (list, at) => {
    const isStrict = isAt(list, at, 'CONVERT', '(');
    if (!isStrict && !isAt(list, at, 'TRY_CONVERT', '(')) return null;
    const end = closingOf(list, at + 1) + 1;
    const [type, value, style, ...more] = argumentsIn(list, at + 1);
    if (type === undefined || value === undefined || more.length > 0) return null;
    if (style === undefined)
      return spliced(list, at, end, ...cast(isStrict ? 'CAST' : 'TRY_CAST', value, type));
    return spliced(list, at, end, ...styled(type, value, style));
  }),
);

/** A date as text in a style, cut to the type's length. */
function styled(
  type: readonly SourceToken[],
  value: readonly SourceToken[],
  style: readonly SourceToken[],
): readonly SourceToken[] {
  const format = DATE_STYLES.get(style.length === 1 ? (style[0]?.value ?? '') : '');
  const isText = /^N?(VAR)?CHAR$/.test(type[0]?.upper ?? '');
  if (format === undefined || !isText) throw new NoOfferError('a style of CONVERT');
  const made = [
    wordToken('STRFTIME'),
    operatorToken('('),
    ...value,
    operatorToken(','),
    textToken(format),
    operatorToken(')'),
  ];
  const length = type[2];
  // `VARCHAR` alone is one of 30 characters there, longer than any of these; CHAR(n) would be filled up with spaces.
  if (length?.kind !== 'number') return made;
  if (!/VARCHAR/.test(type[0]?.upper ?? '') && Number(length.value) > textLength(format))
    throw new NoOfferError('CHAR filled up with spaces');
  if (Number(length.value) >= textLength(format)) return made;
  return [wordToken('LEFT'), operatorToken('('), ...made, operatorToken(','), length, operatorToken(')')];
}

const textLength = (format: string): number =>
  format.replaceAll('%Y', '2024').replaceAll(/%[mdHMS]/g, '01').length;

/** `CONVERT(x, type)`, and `CONVERT(x USING utf8)`, which is x. */
export const mysqlConvert = only(['MySQL', 'MariaDB'], (tokens) =>
  everywhere(tokens, (list, at) => {
    if (!isAt(list, at, 'CONVERT', '(')) return null;
    const closing = closingOf(list, at + 1);
    const [value, type, ...more] = argumentsIn(list, at + 1);
    if (value === undefined || more.length > 0) return null;
    if (type !== undefined) return spliced(list, at, closing + 1, ...cast('CAST', value, type));
    const using = value.findIndex(({ upper }) => upper === 'USING');
    if (using < 0 || !/^UTF8/.test(value[using + 1]?.upper ?? '')) throw new NoOfferError('a character set');
    return spliced(list, at, closing + 1, operatorToken('('), ...value.slice(0, using), operatorToken(')'));
  }),
);

/** Names of casts, and words of types that our reader of types does not take. */
export const spellCasts: SyntaxRule = (tokens, { name }) =>
  everywhere(tokens, (list, at) => {
    if (isAt(list, at, 'SAFE_CAST', '(') && name === 'BigQuery')
      return spliced(list, at, at + 1, wordToken('TRY_CAST'));
    if (isAt(list, at, '(', 'MAX', ')') && /CHAR$|^VARBINARY$/.test(list[at - 1]?.upper ?? ''))
      return spliced(list, at - 1, at + 3, wordToken('TEXT'));
    const isSign = isAt(list, at, 'SIGNED') || isAt(list, at, 'UNSIGNED');
    return isSign && (isAt(list, at + 1, 'INTEGER') || isAt(list, at + 1, 'INT'))
      ? spliced(list, at + 1, at + 2)
      : null;
  });
