/** Random conditions on times and numbers, of a column that is put in by name. */
import type { Random } from '../../dynamodb/random.ts';
import { SPELLED_DAYS, SPELLED_FROM } from './spelled-times.ts';

export type ConditionOn = (column: string) => string;

/** Texts that are no times, or that only DuckDB takes for some. */
export const UNTIDY: readonly string[] = [
  'x', '', ' ', '2026', '2026-11', '2026-11-20T', '2026-1-5', ' 2026-11-20', '2026 11 20', '12026-11-20', '26-11-20', '-2026-11-20',
  '2026-11-20 (BC)', 'epoch', '2026-02-30', '2026-11-20 10:00:00+16', '202611-20T10:00:00', '2026-1120T10:00', '\u{10FFFF}', '2026\\11\\20',
  '20261341', '2026-11-20é', 'infinite',
].filter((text) => text !== ''); // oxfmt-ignore

const OPERATORS = ['=', '<', '<=', '>', '>='];
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];

const DAYS = ['2026-01-01', '2025-12-31', '2026-01-05', '2026-11-20', '2026-12-31', '2026-02-09', '2026-09-30', '2026-10-01', '0001-01-02', '9999-12-31', '1970-01-01']; // oxfmt-ignore

function dayOf(random: Random): string {
  if (random.chance(0.2)) return random.pick(DAYS);
  const day = new Date(SPELLED_FROM + random.int(SPELLED_DAYS) * 86_400_000);
  return day.toISOString().slice(0, 10);
}

const clockOf = (random: Random): string => random.pick(['', '', ' 00:00:00', ' 10:15:00', ' 16:00:00', ' 23:59:59.999999', 'T08:00:00+02:00']); // oxfmt-ignore

function timeConstant(random: Random): string {
  const day = dayOf(random);
  return random.pick([
    `DATE '${day}'`,
    `TIMESTAMP '${day}${clockOf(random)}'`,
    `TIMESTAMPTZ '${day}${clockOf(random)}'`,
  ]);
}

/** A time, of a column. */
function timeOf(random: Random, isUntidy: boolean): ConditionOn {
  const cast = isUntidy ? 'TRY_CAST' : 'CAST';
  const kinds: readonly ConditionOn[] = [
    (k) => k,
    (k) => `${cast}(${k} AS DATE)`,
    (k) => `${cast}(${k} AS TIMESTAMP)`,
    (k) => `${cast}(${k} AS TIMESTAMPTZ)`,
    (k) => `DATE(${k})`,
  ];
  return random.pick(kinds);
}

const INTERVALS = ["INTERVAL '1 day'", "INTERVAL '90 minutes'", "INTERVAL '1 month'", "INTERVAL '13 months'", "INTERVAL '7' DAY", "INTERVAL '-2 days'", "INTERVAL '1 month 3 days'"]; // oxfmt-ignore

function timeExpression(random: Random, isUntidy: boolean): ConditionOn {
  const e = timeOf(random, isUntidy);
  const unit = random.pick(UNITS);
  const interval = random.pick(INTERVALS);
  const kinds: readonly ConditionOn[] = [
    e,
    e,
    (k) => `date_trunc('${unit}', ${e(k)})`,
    (k) => `last_day(${e(k)})`,
    (k) => `(${e(k)} + ${interval})`,
    (k) => `(${e(k)} - ${interval})`,
    (k) => `date_trunc('${unit}', ${e(k)} + ${interval})`,
    (k) => `CAST(date_trunc('${unit}', ${e(k)}) AS DATE)`,
    (k) => `(${e(k)} AT TIME ZONE 'UTC')`,
  ];
  return random.pick(kinds);
}

/** Conditions on a text as a time. */
export function timeConditions(random: Random, isUntidy: boolean): ConditionOn {
  const operator = random.pick(OPERATORS);
  const e = timeOf(random, isUntidy);
  const other = timeOf(random, isUntidy);
  const x = timeExpression(random, isUntidy);
  const [c, d] = [timeConstant(random), timeConstant(random)];
  const day = dayOf(random);
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const interval = random.pick(["INTERVAL '7 days'", "INTERVAL '1 month'", "INTERVAL '30 hours'"]);
  const unit = random.pick(['second', 'hour', 'day', 'month', 'year']);
  const count = random.pick([-3, 0, 1, 2, 7, 40]);
  const seconds = Date.parse(`${day}T00:00:00Z`) / 1000;
  const kinds: readonly ConditionOn[] = [
    (k) => `${x(k)} ${operator} ${c}`,
    (k) => `${c} ${operator} ${x(k)}`,
    (k) => `${x(k)} BETWEEN ${c} AND ${d}`,
    (k) => `NOT (${x(k)} ${operator} ${c})`,
    (k) => `${x(k)} IN (${c}, ${d})`,
    (k) => `year(${e(k)}) ${operator} ${day.slice(0, 4)}`,
    (k) =>
      `EXTRACT(YEAR FROM ${e(k) === k ? `TRY_CAST(${k} AS DATE)` : e(k)}) ${operator} ${day.slice(0, 4)}`,
    (k) => `year(${e(k)}) = ${year} AND month(${e(k)}) = ${month}`,
    (k) => `date_part('month', ${e(k)}) = ${month} AND ${year} = year(${e(k)}) AND day(${e(k)}) = ${date}`,
    (k) => `quarter(${e(k)}) = ${Math.ceil(month / 3)} AND year(${e(k)}) = ${year} AND ${e(k)} IS NOT NULL`,
    (k) =>
      `${e(k)} BETWEEN TIMESTAMP '${year}-01-01' AND TIMESTAMP '${year}-12-31 23:59:59.999999' AND month(${e(k)}) = ${month}`,
    (k) => `(${e(k)} >= ${c} AND ${e(k)} < ${d} AND month(${e(k)}) = ${month} OR ${e(k)} = ${c})`,
    (k) => `year(${e(k)}) = ${year} AND month(${other(k)}) = ${month}`,
    (k) => `${other(k)} >= DATE '${year}-01-01' AND ${other(k)} < ${d} AND month(${e(k)}) = ${month}`,
    (k) => `NOT (year(${e(k)}) = ${year} AND month(${e(k)}) = ${month})`,
    (k) => `strftime(${e(k)}, '%Y-%m') ${operator} '${day.slice(0, 7)}'`,
    (k) => `strftime(${e(k)}, '%Y%m%d') ${operator} '${day.replaceAll('-', '')}'`,
    (k) => `to_char(${e(k)}, 'YYYY-MM-DD HH24') ${operator} '${day} 10'`,
    (k) => `${e(k)} ${operator} '${day}'`,
    (k) => `TIMESTAMP '${day}' - ${e(k)} ${operator} ${interval}`,
    (k) => `date_diff('${unit}', ${e(k)}, TIMESTAMP '${day} 10:00:00') ${operator} ${count}`,
    (k) => `date_diff('${unit}', TIMESTAMP '${day}', ${e(k)}) ${operator} ${count}`,
    (k) => `epoch(${e(k)}) ${operator} ${seconds}`,
    (k) => `epoch_ms(${e(k)}) ${operator} ${seconds * 1000}`,
    (k) => `epoch(${e(k)}) / 86400 ${operator} ${seconds / 86_400}`,
  ];
  return random.pick(kinds);
}

/** Small and large, whole and not: none of more digits than DOUBLEs have, as which other rows may be compared. */
export function randomNumber(random: Random): string {
  const whole = random.pick([
    random.int(20) - 10,
    random.int(2000) - 1000,
    1_760_000_000 + random.int(40_000_000),
  ]);
  return random.chance(0.4) ? String(whole) : `${whole}.${random.pick(['5', '25', '05', '999', '001'])}`;
}

function numberExpression(random: Random): ConditionOn {
  const c = random.pick(['1', '2', '-3', '0.5', '7', '1000', '-0.25', '86400', '0.1']);
  const kinds: readonly ConditionOn[] = [
    (k) => k,
    (k) => `(${k} + ${c})`,
    (k) => `(${c} + ${k})`,
    (k) => `(${k} - ${c})`,
    (k) => `(${c} - ${k})`,
    (k) => `(${k} * ${c})`,
    (k) => `(${k} / ${c})`,
    (k) => `(${k} // ${c})`,
    (k) => `(-${k})`,
    (k) => `floor(${k})`,
    (k) => `ceil(${k})`,
    (k) => `round(${k})`,
    (k) => `round(${k}, 1)`,
    (k) => `round(${k}, -2)`,
    (k) => `trunc(${k})`,
    (k) => `trunc(${k}, 1)`,
    (k) => `abs(${k})`,
    (k) => `CAST(${k} AS DECIMAL(38, 1))`,
    (k) => `CAST(${k} AS DOUBLE)`,
    (k) => `CAST(${k} AS REAL)`,
    (k) => `${k}::numeric`,
    (k) => `CAST(${k} AS HUGEINT)`,
    (k) => `(${k} % 7)`,
  ];
  return random.pick(kinds);
}

/** Conditions on a number, or on one as a time. */
export function numberConditions(random: Random): ConditionOn {
  const operator = random.pick(OPERATORS);
  const [f, g] = [numberExpression(random), numberExpression(random)];
  const [c, d] = [randomNumber(random), randomNumber(random)];
  const time = timeConstant(random);
  const kinds: readonly ConditionOn[] = [
    (k) => `${f(k)} ${operator} ${c}`,
    (k) => `${f(g(k))} ${operator} ${c}`,
    (k) => `${c} ${operator} ${f(k)}`,
    (k) => `${f(k)} BETWEEN ${c} AND ${d}`,
    (k) => `${f(k)} IN (${c}, ${d})`,
    (k) => `NOT (${f(k)} ${operator} ${c})`,
    (k) => `${k} ${operator} CAST(${c} AS DOUBLE)`,
    (k) => `CAST(to_timestamp(${k} / 2) AS DATE) ${operator} ${time}`,
    (k) => `to_timestamp(${k}) ${operator} ${time}`,
  ];
  return random.pick(kinds);
}
