/** What is written about keys that are numbers. */
import type { Choice } from '../../choice.ts';
import { KEY, quoted, raw, sql, type Piece } from '../condition.ts';
import { numberConstant, OPERATORS } from '../constants.ts';
import { by, digitsOf, times, unitsOf } from '../decimals.ts';
import type { Row } from './row.ts';

const operator = (choice: Choice): string => choice.pick(OPERATORS);
const BESIDE = ['0', '0', '0', '1', '-1', '0.5', '-0.5', '0.001', '-0.000000000001'];

/** The number, or one beside it. */
const near = (choice: Choice, units: bigint): Piece =>
  numberConstant(choice, digitsOf(units + unitsOf(choice.pick(BESIDE))));

function compared(choice: Choice, operand: Piece, units: bigint, other = units): Piece {
  switch (choice.int(8)) {
    case 0:
      return sql`${operand} BETWEEN ${near(choice, units)} AND ${near(choice, other)}`;
    case 1:
      return sql`${operand} IN (${near(choice, units)}, ${near(choice, other)})`;
    case 2:
      return sql`${near(choice, units)} ${operator(choice)} ${operand}`;
    default:
      return sql`${operand} ${operator(choice)} ${near(choice, units)}`;
  }
}

const FACTORS = ['1', '2', '3', '7', '-1', '-2', '10', '0.5', '-0.1', '1000', '0', '0.3', '86400', '1e3'];

/** Arithmetic with a constant, and what it makes of the value. */
function arithmetic(choice: Choice, operand: Piece, units: bigint): readonly [Piece, bigint] {
  const c = choice.pick(FACTORS);
  const constant = numberConstant(choice, c);
  const d = unitsOf(c);
  return choice.pick([
    [sql`(${operand} + ${constant})`, units + d],
    [sql`(${constant} + ${operand})`, units + d],
    [sql`(${operand} - ${constant})`, units - d],
    [sql`(${constant} - ${operand})`, d - units],
    [sql`(${operand} * ${constant})`, times(units, d)],
    [sql`(${constant} * ${operand})`, times(units, d)],
    [sql`(${operand} / ${constant})`, by(units, d)],
    [sql`-${operand}`, -units],
    [sql`+${operand}`, units],
    [sql`(${operand} % ${constant})`, d === 0n ? 0n : units % d],
    [sql`(${operand} // ${constant})`, by(units, d)],
    [sql`div(${operand}, ${constant})`, by(units, d)],
    [sql`abs(${operand})`, units < 0n ? -units : units],
  ] as const);
}

const ROUNDINGS = ['floor', 'ceil', 'round', 'trunc', 'ceiling', 'sign'];
const CASTS = [
  'INTEGER',
  'BIGINT',
  'SMALLINT',
  'DECIMAL(18, 2)',
  'DECIMAL(38, 0)',
  'NUMERIC',
  'DOUBLE',
  'REAL',
  'DECIMAL(10, 1)',
  'HUGEINT',
];
const whole = (units: bigint): bigint => unitsOf(digitsOf(units).split('.')[0] ?? '0');

function rounded(choice: Choice, operand: Piece, units: bigint): Piece {
  const call = choice.pick(ROUNDINGS);
  const rounding = choice.pick([
    sql`${call}(${operand})`,
    sql`${call}(${operand})`,
    sql`round(${operand}, ${choice.pick([0, 1, 2, -1, -2])})`,
    sql`trunc(${operand}, ${choice.pick([0, 1, 2])})`,
  ]);
  return compared(choice, rounding, choice.pick([units, whole(units)]));
}

export const NUMBER_ROWS: readonly Row[] = [
  { row: 'n op c', write: (choice, value) => compared(choice, KEY, unitsOf(value)) },
  {
    row: 'n with arithmetic',
    write: (choice, value) => compared(choice, ...arithmetic(choice, KEY, unitsOf(value))),
  },
  {
    row: 'n with arithmetic twice',
    write: (choice, value) =>
      compared(choice, ...arithmetic(choice, ...arithmetic(choice, KEY, unitsOf(value)))),
  },
  { row: 'n rounded', write: (choice, value) => rounded(choice, KEY, unitsOf(value)) },
  {
    row: 'n with arithmetic, rounded',
    write: (choice, value) => rounded(choice, ...arithmetic(choice, KEY, unitsOf(value))),
  },
  {
    row: 'n cast to a number',
    write: (choice, value) =>
      compared(
        choice,
        sql`${choice.pick(['CAST', 'TRY_CAST', 'TRY_CAST'])}(${KEY} AS ${choice.pick(CASTS)})`,
        unitsOf(value),
      ),
  },
  {
    row: 'n cast to a text',
    write(choice, value) {
      const cast = sql`CAST(${KEY} AS VARCHAR)`;
      const text = choice.pick([
        value,
        value,
        `${value}.0`,
        `0${value}`,
        `+${value}`,
        ` ${value}`,
        'x',
        '',
        '1E+2',
        '1e2',
      ]);
      return choice.pick([
        sql`${cast} ${operator(choice)} ${quoted(text)}`,
        sql`${cast} = ${quoted(text)}`,
        sql`${cast} IN (${quoted(text)}, ${quoted(value)})`,
        sql`${cast} LIKE ${quoted(`${value.slice(0, 2)}%`)}`,
        sql`left(${cast}, 2) = ${quoted(value.slice(0, 2))}`,
        sql`concat('ID-', ${KEY}) = ${quoted(`ID-${value}`)}`,
        sql`${KEY} = ${quoted(text === 'x' || text === '' ? value : text)}`,
      ]);
    },
  },
  {
    row: 'n in COALESCE',
    write(choice, value, values) {
      const other = choice.pick(['0', value, choice.pick(values)]);
      return compared(choice, sql`COALESCE(${KEY}, ${raw(other)})`, unitsOf(value), unitsOf(other));
    },
  },
  {
    row: 'n that cannot be turned around',
    write: (choice, value) => {
      const units = unitsOf(value);
      return choice.pick([
        sql`${KEY} * ${KEY} ${operator(choice)} ${digitsOf(times(units, units))}`,
        sql`sqrt(abs(${KEY})) ${operator(choice)} ${Math.sqrt(Math.abs(Number(value)))}`,
        sql`greatest(${KEY}, 5) ${operator(choice)} ${digitsOf(units)}`,
        sql`least(${KEY}, 5) ${operator(choice)} ${digitsOf(units)}`,
      ]);
    },
  },
];

/** Beside constants of as many digits. */
export const WIDE_NUMBER_ROWS: readonly Row[] = [
  ...[0, 1, 2].map((): Row => ({
    row: 'wide n op c',
    write: (choice, value, values) =>
      choice.pick([
        sql`${KEY} ${operator(choice)} ${value}`,
        sql`${KEY} BETWEEN ${value} AND ${choice.pick(values)}`,
        sql`${KEY} IN (${value}, ${choice.pick(values)})`,
        sql`-${KEY} ${operator(choice)} ${value}`,
        sql`${KEY} + 0 ${operator(choice)} ${value}`,
        sql`${KEY} + 1 ${operator(choice)} ${value}`,
        sql`${KEY} * 1 ${operator(choice)} ${value}`,
        sql`${KEY} * 10 ${operator(choice)} ${value}`,
        sql`${KEY} / 10 ${operator(choice)} ${value}`,
        sql`${KEY} - ${choice.pick(values)} ${operator(choice)} ${value}`,
        sql`CAST(${KEY} AS VARCHAR) = ${quoted(value)}`,
        sql`CAST(${KEY} AS DOUBLE) ${operator(choice)} ${value}`,
        sql`TRY_CAST(${KEY} AS DECIMAL(38, 0)) ${operator(choice)} ${value}`,
        sql`TRY_CAST(${KEY} AS BIGINT) ${operator(choice)} ${value}`,
        sql`CAST(${KEY} AS NUMERIC) ${operator(choice)} ${value}`,
        sql`floor(${KEY}) ${operator(choice)} ${value}`,
        sql`round(${KEY}, 2) ${operator(choice)} ${value}`,
        sql`${KEY} = ${quoted(value)}`,
      ]),
  })),
  ...NUMBER_ROWS.filter(
    ({ row }) => row === 'n with arithmetic' || row === 'n rounded' || row === 'n cast to a number',
  ),
];
