/** Formats of dates in other dialects, as those of STRFTIME. What can't be said exactly has no translation. */
import { NoOfferError } from '../no-offer.ts';

export type FormatStyle = 'mysql' | 'java' | 'dotnet' | 'snowflake' | 'redshift' | 'bigquery' | 'sqlite';

const PERCENT: Readonly<Record<'mysql' | 'bigquery' | 'sqlite', ReadonlyMap<string, string>>> = {
  mysql: new Map(
    Object.entries({
      ...{
        Y: '%Y',
        y: '%y',
        m: '%m',
        c: '%-m',
        d: '%d',
        e: '%-d',
        H: '%H',
        k: '%-H',
        h: '%I',
        I: '%I',
        l: '%-I',
      },
      ...{ i: '%M', s: '%S', S: '%S', p: '%p', M: '%B', b: '%b', W: '%A', a: '%a', j: '%j', f: '%f' },
      ...{ T: '%H:%M:%S', r: '%I:%M:%S %p', '%': '%%' },
    }),
  ),
  bigquery: new Map(
    Object.entries({
      ...{
        Y: '%Y',
        y: '%y',
        m: '%m',
        d: '%d',
        H: '%H',
        I: '%I',
        M: '%M',
        S: '%S',
        p: '%p',
        B: '%B',
        b: '%b',
      },
      ...{ h: '%b', A: '%A', a: '%a', j: '%j', F: '%Y-%m-%d', T: '%H:%M:%S', R: '%H:%M', '%': '%%' },
    }),
  ),
  sqlite: new Map(
    Object.entries({ Y: '%Y', m: '%m', d: '%d', H: '%H', M: '%M', S: '%S', j: '%j', w: '%w', '%': '%%' }),
  ),
};

/** By letters, the longer first. */
const LETTERS: Readonly<
  Record<'java' | 'dotnet' | 'snowflake' | 'redshift', readonly (readonly [string, string])[]>
> = {
  java: [
    ...([
      ['yyyy', '%Y'],
      ['yy', '%y'],
      ['MMMM', '%B'],
      ['MMM', '%b'],
      ['MM', '%m'],
      ['M', '%-m'],
    ] as const),
    ...([
      ['dd', '%d'],
      ['d', '%-d'],
      ['EEEE', '%A'],
      ['EEE', '%a'],
      ['HH', '%H'],
      ['H', '%-H'],
    ] as const),
    ...([
      ['hh', '%I'],
      ['h', '%-I'],
      ['mm', '%M'],
      ['ss', '%S'],
      ['a', '%p'],
    ] as const),
  ],
  dotnet: [
    ...([
      ['yyyy', '%Y'],
      ['yy', '%y'],
      ['MMMM', '%B'],
      ['MMM', '%b'],
      ['MM', '%m'],
      ['M', '%-m'],
    ] as const),
    ...([
      ['dddd', '%A'],
      ['ddd', '%a'],
      ['dd', '%d'],
      ['d', '%-d'],
      ['HH', '%H'],
      ['H', '%-H'],
    ] as const),
    ...([
      ['hh', '%I'],
      ['h', '%-I'],
      ['mm', '%M'],
      ['ss', '%S'],
      ['tt', '%p'],
    ] as const),
  ],
  snowflake: [
    ...([
      ['YYYY', '%Y'],
      ['YY', '%y'],
      ['MMMM', '%B'],
      ['MON', '%b'],
      ['MM', '%m'],
      ['DY', '%a'],
      ['DD', '%d'],
    ] as const),
    ...([
      ['HH24', '%H'],
      ['HH12', '%I'],
      ['MI', '%M'],
      ['SS', '%S'],
      ['AM', '%p'],
      ['PM', '%p'],
    ] as const),
  ],
  redshift: [
    ...([
      ['YYYY', '%Y'],
      ['YY', '%y'],
      ['Mon', '%b'],
      ['MM', '%m'],
      ['Dy', '%a'],
      ['DDD', '%j'],
      ['DD', '%d'],
    ] as const),
    ...([
      ['HH24', '%H'],
      ['HH12', '%I'],
      ['HH', '%I'],
      ['MI', '%M'],
      ['SS', '%S'],
      ['AM', '%p'],
      ['PM', '%p'],
    ] as const),
  ],
};

/** @throws NoOfferError where a part of the format is not known to mean the same */
export function toStrftime(format: string, style: FormatStyle): string {
  if (style === 'mysql' || style === 'bigquery' || style === 'sqlite')
    return byPercent(format, PERCENT[style]);
  // Snowflake's letters may be in either case.
  return byLetters(style === 'snowflake' ? format.toUpperCase() : format, style);
}

function byPercent(format: string, known: ReadonlyMap<string, string>): string {
  // Without a part of a date it is another system's format, and would be given as it stands.
  if (!format.includes('%')) throw new NoOfferError('a format without parts');
  return format.replaceAll(/%(.?)/gsu, (written, letter: string) => {
    const ours = known.get(letter);
    if (ours === undefined) throw new NoOfferError(`${written} in a format`);
    return ours;
  });
}

function byLetters(format: string, style: keyof typeof LETTERS): string {
  // A single letter stands for a whole format in .NET.
  if (style === 'dotnet' && format.length < 2) throw new NoOfferError('a standard format');
  let made = '';
  for (let at = 0; at < format.length;) {
    const found = LETTERS[style].find(([letters]) => format.startsWith(letters, at));
    const character = format.charAt(at);
    if (found !== undefined && !isLongerRun(format, at, found[0])) {
      made += found[1];
      at += found[0].length;
    } else if (/[-\s./:,_]/.test(character)) {
      made += character;
      at += 1;
    } else throw new NoOfferError(`${character} in a format`);
  }
  return made;
}

/** `yyyyy` is not `yyyy` and `y`. */
const isLongerRun = (format: string, at: number, letters: string): boolean =>
  new Set(letters).size === 1 && format.charAt(at + letters.length) === letters.charAt(0);
