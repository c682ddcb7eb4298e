/** Arrays of one dimension, as parameters have them. */
import { PgError } from '../errors/pg-error.ts';
import { fieldsOf, malformed } from '../wire/fields.ts';

const oneDimension = (): PgError =>
  new PgError({ code: '0A000', message: 'arrays of several dimensions are not supported as parameters' });

/** The elements of an array in binary. @throws PgError */
export function readBinaryArray(bytes: Buffer): readonly (Buffer | null)[] {
  const fields = fieldsOf(bytes);
  const dimensions = fields.int32();
  fields.int32();
  fields.uint32();
  if (dimensions === 0) return [];
  if (dimensions !== 1) throw oneDimension();
  const count = fields.int32();
  fields.int32();
  if (count < 0 || count > bytes.length) throw malformed('an array of more elements than it has bytes');
  const elements = Array.from({ length: count }, () => {
    const length = fields.int32();
    return length === -1 ? null : fields.bytes(length);
  });
  fields.end();
  return elements;
}

const invalid = (text: string): PgError =>
  new PgError({ code: '22P02', message: `malformed array literal: "${text.slice(0, 100)}"` });

/** One element, from where it begins, and where the comma or the brace behind it is. @throws PgError */
function elementAt(text: string, from: number): { readonly value: string | null; readonly end: number } {
  let value = '';
  let isQuoted = false;
  let inQuotes = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\\') value += text[++at] ?? '';
    else if (char === '"') {
      inQuotes = !inQuotes;
      isQuoted = true;
    } else if (inQuotes) value += char;
    else if (char === '{') throw oneDimension();
    else if (char === ',' || char === '}') {
      const bare = isQuoted ? value : value.trim();
      if (bare === '' && !isQuoted) throw invalid(text);
      return { value: !isQuoted && bare.toUpperCase() === 'NULL' ? null : bare, end: at };
    } else if (!isQuoted || char.trim() !== '') value += char;
  }
  throw invalid(text);
}

/** The elements of an array as text: `{1,"a b",NULL}`. @throws PgError */
export function readTextArray(text: string): readonly (string | null)[] {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) throw invalid(text);
  if (trimmed.slice(1, -1).trim() === '') return [];
  const elements: (string | null)[] = [];
  for (let from = 1; ;) {
    // Spaces before a quoted element are no part of it.
    while (trimmed[from]?.trim() === '') from++;
    const { value, end } = elementAt(trimmed, from);
    elements.push(value);
    if (trimmed[end] === ',') from = end + 1;
    else if (end === trimmed.length - 1) return elements;
    else throw invalid(text);
  }
}
