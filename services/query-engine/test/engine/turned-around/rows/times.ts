/** What is written about keys that are texts of times. */
import type { Choice } from '../../choice.ts';
import { KEY, parameter, quoted, raw, sql, type Piece } from '../condition.ts';
import { OPERATORS } from '../constants.ts';
import type { Row } from './row.ts';

const DAY_MS = 86_400_000;
const FALLBACK = Date.parse('2026-11-20T10:15:00Z');

/** The moment of a value, roughly, or one beside it: milliseconds since 1970. */
function momentNear(choice: Choice, value: string): number {
  const match = /(\d{4})-?(\d{2})-?(\d{2})(?:[T ]?(\d{2}):?(\d{2}))?/i.exec(value);
  const [, year, month, day, hour = '00', minute = '00'] = match ?? [];
  const at = match === null ? FALLBACK : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  const known = Number.isNaN(at) ? FALLBACK : at;
  const day0 = Math.floor(known / DAY_MS) * DAY_MS;
  return choice.pick([
    known,
    known,
    day0,
    day0,
    day0 + DAY_MS,
    day0 - DAY_MS,
    day0 - 1,
    known + 1,
    known - 1,
    known + 3_600_000,
    known + 16 * 3_600_000,
    known - 12 * 3_600_000,
  ]);
}

const iso = (at: number): string => new Date(at).toISOString();
const dateOf = (at: number): string => iso(at).slice(0, 10);
const stampOf = (at: number): string => iso(at).slice(0, 23).replace('T', ' ');
const operator = (choice: Choice): string => choice.pick(OPERATORS);

/** A constant that is a date. */
function dateConstant(choice: Choice, at: number): Piece {
  const date = dateOf(at);
  return choice.pick([
    raw(`DATE '${date}'`),
    raw(`CAST('${date}' AS DATE)`),
    sql`CAST(${parameter(date)} AS DATE)`,
    raw(`'${date}'::date`),
    raw(`(DATE '${dateOf(at - DAY_MS)}' + 1)`),
    raw(`make_date(${date.slice(0, 4)}, ${Number(date.slice(5, 7))}, ${Number(date.slice(8))})`),
    raw(`CAST(TIMESTAMP '${stampOf(at)}' AS DATE)`),
  ]);
}

/** A constant that is a moment. */
function timeConstant(choice: Choice, at: number): Piece {
  const stamp = stampOf(at);
  return choice.pick([
    raw(`TIMESTAMP '${stamp}'`),
    raw(`TIMESTAMP '${stamp}456'`),
    raw(`TIMESTAMPTZ '${stamp}+00'`),
    raw(`TIMESTAMPTZ '${stampOf(at + 3_600_000)}+01:00'`),
    sql`CAST(${parameter(iso(at))} AS TIMESTAMP)`,
    sql`${parameter(iso(at))}::timestamptz`,
    raw(`(TIMESTAMP '${stampOf(at + DAY_MS)}' - INTERVAL '1 day')`),
    raw(`(DATE '${dateOf(at)}' + INTERVAL '1 day')`),
    raw(`date_trunc('hour', TIMESTAMP '${stamp}')`),
    raw(`to_timestamp(${at / 1000})`),
    dateConstant(choice, at),
  ]);
}

/** A constant by the clock; keys lie half a day from what lies whole days before. */
const CLOCK = [
  `now() - INTERVAL '7 days'`,
  `now() - INTERVAL '1 day'`,
  `CURRENT_TIMESTAMP - INTERVAL '31 days'`,
  `now() + INTERVAL '1 day'`,
  `now()`,
];

function compared(choice: Choice, operand: Piece, at: number, constant: (at: number) => Piece): Piece {
  const later = at + choice.pick([0, 1, 7, 31]) * DAY_MS;
  switch (choice.int(6)) {
    case 0:
      return sql`${operand} BETWEEN ${constant(at)} AND ${constant(later)}`;
    case 1:
      return sql`(${operand} >= ${constant(at)} AND ${operand} < ${constant(later)})`;
    case 2:
      return sql`${constant(at)} ${operator(choice)} ${operand}`;
    case 3:
      return sql`${operand} IN (${constant(at)}, ${constant(later)})`;
    default:
      return sql`${operand} ${operator(choice)} ${constant(at)}`;
  }
}

/** The key as a time, by a cast that `cast` names. */
const asTime = (choice: Choice, cast: string): Piece =>
  choice.pick([
    sql`${cast}(${KEY} AS TIMESTAMP)`,
    sql`${cast}(${KEY} AS TIMESTAMP)`,
    sql`${cast}(${KEY} AS TIMESTAMPTZ)`,
  ]);
const UNITS = ['hour', 'day', 'week', 'month', 'quarter', 'year', 'minute', 'second', 'decade'];

const FORMATS: readonly (readonly [format: string, of: (at: string) => string])[] = [
  ['%Y-%m-%d', (at) => at.slice(0, 10)],
  ['%Y-%m', (at) => at.slice(0, 7)],
  ['%Y', (at) => at.slice(0, 4)],
  ['%Y%m%d', (at) => at.slice(0, 10).replaceAll('-', '')],
  ['%Y-%m-%d %H:00', (at) => `${at.slice(0, 10)} ${at.slice(11, 13)}:00`],
  ['%Y-%m-%dT%H:%M:%S', (at) => at.slice(0, 19)],
  ['%H', (at) => at.slice(11, 13)],
  ['%d/%m/%Y', (at) => at.slice(0, 10).split('-').toReversed().join('/')],
  ['%m', (at) => at.slice(5, 7)],
];
const TO_CHAR: readonly (readonly [format: string, of: (at: string) => string])[] = [
  ['YYYY-MM-DD', (at) => at.slice(0, 10)],
  ['YYYY-MM', (at) => at.slice(0, 7)],
  ['YYYY', (at) => at.slice(0, 4)],
  ['DD.MM.YYYY', (at) => at.slice(0, 10).split('-').toReversed().join('.')],
];

function formatted(choice: Choice, cast: string, at: number): Piece {
  const [name, formats] = choice.pick([['strftime', FORMATS] as const, ['to_char', TO_CHAR] as const]);
  const [format, of] = choice.pick(formats);
  const call = sql`${name}(${asTime(choice, cast)}, ${quoted(format)})`;
  const value = quoted(of(iso(at)));
  return choice.pick([
    sql`${call} ${operator(choice)} ${value}`,
    sql`${call} = ${value}`,
    sql`${call} IN (${value}, ${quoted(of(iso(at + DAY_MS)))})`,
    sql`${call} BETWEEN ${value} AND ${quoted(of(iso(at + 7 * DAY_MS)))}`,
    sql`${call} LIKE ${quoted(`${of(iso(at)).slice(0, 4)}%`)}`,
  ]);
}

/** Fields of times with a value of theirs. */
function field(choice: Choice, time: Piece, at: number): Piece {
  const date = new Date(at);
  const [name, value] = choice.pick([
    ['year', date.getUTCFullYear()],
    ['year', date.getUTCFullYear()],
    ['month', date.getUTCMonth() + 1],
    ['day', date.getUTCDate()],
    ['hour', date.getUTCHours()],
    ['quarter', Math.floor(date.getUTCMonth() / 3) + 1],
  ] as const);
  const call = choice.pick([
    sql`${name}(${time})`,
    sql`extract(${name} FROM ${time})`,
    sql`date_part('${name}', ${time})`,
  ]);
  return sql`${call} ${operator(choice)} ${value}`;
}

/** With casts that fail on what is no time, or that give NULL. */
function rows(cast: 'CAST' | 'TRY_CAST'): readonly Row[] {
  const moment = (choice: Choice, value: string) => momentNear(choice, value);
  return [
    {
      row: `${cast} AS DATE`,
      write: (choice, value) => {
        const operand = choice.pick([
          sql`${cast}(${KEY} AS DATE)`,
          sql`CAST(${asTime(choice, cast)} AS DATE)`,
          sql`DATE(${asTime(choice, cast)})`,
          sql`(${asTime(choice, cast)} AT TIME ZONE 'UTC')::date`,
        ]);
        const constant = choice.pick([dateConstant, dateConstant, timeConstant]);
        return compared(choice, operand, moment(choice, value), (at) => constant(choice, at));
      },
    },
    {
      row: `${cast} AS TIMESTAMP`,
      write: (choice, value) =>
        compared(choice, asTime(choice, cast), moment(choice, value), (at) => timeConstant(choice, at)),
    },
    {
      row: `${cast} AS TIMESTAMP by the clock`,
      write: (choice) => sql`${asTime(choice, cast)} ${operator(choice)} ${choice.pick(CLOCK)}`,
    },
    {
      row: `${cast} and date_trunc`,
      write(choice, value) {
        const unit = choice.pick(UNITS);
        const at = moment(choice, value);
        const truncated = (one: number) =>
          choice.maybe(0.6)
            ? raw(`date_trunc('${unit}', TIMESTAMP '${stampOf(one)}')`)
            : timeConstant(choice, one);
        return compared(choice, sql`date_trunc('${unit}', ${asTime(choice, cast)})`, at, truncated);
      },
    },
    { row: `${cast} and strftime`, write: (choice, value) => formatted(choice, cast, moment(choice, value)) },
    {
      row: `${cast} and a field`,
      write(choice, value) {
        const at = moment(choice, value);
        const time = asTime(choice, cast);
        const year = sql`year(${time}) = ${new Date(at).getUTCFullYear()}`;
        return choice.maybe(0.5) ? field(choice, time, at) : sql`(${year} AND ${field(choice, time, at)})`;
      },
    },
    {
      row: `${cast} and arithmetic`,
      write(choice, value) {
        const at = moment(choice, value);
        const time = asTime(choice, cast);
        const operand = choice.pick([
          sql`${time} + INTERVAL '1 day'`,
          sql`${time} - INTERVAL '1 month'`,
          sql`${time} AT TIME ZONE 'UTC'`,
          sql`last_day(${time})`,
          sql`date_bin(INTERVAL '1 day', ${time}, TIMESTAMP '2000-01-01')`,
        ]);
        return compared(choice, operand, at, (one) => raw(`TIMESTAMP '${stampOf(one)}'`));
      },
    },
    {
      row: `${cast} and epoch`,
      write(choice, value) {
        const at = moment(choice, value);
        const time = asTime(choice, cast);
        return choice.pick([
          sql`epoch(${time}) ${operator(choice)} ${at / 1000}`,
          sql`extract(epoch FROM ${time}) ${operator(choice)} ${at / 1000}`,
          sql`epoch_ms(${time}) ${operator(choice)} ${at}`,
          sql`date_diff('day', ${time}, TIMESTAMP '${stampOf(at)}') < ${choice.pick([0, 1, 7])}`,
        ]);
      },
    },
  ];
}

/** The key beside a time, without a cast. */
const BARE: readonly Row[] = [
  {
    row: 'k op TIMESTAMP c',
    write: (choice, value) =>
      compared(choice, KEY, momentNear(choice, value), (at) => timeConstant(choice, at)),
  },
  { row: 'k op now() - INTERVAL', write: (choice) => sql`${KEY} ${operator(choice)} ${choice.pick(CLOCK)}` },
  {
    row: 'k op CURRENT_DATE - n',
    write: (choice) => sql`${KEY} ${operator(choice)} CURRENT_DATE - ${choice.pick([0, 1, 7, 30, 400])}`,
  },
  {
    row: 'date_trunc(unit, k)',
    write(choice, value) {
      const unit = choice.pick(UNITS);
      return compared(choice, sql`date_trunc('${unit}', ${KEY})`, momentNear(choice, value), (at) =>
        raw(`date_trunc('${unit}', TIMESTAMP '${stampOf(at)}')`),
      );
    },
  },
];

export const TIME_ROWS: readonly Row[] = [...rows('CAST'), ...rows('TRY_CAST'), ...BARE];
/** Over texts that are no times, a cast fails unless it is one that gives NULL. */
export const OTHER_TIME_ROWS: readonly Row[] = [
  ...rows('TRY_CAST'),
  ...rows('TRY_CAST'),
  ...BARE.slice(0, 3),
  ...rows('CAST').slice(0, 2),
];
