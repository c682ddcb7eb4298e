/** Formats of PostgreSQL's TO_CHAR, TO_DATE and TO_TIMESTAMP, as those of STRFTIME and STRPTIME. */

/** Parts in any case, the longer of two that begin alike first. */
const PARTS: readonly (readonly [string, string])[] = [
  ['FMMM', '%-m'],
  ['FMDD', '%-d'],
  ['FMHH24', '%-H'],
  ['FMHH12', '%-I'],
  ['FMMI', '%-M'],
  ['FMSS', '%-S'],
  ['IYYY', '%G'],
  ['YYYY', '%Y'],
  ['YY', '%y'],
  ['MM', '%m'],
  ['DDD', '%j'],
  ['DD', '%d'],
  ['IW', '%V'],
  ['ID', '%u'],
  ['HH24', '%H'],
  ['HH12', '%I'],
  ['HH', '%I'],
  ['MI', '%M'],
  ['SS', '%S'],
  ['MS', '%g'],
  ['US', '%f'],
];
/** Parts whose case is that of what they write. */
const NAMES: readonly (readonly [string, string])[] = [
  ['FMMonth', '%B'],
  ['FMDay', '%A'],
  ['Mon', '%b'],
  ['Dy', '%a'],
  ['AM', '%p'],
  ['PM', '%p'],
];
/** Filled up with spaces to nine characters. */
const PADDED = /^(?:Month|Day)/;
/** What begins as a part does, and is none. */
const NO_PARTS = /^(?:Month|Day|S{4}|s{4})/;
/** Parts that are known and not supported, with advice on what to write. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^SSSS/i, 'write EXTRACT(EPOCH FROM CAST(x AS TIME)) for the seconds past midnight'],
  [PADDED, 'write FMMonth or FMDay, which texts are read by'],
  [/^(?:FM)?(?:MON|DAY|DY)/i, 'write Mon, FMMonth, Dy or FMDay'],
  [/^[ap]\.?m/i, 'write AM'],
  [/^Q/i, 'write EXTRACT(QUARTER FROM x)'],
  [/^(?:TZ|OF)/i, 'all times are in UTC, or in the zone that AT TIME ZONE says'],
  [/^(?:FM)?[09]/, 'numbers are written by ROUND and CAST'],
];

/** What of a format has no translation, with what to write instead. */
export interface FormatProblem {
  readonly part: string;
  readonly advice: string;
}

export const isFormatProblem = (made: unknown): made is FormatProblem =>
  typeof made === 'object' && made !== null && 'advice' in made;

/** The format as STRFTIME has it, or what of it cannot be said. */
export function fromPostgresFormat(format: string): string | FormatProblem {
  let made = '';
  let at = 0;
  while (at < format.length) {
    const rest = format.slice(at);
    const [quoted, text] = /^"([^"]*)"/.exec(rest) ?? [];
    const part = NO_PARTS.test(rest)
      ? undefined
      : (NAMES.find(([name]) => rest.startsWith(name)) ??
        PARTS.find(([name]) => rest.slice(0, name.length).toUpperCase() === name));
    if (quoted !== undefined && text !== undefined) {
      made += text.replaceAll('%', '%%');
      at += quoted.length;
    } else if (part !== undefined) {
      made += part[1];
      at += part[0].length;
    } else if (/^[^\p{L}\p{N}"]/u.test(rest)) {
      const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
      made += character === '%' ? '%%' : character;
      at += character.length;
    } else {
      const advice =
        INSTEAD.find(([pattern]) => pattern.test(rest))?.[1] ?? 'put plain text in "double quotes"';
      return { part: /^[\p{L}\p{N}]+|./u.exec(rest)?.[0] ?? rest, advice };
    }
  }
  return made;
}

/** A part of what TO_CHAR writes: by STRFTIME, perhaps in another case or filled up with spaces; or a number. */
export type WrittenPart =
  | {
      readonly kind: 'text';
      readonly strftime: string;
      readonly letters: 'upper' | 'lower' | null;
      readonly width: number;
    }
  | { readonly kind: 'quarter' | 'dayOfWeek' };

const NAME = /^(FM)?(MONTH|Month|month|DAY|Day|day|MON|Mon|mon|DY|Dy|dy|am|pm)$/;
/** What has to be told apart: other parts that begin like a name or a D are among them, and come first. */
const TOKENS =
  /"[^"]*"|(?:FM)?(?:MONTH|Month|month|DAY|Day|day|MON|Mon|mon|DY|Dy|dy)|[ap]m|(?:FM)?(?:DDD|ddd|DD|dd)|ID|id|[QqDd]|[\s\S]/g;
const STRFTIME_NAMES: ReadonlyMap<string, string> = new Map([
  ['MONTH', '%B'],
  ['DAY', '%A'],
  ['MON', '%b'],
  ['DY', '%a'],
  ['AM', '%p'],
  ['PM', '%p'],
]);
/** Names of months and days are filled up to the longest. */
const NAME_WIDTH = 9;

function namePart(token: string): WrittenPart | null {
  const [, fill, name = ''] = NAME.exec(token) ?? [];
  const strftime = STRFTIME_NAMES.get(name.toUpperCase());
  if (strftime === undefined) return null;
  const letters =
    name === name.toUpperCase()
      ? ('upper' as const)
      : name === name.toLowerCase()
        ? ('lower' as const)
        : null;
  const isLong = strftime === '%B' || strftime === '%A';
  return { kind: 'text', strftime, letters, width: isLong && fill === undefined ? NAME_WIDTH : 0 };
}

/** What TO_CHAR writes by a format, part by part; or what of it cannot be said. */
export function writtenParts(format: string): readonly WrittenPart[] | FormatProblem {
  const parts: WrittenPart[] = [];
  let plain = '';
  let problem: FormatProblem | null = null;
  const end = (): void => {
    const made = fromPostgresFormat(plain);
    if (typeof made !== 'string') problem ??= made;
    else if (made !== '') parts.push({ kind: 'text', strftime: made, letters: null, width: 0 });
    plain = '';
  };
  for (const [token] of format.matchAll(TOKENS)) {
    const part: WrittenPart | null = /^q$/i.test(token)
      ? { kind: 'quarter' }
      : /^d$/i.test(token)
        ? { kind: 'dayOfWeek' }
        : namePart(token);
    if (part === null) plain += token;
    else {
      end();
      parts.push(part);
    }
  }
  end();
  return problem ?? parts;
}
