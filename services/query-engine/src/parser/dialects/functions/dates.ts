/** Functions of dates and times. */
import type { AstExpression } from '../../ast.ts';
import { NoOfferError } from '../no-offer.ts';
import { format, unit } from './arguments.ts';
import { boundaryUnitOf, constantText, unitOf, wholeNumber, wordOf } from './constants.ts';
import { MYSQL, TRINO, type FunctionRule } from './rule.ts';

/** So many of a unit, the count being an argument. */
function interval(count: AstExpression | undefined, place: string, units: string): string {
  const number = wholeNumber(count);
  return number === null ? `${place} * INTERVAL 1 ${units}` : `INTERVAL '${number}' ${units}`;
}

/** `DATEADD(unit, count, date)`. */
const added = ([unitWord, count]: readonly AstExpression[]): string =>
  `DATE_ADD($3, ${interval(count, '$2', unitOf(unitWord).toUpperCase())})`;

/** Days later, or earlier, as a date. */
const days =
  (name: 'DATE_ADD' | 'DATE_SUB', asDate: boolean) =>
  ([, count]: readonly AstExpression[]): string => {
    if (isInterval(count)) throw new NoOfferError('an interval where days are counted');
    const moved = `${name}($1, ${interval(count, '$2', 'DAY')})`;
    return asDate ? `CAST(${moved} AS DATE)` : moved;
  };

/** Of a date, by the unit named first; Sunday is the first day of the week. */
function part([unitWord]: readonly AstExpression[]): string {
  if (/^(weekday|dw)$/i.test(wordOf(unitWord))) return 'DAYOFWEEK($2) + 1';
  return /^(dayofyear|dy|y)$/i.test(wordOf(unitWord))
    ? 'DAYOFYEAR($2)'
    : `DATE_PART('${boundaryUnitOf(unitWord)}', $2)`;
}

function partName([unitWord]: readonly AstExpression[]): string {
  if (/^(weekday|dw)$/i.test(wordOf(unitWord))) return 'DAYNAME($2)';
  const named = unitOf(unitWord);
  if (named === 'month') return 'MONTHNAME($2)';
  if (named !== 'year' && named !== 'day') throw new NoOfferError('the name of this unit');
  return `CAST(DATE_PART('${named}', $2) AS VARCHAR)`;
}

/** SQLite's `date(x, '-7 days')`. Months overflow there, so they are not turned. */
function modified(operands: readonly AstExpression[]): string {
  const [value, modifier] = operands;
  const found = /^([+-]?\d{1,6}) days?$/i.exec(constantText(modifier, 'a modifier'));
  const isStart = constantText(modifier, 'a modifier').toLowerCase() === 'start of month';
  if (found === null && !isStart) throw new NoOfferError('this modifier of a date');
  const date = isNow(value) ? 'CURRENT_DATE' : '$1';
  const moved = isStart
    ? `DATE_TRUNC('month', ${date})`
    : `DATE_ADD(${date}, INTERVAL '${Number(found?.[1])}' DAY)`;
  return `CAST(${moved} AS DATE)`;
}

/** SQLite's `datetime('now')`; of anything else, it is a text of a form of its own. */
function moment([value]: readonly AstExpression[]): string {
  if (!isNow(value)) throw new NoOfferError('DATETIME of a value');
  return 'NOW()';
}

const isNow = (node: AstExpression | undefined): boolean =>
  node?.kind === 'StringLiteral' && node.value.toLowerCase() === 'now';

/** A format of a date alone makes a date. */
const parsedDate =
  (value: string, formatPlace: string, at: number) =>
  (operands: readonly AstExpression[]): string => {
    const made = `STRPTIME(${value}, ${formatPlace})`;
    return /%-?[HIMSpf]/.test(constantText(operands[at], 'a format')) ? made : `CAST(${made} AS DATE)`;
  };

const bySnowflake: FunctionRule['in'] = ['Snowflake'];
const byRedshift: FunctionRule['in'] = ['Redshift'];

export const DATES: readonly FunctionRule[] = [
  { names: 'GETDATE SYSDATETIME GETUTCDATE SYSUTCDATETIME', in: ['SQL Server'], count: 0, ours: 'NOW()' },
  { names: 'GETDATE SYSDATE', in: ['Redshift', 'Snowflake'], count: 0, ours: 'NOW()' },
  { names: 'SYSDATE UTC_TIMESTAMP', in: MYSQL, count: 0, ours: 'NOW()' },
  { names: 'CURRENT_DATETIME', in: ['BigQuery'], count: 0, ours: 'NOW()' },
  { names: 'CURDATE UTC_DATE', in: MYSQL, count: 0, ours: 'CURRENT_DATE' },
  { names: 'DATE_FORMAT', in: [...MYSQL, ...TRINO], count: 2, ours: 'STRFTIME($1, $2)', given: { 2: format('mysql') } },
  { names: 'DATE_FORMAT', in: ['Hive'], count: 2, ours: 'STRFTIME($1, $2)', given: { 2: format('java') } },
  { names: 'FORMAT_DATETIME', in: TRINO, count: 2, ours: 'STRFTIME($1, $2)', given: { 2: format('java') } },
  { names: 'FORMAT', in: ['SQL Server'], count: 2, ours: 'STRFTIME($1, $2)', given: { 2: format('dotnet') } },
  { names: 'TO_CHAR TO_VARCHAR', in: bySnowflake, count: 2, ours: 'STRFTIME($1, $2)', given: { 2: format('snowflake') } },
  { names: 'TO_CHAR', in: byRedshift, count: 2, ours: 'STRFTIME($1, $2)', given: { 2: format('redshift') } },
  { names: 'FORMAT_DATE FORMAT_TIMESTAMP FORMAT_DATETIME', in: ['BigQuery'], count: 2, ours: 'STRFTIME($2, $1)', given: { 1: format('bigquery') } },
  { names: 'STRFTIME', in: ['SQLite'], count: 2, ours: (operands) => `STRFTIME(${isNow(operands[1]) ? 'NOW()' : '$2'}, $1)`, given: { 1: format('sqlite') } },
  { names: 'STR_TO_DATE', in: MYSQL, count: 2, ours: parsedDate('$1', '$2', 1), given: { 2: format('mysql') } },
  { names: 'DATE_PARSE', in: TRINO, count: 2, ours: 'STRPTIME($1, $2)', given: { 2: format('mysql') } },
  { names: 'PARSE_DATE', in: ['BigQuery'], count: 2, ours: 'CAST(STRPTIME($2, $1) AS DATE)', given: { 1: format('bigquery') } },
  { names: 'PARSE_TIMESTAMP PARSE_DATETIME', in: ['BigQuery'], count: 2, ours: 'STRPTIME($2, $1)', given: { 1: format('bigquery') } },
  { names: 'TO_DATE', in: bySnowflake, count: 2, ours: 'CAST(STRPTIME($1, $2) AS DATE)', given: { 2: format('snowflake') } },
  { names: 'TO_DATE', in: byRedshift, count: 2, ours: 'CAST(STRPTIME($1, $2) AS DATE)', given: { 2: format('redshift') } },
  { names: 'TO_DATE', in: ['Snowflake', 'Hive'], count: 1, ours: 'CAST($1 AS DATE)' },
  { names: 'TRY_TO_DATE', in: bySnowflake, count: 1, ours: 'TRY_CAST($1 AS DATE)' },
  { names: 'TO_TIMESTAMP TO_TIMESTAMP_NTZ', in: bySnowflake, count: 1, ours: 'CAST($1 AS TIMESTAMP)' },
  { names: 'DATE', in: ['SQLite'], count: 1, ours: (operands) => (isNow(operands[0]) ? 'CURRENT_DATE' : 'DATE($1)') },
  { names: 'DATETIME', in: ['SQLite'], count: 1, ours: moment },
  { names: 'DATE_OF_PARTS', in: ['SQLite'], count: 2, ours: modified },
  { names: 'DATEDIFF', in: [...MYSQL, 'Hive'], count: 2, ours: "DATE_DIFF('day', $2, $1)" },
  { names: 'DATEDIFF DATE_DIFF', in: ['SQL Server', 'Snowflake', 'Redshift'], count: 3, ours: 'DATE_DIFF($1, $2, $3)', given: { 1: unit } },
  { names: 'DATE_DIFF DATETIME_DIFF', in: ['BigQuery'], count: 3, ours: 'DATE_DIFF($3, $2, $1)', given: { 3: unit } },
  { names: 'DATEADD', in: ['SQL Server', 'Snowflake', 'Redshift'], count: 3, ours: added },
  { names: 'TIMESTAMPADD', in: [...MYSQL, 'Snowflake'], count: 3, ours: added },
  { names: 'DATE_ADD', in: TRINO, count: 3, ours: added },
  { names: 'DATE_ADD', in: ['Hive'], count: 2, ours: days('DATE_ADD', true) },
  { names: 'DATE_SUB', in: ['Hive'], count: 2, ours: days('DATE_SUB', true) },
  { names: 'ADDDATE', in: MYSQL, count: 2, ours: (operands) => (isInterval(operands[1]) ? 'DATE_ADD($1, $2)' : days('DATE_ADD', false)(operands)) },
  { names: 'SUBDATE', in: MYSQL, count: 2, ours: (operands) => (isInterval(operands[1]) ? 'DATE_SUB($1, $2)' : days('DATE_SUB', false)(operands)) },
  { names: 'TIMESTAMP_ADD DATETIME_ADD', in: ['BigQuery'], count: 2, ours: 'DATE_ADD($1, $2)' },
  { names: 'TIMESTAMP_SUB DATETIME_SUB', in: ['BigQuery'], count: 2, ours: 'DATE_SUB($1, $2)' },
  { names: 'DATE_TRUNC', in: ['Snowflake', ...TRINO, 'Redshift'], count: 2, ours: 'DATE_TRUNC($1, $2)', given: { 1: unit } },
  { names: 'DATE_TRUNC TIMESTAMP_TRUNC DATETIME_TRUNC', in: ['BigQuery'], count: 2, ours: 'DATE_TRUNC($2, $1)', given: { 2: unit } },
  { names: 'DATETRUNC', in: ['SQL Server'], count: 2, ours: 'DATE_TRUNC($1, $2)', given: { 1: unit } },
  { names: 'DATEPART', in: ['SQL Server'], count: 2, ours: part },
  { names: 'DATE_PART', in: ['Snowflake', 'Redshift'], count: 2, ours: 'DATE_PART($1, $2)', given: { 1: unit } },
  { names: 'DATENAME', in: ['SQL Server'], count: 2, ours: partName },
  // Sunday is 1.
  { names: 'DAYOFWEEK', in: [...MYSQL, 'Hive'], count: 1, ours: 'DAYOFWEEK($1) + 1' },
  // Monday is 0.
  { names: 'WEEKDAY', in: MYSQL, count: 1, ours: 'ISODOW($1) - 1' },
  { names: 'DAY_OF_WEEK DOW', in: TRINO, count: 1, ours: 'ISODOW($1)' },
  { names: 'DAY_OF_MONTH', in: TRINO, count: 1, ours: 'DAY($1)' },
  { names: 'DAY_OF_YEAR DOY', in: TRINO, count: 1, ours: 'DAYOFYEAR($1)' },
  { names: 'WEEK WEEK_OF_YEAR', in: TRINO, count: 1, ours: 'WEEK($1)' },
  { names: 'MONTHNAME', in: bySnowflake, count: 1, ours: 'LEFT(MONTHNAME($1), 3)' },
  { names: 'DAYNAME', in: bySnowflake, count: 1, ours: 'LEFT(DAYNAME($1), 3)' },
  { names: 'EOMONTH', in: ['SQL Server'], count: 1, ours: 'LAST_DAY($1)' },
  { names: 'LAST_DAY_OF_MONTH', in: TRINO, count: 1, ours: 'LAST_DAY($1)' },
  { names: 'DATEFROMPARTS', in: ['SQL Server'], count: 3, ours: 'MAKE_DATE($1, $2, $3)' },
  { names: 'DATE_FROM_PARTS', in: bySnowflake, count: 3, ours: 'MAKE_DATE($1, $2, $3)' },
  { names: 'DATE_OF_PARTS', in: ['BigQuery'], count: 3, ours: 'MAKE_DATE($1, $2, $3)' },
  { names: 'UNIX_SECONDS', in: ['BigQuery'], count: 1, ours: 'EPOCH($1)' },
  { names: 'TO_UNIXTIME', in: TRINO, count: 1, ours: 'EPOCH($1)' },
]; // oxfmt-ignore

function isInterval(node: AstExpression | undefined): boolean {
  return node?.kind === 'IntervalLiteral' || (node?.kind === 'Binary' && isInterval(node.right));
}
