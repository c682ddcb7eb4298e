/** What is written about keys that are texts. */
import type { Choice } from '../../choice.ts';
import { KEY, PARTITION, quoted, sql, type Piece } from '../condition.ts';
import {
  charactersFrom,
  firstCharacters,
  lengthOf,
  nearText,
  OPERATORS,
  textConstant,
  textList,
} from '../constants.ts';
import type { Row } from './row.ts';

const near = (choice: Choice, text: string): Piece => textConstant(choice, nearText(choice, text));
const operator = (choice: Choice): string => choice.pick(OPERATORS);
const someLength = (choice: Choice, text: string): number => choice.int(lengthOf(text) + 3);

/** `operand op c`, BETWEEN or IN, for a value of the operand. */
export function compared(choice: Choice, operand: Piece, value: string, other: string): Piece {
  switch (choice.int(8)) {
    case 0:
      return sql`${operand} BETWEEN ${near(choice, value)} AND ${near(choice, other)}`;
    case 1:
      return sql`${operand} IN (${textList(choice, [nearText(choice, value), other, nearText(choice, other)])})`;
    case 2:
      return sql`${near(choice, value)} ${operator(choice)} ${operand}`;
    default:
      return sql`${operand} ${operator(choice)} ${near(choice, value)}`;
  }
}

/** The last byte of a character in UTF-8 that has none behind it. */
const LAST_BYTE = 0xbf;

/**
 * A few characters that a value begins with. DuckDB makes a range of what a pattern in a filter begins with, and fails where the
 * character at its end has no byte behind its last ("Invalid unicode"), whatever column it is of.
 */
const patternStart = (choice: Choice, value: string): string =>
  [...firstCharacters(value, 1 + choice.int(4))]
    .filter((character) => Buffer.from(character).at(-1) !== LAST_BYTE)
    .join('');

/** The prefix as a regular expression that means the text itself, or as it is. */
const inPattern = (choice: Choice, text: string): string =>
  choice.maybe(0.7) ? text.replaceAll(/[\\^$.|?*+()[\]{}]/g, (character) => `\\${character}`) : text;

/** Ends of regular expressions after a prefix: what follows may take its last character back. */
const TAILS = [
  '',
  '.*',
  '*',
  '+',
  '?',
  '|B',
  '$',
  '[a-z]',
  '.',
  '{2}',
  '{0,1}',
  '(#|x)',
  '\\d',
  '\\b',
  '.*$',
];

function regex(choice: Choice, value: string): string {
  const start = inPattern(choice, patternStart(choice, value));
  const anchor = choice.pick(['^', '^', '^', '^', '', '(?i)^', '^(', '(^', '\\A', '^(?:', '^\\Q']);
  const end = anchor.includes('(') && !anchor.startsWith('(?i') ? ')' : '';
  return `${anchor}${start}${end}${choice.pick(TAILS)}`;
}

const LIKE_TAILS = ['%', '%', '%', '', '_', '_%', '%a', '#%', '%%', '\\%', '!%'];

/** Text with the wildcards of LIKE made plain, or not. */
function likePattern(choice: Choice, value: string): Piece {
  const start = firstCharacters(value, choice.int(6));
  const escaped = start.replaceAll(/[%_!]/g, (character) => `!${character}`);
  const pattern = choice.maybe(0.5) ? start : escaped;
  const written = textConstant(choice, pattern + choice.pick(LIKE_TAILS));
  return choice.maybe(0.5) ? sql`${written} ESCAPE '!'` : written;
}

const part = (text: string, i: number): string => text.split('#')[i - 1] ?? '';

function splitPart(choice: Choice, value: string, i: number): Piece {
  return compared(choice, sql`split_part(${KEY}, '#', ${i})`, part(value, i), part(value, i));
}

export const TEXT_ROWS: readonly Row[] = [
  { row: 'k op c', write: (choice, value, values) => compared(choice, KEY, value, choice.pick(values)) },
  {
    row: 'CAST(k AS its own type)',
    write: (choice, value, values) => {
      const cast = choice.pick([sql`CAST(${KEY} AS VARCHAR)`, sql`${KEY}::text`, sql`CAST(${KEY} AS CHAR)`]);
      return compared(choice, cast, value, choice.pick(values));
    },
  },
  {
    row: 'a narrower cast',
    write: (choice, value) => {
      const length = 1 + choice.int(6);
      const type = choice.pick(['VARCHAR', 'CHAR']);
      const start = firstCharacters(value, length);
      return compared(choice, sql`CAST(${KEY} AS ${type}(${length}))`, choice.pick([start, value]), start);
    },
  },
  {
    row: 'left, substr from 1',
    write(choice, value, values) {
      const length = someLength(choice, value);
      const first = choice.pick([
        sql`left(${KEY}, ${length})`,
        sql`substr(${KEY}, 1, ${length})`,
        sql`substring(${KEY} FROM 1 FOR ${length})`,
        sql`substring(${KEY}, 1, ${length})`,
        sql`substr(${KEY}, ${choice.pick([0, -1, 1])}, ${length})`,
        sql`left(${KEY}, ${choice.pick([-1, -2, 0])})`,
      ]);
      const other = choice.pick(values);
      return compared(choice, first, firstCharacters(value, length), firstCharacters(other, length));
    },
  },
  {
    row: 'substr beside a known first part',
    write(choice, value) {
      const start = choice.int(8);
      const length = 1 + choice.int(10);
      const found = charactersFrom(value, start, length);
      const later = compared(choice, sql`substr(${KEY}, ${start + 1}, ${length})`, found, found);
      const first = firstCharacters(value, start);
      const known = choice.pick([
        sql`${KEY} LIKE ${textConstant(choice, `${first}%`)}`,
        sql`left(${KEY}, ${start}) = ${textConstant(choice, first)}`,
        sql`starts_with(${KEY}, ${textConstant(choice, first)})`,
      ]);
      return choice.maybe(0.8) ? sql`(${known} AND ${later})` : later;
    },
  },
  {
    row: 'substr to the end',
    write(choice, value) {
      const start = choice.int(8);
      const found = charactersFrom(value, start, lengthOf(value));
      const later = compared(choice, sql`substr(${KEY}, ${start + 1})`, found, found);
      const prefix = sql`${KEY} LIKE ${textConstant(choice, `${firstCharacters(value, start)}%`)}`;
      return choice.maybe(0.5) ? sql`(${prefix} AND ${later})` : later;
    },
  },
  {
    row: 'starts_with',
    write(choice, value) {
      const name = choice.pick(['starts_with', 'begins_with']);
      return sql`${name}(${KEY}, ${near(choice, firstCharacters(value, someLength(choice, value)))})`;
    },
  },
  { row: 'LIKE', write: (choice, value) => sql`${KEY} LIKE ${likePattern(choice, value)}` },
  { row: 'NOT LIKE', write: (choice, value) => sql`${KEY} NOT LIKE ${likePattern(choice, value)}` },
  { row: 'ILIKE', write: (choice, value) => sql`${KEY} ILIKE ${likePattern(choice, value)}` },
  {
    row: 'regular expression',
    write(choice, value) {
      const pattern = quoted(regex(choice, value));
      return choice.pick([
        sql`regexp_matches(${KEY}, ${pattern})`,
        sql`regexp_matches(${KEY}, ${pattern}, ${quoted(choice.pick(['i', 'c', 's', 'm']))})`,
        sql`${KEY} ~ ${pattern}`,
        sql`${KEY} ~* ${pattern}`,
        sql`${KEY} !~ ${pattern}`,
      ]);
    },
  },
  {
    row: 'SIMILAR TO',
    write(choice, value) {
      const start = patternStart(choice, value).replaceAll(/[\\|*+?{}()[\]]/g, '');
      const tail = choice.pick(['%', '_%', '', '|B%', '(1|2)%', '*', '+%', '?%', '{1,2}%', '[a-z]%']);
      const pattern = quoted(`${start}${tail}`);
      return sql`${KEY} ${choice.pick(['SIMILAR TO', 'NOT SIMILAR TO'])} ${pattern}`;
    },
  },
  { row: 'split_part 1', write: (choice, value) => splitPart(choice, value, 1) },
  {
    row: 'split_part 1 and 2',
    write: (choice, value) =>
      sql`(split_part(${KEY}, '#', 1) = ${textConstant(choice, part(value, 1))} AND ${splitPart(choice, value, 2)})`,
  },
  {
    row: 'split_part of three parts',
    write: (choice, value) =>
      sql`(${splitPart(choice, value, 1)} AND ${splitPart(choice, value, 2)} AND ${splitPart(choice, value, 3)})`,
  },
  {
    row: 'split_part of another kind',
    write(choice, value) {
      const delimiter = choice.pick(['##', 'R', '#O', '-', '%', '\\', 'é', '😀', '']);
      const i = choice.pick([1, 1, 2, -1, -2]);
      const parts = delimiter === '' ? [value] : value.split(delimiter);
      const found = parts.at(i > 0 ? i - 1 : i) ?? '';
      return compared(choice, sql`split_part(${KEY}, ${quoted(delimiter)}, ${i})`, found, found);
    },
  },
  {
    row: "'A#' || k",
    write(choice, value, values) {
      const other = choice.pick(values);
      return choice.pick([
        () => compared(choice, sql`(${textConstant(choice, 'A#')} || ${KEY})`, `A#${value}`, `A#${other}`),
        () => compared(choice, sql`(${KEY} || ${textConstant(choice, '#z')})`, `${value}#z`, `${other}#z`),
        () => compared(choice, sql`concat('é', ${KEY}, '#')`, `é${value}#`, `é${other}#`),
        () => compared(choice, sql`concat(${KEY}, NULL)`, value, other),
        () => compared(choice, sql`(${PARTITION} || '#' || ${KEY})`, `p#${value}`, `p#${other}`),
        () => compared(choice, sql`concat_ws('#', ${PARTITION}, ${KEY})`, `p#${value}`, `p#${other}`),
        () => compared(choice, sql`(${KEY} || 'x')`, value, other),
      ])();
    },
  },
  {
    row: 'COALESCE',
    write(choice, value, values) {
      const other = choice.pick(['', value, nearText(choice, value), choice.pick(values), '\u{10ffff}']);
      const name = choice.pick(['COALESCE', 'IFNULL', 'NVL']);
      return compared(choice, sql`${name}(${KEY}, ${textConstant(choice, other)})`, value, other);
    },
  },
  {
    row: 'cannot be turned around',
    write(choice, value) {
      const call = choice.pick([
        'upper',
        'lower',
        'trim',
        'ltrim',
        'rtrim',
        'reverse',
        'initcap',
        'strip_accents',
      ]);
      return choice.pick([
        () => compared(choice, sql`${call}(${KEY})`, call === 'upper' ? value.toUpperCase() : value, value),
        () => compared(choice, sql`replace(${KEY}, '#', '-')`, value.replaceAll('#', '-'), value),
        () => sql`length(${KEY}) = ${lengthOf(value)}`,
        () => sql`contains(${KEY}, ${near(choice, firstCharacters(value, 2))})`,
        () => compared(choice, sql`lpad(${KEY}, 3, '0')`, value.padStart(3, '0'), value),
        () => compared(choice, sql`right(${KEY}, 2)`, value.slice(-2), value),
      ])();
    },
  },
  {
    row: 'position = 1',
    write(choice, value) {
      const start = textConstant(choice, firstCharacters(value, choice.int(4)));
      const at = choice.pick([1, 1, 1, 0, 2]);
      return choice.pick([sql`strpos(${KEY}, ${start}) = ${at}`, sql`position(${start} IN ${KEY}) = ${at}`]);
    },
  },
  {
    row: 'regexp_extract, split',
    write: (choice, value) =>
      choice.pick([
        sql`regexp_extract(${KEY}, '^[A-Z]+') = ${quoted(/^[A-Z]+/.exec(value)?.[0] ?? '')}`,
        sql`string_split(${KEY}, '#')[1] = ${quoted(part(value, 1))}`,
        sql`NULLIF(${KEY}, ${near(choice, value)}) IS NULL`,
      ]),
  },
  {
    row: 'a text as a number',
    write: (choice, value) =>
      sql`TRY_CAST(${KEY} AS ${choice.pick(['INTEGER', 'DOUBLE', 'DECIMAL(18, 3)'])}) ${operator(choice)} ${
        /^-?\d+(\.\d+)?$/.test(value) ? value : choice.pick(['7', '0', '-7'])
      }`,
  },
  { row: 'never', write: () => sql`(1 + 1 = 3 OR ${KEY} IS NULL)` },
];
