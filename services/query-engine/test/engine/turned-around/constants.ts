/** Constants at and beside the bounds of what keys hold, as literals and as what has to be computed first. */
import type { Choice } from '../choice.ts';
import { joined, parameter, quoted, raw, sql, type Piece } from './condition.ts';

const codePoints = (text: string): readonly string[] => [...text];
const SURROGATES = Object.freeze({ first: 0xd800, last: 0xdfff });
const LAST_CODE_POINT = 0x10ffff;

/** The character before or after. */
function moved(character: string, by: 1 | -1): string {
  const code = (character.codePointAt(0) ?? 0) + by;
  if (code >= SURROGATES.first && code <= SURROGATES.last)
    return String.fromCodePoint(by === 1 ? SURROGATES.last + 1 : SURROGATES.first - 1);
  return String.fromCodePoint(Math.min(Math.max(code, 1), LAST_CODE_POINT));
}

/** The text, one beside it, or a piece of it. */
export function nearText(choice: Choice, text: string): string {
  const characters = codePoints(text);
  const end = characters.at(-1) ?? 'a';
  const before = characters.slice(0, -1).join('');
  switch (choice.int(10)) {
    case 0:
      return before + moved(end, 1);
    case 1:
      return before + moved(end, -1);
    case 2:
      return text + choice.pick(['a', '#', ' ', '\u0001', '\u{10ffff}', '\uffff', '0', '%', '_']);
    case 3:
      return before;
    case 4:
      return characters.slice(0, 1 + choice.int(characters.length || 1)).join('');
    default:
      return text;
  }
}

export const firstCharacters = (text: string, count: number): string =>
  codePoints(text).slice(0, count).join('');
export const charactersFrom = (text: string, start: number, count: number): string =>
  codePoints(text)
    .slice(start, start + count)
    .join('');
export const lengthOf = (text: string): number => codePoints(text).length;

/** A text constant, written in one of the ways that it is sent. */
export function textConstant(choice: Choice, text: string): Piece {
  const cut = choice.int(lengthOf(text) + 1);
  const [start, end] = [firstCharacters(text, cut), charactersFrom(text, cut, lengthOf(text))];
  switch (choice.int(16)) {
    case 0:
      return parameter(text);
    case 1:
      return sql`CAST(${parameter(text)} AS VARCHAR)`;
    case 2:
      return sql`${parameter(text)}::text`;
    case 3:
      return raw(`(${quoted(start)} || ${quoted(end)})`);
    case 4:
      return sql`concat(${quoted(start)}, ${parameter(end)})`;
    case 5:
      return raw(`(SELECT ${quoted(text)})`);
    case 6:
      return raw(`COALESCE(NULL, ${quoted(text)})`);
    case 7:
      return raw(`CASE WHEN 1 + 1 = 2 THEN ${quoted(text)} ELSE 'other' END`);
    default:
      return raw(quoted(text));
  }
}

export const textList = (choice: Choice, texts: readonly string[]): Piece =>
  joined(
    texts.map((text) => textConstant(choice, text)),
    ', ',
  );

/** A number constant, from its digits. */
export function numberConstant(choice: Choice, digits: string): Piece {
  const isShort = digits.replace(/\D/g, '').length <= 15 && !digits.includes('e');
  switch (isShort ? choice.int(12) : 11) {
    case 0:
      return parameter(Number(digits));
    case 1:
      return sql`CAST(${parameter(digits)} AS DECIMAL(38, 10))`;
    case 2:
      return raw(`(${digits} + 0)`);
    case 3:
      return raw(`-(-(${digits}))`);
    case 4:
      return raw(`COALESCE(NULL, ${digits})`);
    case 5:
      return sql`(${digits} - 1 + ${parameter(1)})`;
    default:
      return raw(digits.startsWith('-') ? `(${digits})` : digits);
  }
}

export const OPERATORS = Object.freeze(['=', '<', '<=', '>', '>='] as const);
