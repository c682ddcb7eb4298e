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
  [PADDED, 'it is filled up with spaces: write FMMonth or FMDay'],
  [/^(?:FM)?(?:MON|DAY|DY)/i, 'write Mon, FMMonth, Dy or FMDay, and UPPER or LOWER around TO_CHAR'],
  [/^[ap]\.?m/i, 'write AM, and LOWER around TO_CHAR'],
  [/^Q/i, 'write EXTRACT(QUARTER FROM x)'],
  [/^(?:TZ|OF)/i, 'all times are in UTC, or in the zone that AT TIME ZONE says'],
  [/^(?:FM)?[09]/, 'numbers are written by ROUND and CAST'],
];

/** What of a format has no translation, with what to write instead. */
export interface FormatProblem {
  readonly part: string;
  readonly advice: string;
}

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
