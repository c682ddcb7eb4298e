import { BINDER_LIMITS } from '../binder/limits.ts';
import { keysMax } from '../dynamodb/access-path/limits.ts';
import { ANSWERS_KEPT_BYTES_MAX, LOOKED_AHEAD_BYTES, RESPONSE_BYTES_MAX } from '../execution/limits.ts';
import {
  COMPARED_PAIRS_MAX,
  MADE_TEXT_BYTES_MAX,
  RECURSION_ROWS_MAX,
  REPEATED_TEXT_BYTES_MAX,
  SERIES_ROWS_MAX,
  STATEMENT_TEXT_BYTES_MAX,
  UNNESTED_ELEMENTS_MAX,
} from '../limits.ts';
import { PARSER_LIMITS } from '../parser/limits.ts';
import { EXPRESSION_LEVELS_MAX, PLANNING_WORK_MAX } from '../duckdb-sql/limits.ts';
import { table } from './markdown.ts';

const grouped = (value: number): string => value.toLocaleString('en-US');

/** What one statement may be and ask for. */
export function limitTable(): string {
  const rows: readonly (readonly [what: string, limit: number, unit: string])[] = [
    ['Text of the statement', PARSER_LIMITS.sqlBytesMax, 'bytes'],
    ['Words, literals, operators and brackets', PARSER_LIMITS.tokensMax, ''],
    ['Brackets, CASE and prefix operators inside each other', PARSER_LIMITS.nestingMax, 'levels'],
    ['A chain of operators without brackets', PARSER_LIMITS.treeLevelsMax, 'levels'],
    [
      'Operators, CASE and calls inside each other; a chain of `+` and `-`, `*`, `||`, AND or OR is one',
      EXPRESSION_LEVELS_MAX,
      'levels',
    ],
    [
      'Planning of comparisons of values of several types; one takes 3 to 6',
      PLANNING_WORK_MAX,
      'milliseconds',
    ],
    ['Joined tables', PARSER_LIMITS.joinedTablesMax, ''],
    ['SELECTs in one statement', PARSER_LIMITS.selectsMax, ''],
    ['Rows that all steps of WITH RECURSIVE make', RECURSION_ROWS_MAX, ''],
    ['Rows that one generate_series makes', SERIES_ROWS_MAX, ''],
    [
      'Elements of a list that UNNEST makes rows of; of a series for each row, where it has columns',
      UNNESTED_ELEMENTS_MAX,
      '',
    ],
    ['Grouping sets of one SELECT', BINDER_LIMITS.groupingSetsMax, ''],
    ['Columns of all grouping sets of a statement together', PARSER_LIMITS.groupingColumnsMax, ''],
    ['Tokens of all named windows, counted wherever they are used', PARSER_LIMITS.windowTokensMax, ''],
    ['Columns of one SELECT, stars expanded', BINDER_LIMITS.outputColumnsMax, ''],
    [
      'Columns of all tables, SELECTs and CTEs of a statement together, stars expanded',
      BINDER_LIMITS.statementColumnsMax,
      '',
    ],
    ['Columns that the NATURAL joins of a statement compare', BINDER_LIMITS.naturalColumnsMax, ''],
    [
      'Columns that the order of a list is made of, where its rows say it',
      BINDER_LIMITS.orderKeysMax,
      'beyond, it is that of its values',
    ],
    ['Fractions of one PERCENTILE_CONT or PERCENTILE_DISC', BINDER_LIMITS.fractionsMax, ''],
    ['Groups of a pattern of REGEXP_MATCH', BINDER_LIMITS.matchGroupsMax, ''],
    ['Keys that are looked up one by one; more are found by a scan', keysMax, ''],
    ['A text that REPEAT, LPAD or RPAD makes', REPEATED_TEXT_BYTES_MAX, 'bytes'],
    ['A text that ||, CONCAT, REPLACE or HEX makes', MADE_TEXT_BYTES_MAX, 'bytes'],
    [
      'Texts at work, of up to 2,048 rows and each step: of many rows, each is shorter',
      STATEMENT_TEXT_BYTES_MAX,
      'bytes',
    ],
    [
      'Length times length that LEVENSHTEIN or LIKE compares, of up to 2,048 rows; a search 64 times',
      COMPARED_PAIRS_MAX,
      '',
    ],
    ["Answers to a star's reads that are kept until its columns are known", ANSWERS_KEPT_BYTES_MAX, 'bytes'],
    ['Read, or made, before CSV and Parquet say which columns they have', LOOKED_AHEAD_BYTES, 'bytes'],
    ['Rows of one response, as JSON; then the page ends early', RESPONSE_BYTES_MAX, 'bytes'],
  ];
  return table(
    ['What', 'At most'],
    rows.map(([what, limit, unit]) => [what, `${grouped(limit)} ${unit}`.trim()]),
  );
}
