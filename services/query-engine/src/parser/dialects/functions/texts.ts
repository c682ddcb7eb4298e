/** Functions of texts. */
import { NoOfferError } from '../no-offer.ts';
import { character, groupless, pattern, place, replacement, separator, wholePattern } from './arguments.ts';
import { wholeNumber } from './constants.ts';
import { EVERYWHERE, except, MYSQL, TRINO, type FunctionRule } from './rule.ts';

const places = (count: number): string => Array.from({ length: count }, (_, i) => `$${i + 1}`).join(', ');

/** NULL where any is NULL, which CONCAT leaves out here. */
const joined = (count: number): string => places(count).replaceAll(', ', ' || ');

const matched = 'CASE WHEN REGEXP_MATCHES($1, $2) THEN REGEXP_EXTRACT($1, $2) END';

export const TEXTS: readonly FunctionRule[] = [
  { names: 'SUBSTRING SUBSTR MID', in: EVERYWHERE, count: 2, ours: 'SUBSTRING($1, $2)', given: { 2: place } },
  { names: 'SUBSTRING SUBSTR MID', in: EVERYWHERE, count: 3, ours: 'SUBSTRING($1, $2, $3)', given: { 2: place } },
  { names: 'TRIM', in: EVERYWHERE, count: 2, ours: 'TRIM($1, $2)', given: { 2: character } },
  { names: 'LTRIM', in: EVERYWHERE, count: 2, ours: 'LTRIM($1, $2)', given: { 2: character } },
  { names: 'RTRIM', in: EVERYWHERE, count: 2, ours: 'RTRIM($1, $2)', given: { 2: character } },
  {
    names: 'CONCAT',
    in: except('SQL Server', 'SQLite'),
    count: [2, Infinity],
    ours: (operands) => joined(operands.length),
  },
  // Bytes there.
  { names: 'LENGTH', in: MYSQL, count: 1, ours: 'OCTET_LENGTH($1)' },
  // Spaces at the end do not count there.
  { names: 'LEN', in: ['SQL Server'], count: 1, ours: "LENGTH(RTRIM($1, ' '))" },
  { names: 'CHARINDEX', in: ['SQL Server', 'Snowflake', 'Redshift'], count: 2, ours: 'POSITION($1 IN $2)' },
  { names: 'REPLICATE', in: ['SQL Server', 'Redshift'], count: 2, ours: 'REPEAT($1, $2)' },
  { names: 'SPACE', in: [...MYSQL, 'SQL Server', 'Snowflake', 'Hive'], count: 1, ours: "REPEAT(' ', $1)" },
  { names: 'STARTSWITH', in: ['Snowflake'], count: 2, ours: 'STARTS_WITH($1, $2)' },
  { names: 'ENDSWITH', in: ['Snowflake'], count: 2, ours: 'ENDS_WITH($1, $2)' },
  { names: 'SPLIT_PART', in: ['Snowflake', ...TRINO, 'Redshift'], count: 3, ours: 'SPLIT_PART($1, $2, $3)', given: { 3: place } },
  // As it was written for FROM.
  { names: 'SPLIT', in: ['SQL Server'], count: 2, ours: 'SPLIT($1, $2)' },
  { names: 'SPLIT', in: ['BigQuery'], count: 2, ours: 'SPLIT($1, $2)' },
  { names: 'SPLIT', in: ['BigQuery'], count: 1, ours: "SPLIT($1, ',')" },
  { names: 'SPLIT', in: ['Snowflake', ...TRINO, 'Hive'], count: 2, ours: 'SPLIT($1, $2)', given: { 2: separator } },
  {
    names: 'SUBSTRING_INDEX',
    in: MYSQL,
    count: 3,
    ours: (operands) => {
      const parts = wholeNumber(operands[2]);
      // More parts than one come with what stands between them.
      if (parts !== 1 && parts !== -1) throw new NoOfferError('SUBSTRING_INDEX of several parts');
      return `SPLIT_PART($1, $2, ${parts})`;
    },
  },
  // Our reader takes CHAR for CHR.
  { names: 'CHR', in: ['SQL Server', 'SQLite', 'Snowflake', ...TRINO, 'Redshift', 'Hive'], count: 1, ours: 'CHR($1)' },
  { names: 'EDITDISTANCE', in: ['Snowflake'], count: 2, ours: 'LEVENSHTEIN($1, $2)' },
  { names: 'EDIT_DISTANCE', in: ['BigQuery'], count: 2, ours: 'LEVENSHTEIN($1, $2)' },
  { names: 'LEVENSHTEIN_DISTANCE', in: TRINO, count: 2, ours: 'LEVENSHTEIN($1, $2)' },
  { names: 'REGEXP_CONTAINS', in: ['BigQuery'], count: 2, ours: 'REGEXP_MATCHES($1, $2)', given: { 2: pattern } },
  { names: 'REGEXP_LIKE', in: TRINO, count: 2, ours: 'REGEXP_MATCHES($1, $2)', given: { 2: pattern } },
  { names: 'REGEXP_LIKE RLIKE', in: ['Snowflake'], count: 2, ours: 'REGEXP_MATCHES($1, $2)', given: { 2: wholePattern } },
  // Collations there make no difference between upper and lower case.
  { names: 'REGEXP_LIKE', in: ['MySQL'], count: 2, ours: '$1 ~* $2', given: { 2: pattern } },
  {
    names: 'REGEXP_REPLACE',
    in: ['BigQuery', 'Snowflake', 'Hive', ...TRINO, 'Redshift'],
    count: 3,
    ours: "REGEXP_REPLACE($1, $2, $3, 'g')",
    given: { 2: pattern, 3: replacement },
  },
  { names: 'REGEXP_REPLACE', in: ['Snowflake', ...TRINO, 'Redshift'], count: 2, ours: "REGEXP_REPLACE($1, $2, '', 'g')", given: { 2: pattern } },
  { names: 'REGEXP_EXTRACT', in: ['BigQuery', ...TRINO], count: 2, ours: matched, given: { 2: groupless } },
  { names: 'REGEXP_SUBSTR', in: ['BigQuery', 'Snowflake'], count: 2, ours: matched, given: { 2: groupless } },
  { names: 'REGEXP_SUBSTR', in: ['Redshift'], count: 2, ours: 'REGEXP_EXTRACT($1, $2)', given: { 2: groupless } },
]; // oxfmt-ignore
