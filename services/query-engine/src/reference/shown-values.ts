/** How values come out in a response, where it is not plain; the tests run each. */
import { code, table } from './markdown.ts';

export const SHOWN_VALUES: readonly (readonly [expression: string, shown: string, type: string])[] = [
  ['CAST(4.50 AS VARCHAR)', '"4.5"', 'VARCHAR'],
  ['4.50', '4.5', 'DECIMAL(2,1)'],
  ["CAST('NaN' AS DOUBLE)", 'null', 'DOUBLE'],
  ['1e308 * 10', 'null', 'DOUBLE'],
  ['[1e308 * 10, 1]', '[null,1]', 'JSON'],
  ['CAST(16777217 AS REAL)', '16777216', 'REAL'],
  ['CAST(0.1 AS REAL)', '0.1', 'REAL'],
  ['CAST(0.1 AS REAL) = 0.1', 'false', 'BOOLEAN'],
  ["DATE '2024-05-06'", '"2024-05-06"', 'DATE'],
  ["TIMESTAMP '2024-05-06 07:08:09'", '"2024-05-06T07:08:09"', 'TIMESTAMP'],
  ["TIMESTAMPTZ '2024-05-06 07:08:09+02'", '"2024-05-06T05:08:09Z"', 'TIMESTAMPTZ'],
  ["CAST(TIMESTAMP '2024-05-06 07:08:09' AS VARCHAR)", '"2024-05-06 07:08:09"', 'VARCHAR'],
  ["DATE '2024-05-06' + INTERVAL 1 DAY", '"2024-05-07T00:00:00"', 'TIMESTAMP'],
  ["DATE '2024-05-06' - DATE '2024-05-01'", '5', 'BIGINT'],
  ["'2024-05-06' - DATE '2024-05-01'", '"5 days"', 'INTERVAL'],
  ["CAST('2024-05-06' AS DATE) - DATE '2024-05-01'", '5', 'BIGINT'],
  ["'2024-05-06T12:00:00' - DATE '2024-05-01'", '"5 days 12:00:00"', 'INTERVAL'],
];

export const SHOWN = `### How values come out

- Numbers have no zeros that say nothing, nor do they as text.
- NaN and infinities, which only DOUBLE has, have no form in JSON: they are null, in lists and documents too, and
  \`warnings\` says so. In comparisons they are what they are: NaN is equal to itself and above every number.
- A REAL is rounded to 24 binary digits, and shown by as few digits as tell it. REALs added, multiplied and divided among
  themselves are REALs; with any other number they go on as DOUBLE.
- A TIMESTAMP comes with a T, a TIMESTAMPTZ with a T and a Z. As text, both have a space there.
- An attribute's text is a time where it is \`2026-11-20\`, \`20261120\` or \`2026/11/20\`, alone or with a time of day and an
  offset behind it, or \`infinity\`; a date alone may have months and days of one digit. So times are found by key. Any other
  text is none: a cast of it fails and says so, functions take it for NULL and \`warnings\` counts it, and it equals no time.
- Attributes hold dates as text. Text minus a date, or a date minus text, takes the text for a timestamp, and gives an
  INTERVAL; the days between two dates are a number: cast the text to DATE.
- \`CAST(text AS JSON)\` fails where the text is no JSON, also for NaN, infinities and a comma before a bracket;
  \`TRY_CAST\` gives NULL.

${table(
  ['Expression', 'In a response', 'columnTypes'],
  SHOWN_VALUES.map(([expression, shown, type]) => [code(expression), code(shown), type]),
)}`;
