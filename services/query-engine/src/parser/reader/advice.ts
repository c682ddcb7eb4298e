import { isReserved } from '../keywords.ts';
import { tokenAt, upperAt, type Cursor } from './cursor.ts';

/** Keywords that nobody means as a name where they turn up by mistake. */
const STRUCTURE = new Set(
  'SELECT FROM WHERE HAVING UNION INTERSECT EXCEPT AND OR NOT ON JOIN WHEN THEN ELSE AS IN IS LIKE CASE WITH INTO'.split(
    ' ',
  ),
);

/** How other systems write what stands here, and what to write instead; undefined for anything else. */
export function adviceOn(
  cursor: Pick<Cursor, 'tokens'>,
  index: number,
  expected: readonly string[],
): string | undefined {
  const { type, upper, text } = tokenAt(cursor, index);
  const before = upperAt(cursor, index - 1);
  if (upper === 'WITH' && upperAt(cursor, index + 1) === 'ROLLUP') return 'write GROUP BY ROLLUP (…)';
  if (upper === 'SEPARATOR') return 'give the separator as an argument: STRING_AGG(x, separator)';
  if (upper === 'SELECT' && before === 'MINUS') return 'MINUS is written EXCEPT';
  if (type === 'number' && before === 'TOP') return 'write LIMIT at the end of the query';
  if (before === 'IN' && type !== 'end' && expected.includes("'('")) return elementAdvice(cursor, index);
  if (text === '@') return 'parameters are written :name or ?';
  if (type === 'string' && expected.includes('FROM')) return 'a name is put in "double quotes"';
  const isName = type === 'word' && isReserved(upper) && !STRUCTURE.has(upper);
  if (isName && expected.includes('an expression'))
    return `expected an expression; a column of this name is written "${text}"`;
  return undefined;
}

/** `'a' IN tags`: what says whether a list has an element. */
function elementAdvice({ tokens }: Pick<Cursor, 'tokens'>, index: number): string | undefined {
  if (tokens[index]?.type !== 'word' && tokens[index]?.type !== 'name') return undefined;
  let end = index + 1;
  while (tokens[end]?.text === '.' && tokens[end + 1] !== undefined) end += 2;
  const list = tokens
    .slice(index, end)
    .map(({ text }) => text)
    .join('');
  const before = upperAt({ tokens }, index - 2) === 'NOT' ? index - 3 : index - 2;
  const value = tokens[before]?.text ?? 'value';
  return `expected '('; of a list or set that is an attribute: CONTAINS(${list}, ${value})`;
}
