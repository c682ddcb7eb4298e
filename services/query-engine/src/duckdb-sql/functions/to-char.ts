/** TO_CHAR of an instant, part by part. */
import { isFormatProblem, writtenParts, type WrittenPart } from '../../logical/functions/postgres-format.ts';
import { constantText, quoteText } from '../literal.ts';
import { toInstant } from '../types/convert.ts';
import { TEXT } from '../types/sql-type.ts';
import { at, type Writer } from './writer.ts';
import { given } from '../named.ts';

function partOf(part: WrittenPart, instant: string): string {
  if (part.kind !== 'text') {
    // Sunday is 1 there.
    const number = part.kind === 'quarter' ? `quarter(${instant})` : `dayofweek(${instant}) + 1`;
    return `CAST(${number} AS VARCHAR)`;
  }
  const { strftime, letters, width } = part;
  const text = `strftime(${instant}, ${quoteText(strftime)})`;
  const cased = letters === null ? text : `${letters}(${text})`;
  return width === 0 ? cased : `rpad(${cased}, ${width}, ' ')`;
}

/** The binder has looked at the format. */
export const toChar: Writer = (values) => {
  const format = constantText(at(values, 1).sql);
  const parts = format === null ? [] : writtenParts(format);
  const instant = toInstant(at(values, 0));
  const [only, ...others] = isFormatProblem(parts) ? [] : parts;
  if (format === null) return { sql: 'CAST(NULL AS VARCHAR)', type: TEXT };
  if (only === undefined) return { sql: `strftime(${instant}, '')`, type: TEXT };
  if (others.length === 0) return { sql: partOf(only, instant), type: TEXT };
  const all = [only, ...others].map((part) => partOf(part, 't')).join(' || ');
  return { sql: given('t', instant, all), type: TEXT };
};
