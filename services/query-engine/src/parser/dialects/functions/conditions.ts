/** Functions of conditions, numbers, documents, and aggregates. */
import type { AstExpression } from '../../ast.ts';
import { NoOfferError } from '../no-offer.ts';
import { jsonPath } from './arguments.ts';
import { except, MYSQL, TRINO, type FunctionRule } from './rule.ts';

const numbered = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

/** `DECODE(x, a, b, c, d, e)`: NULL equals NULL there. */
function decoded({ length }: readonly AstExpression[]): string {
  const whens = numbered(Math.floor((length - 1) / 2)).map(
    (i) => `WHEN $1 IS NOT DISTINCT FROM $${2 * i} THEN $${2 * i + 1}`,
  );
  return `CASE ${whens.join(' ')}${length % 2 === 0 ? ` ELSE $${length}` : ''} END`;
}

/** `CHOOSE(n, a, b)` and `ELT(n, a, b)`. */
const chosen = ({ length }: readonly AstExpression[]): string =>
  `CASE $1 ${numbered(length - 1)
    .map((i) => `WHEN ${i} THEN $${i + 1}`)
    .join(' ')} END`;

/** `FIELD(x, a, b)`: which of them it is. */
const field = ({ length }: readonly AstExpression[]): string =>
  `CASE $1 ${numbered(length - 1)
    .map((i) => `WHEN $${i + 1} THEN ${i}`)
    .join(' ')} ELSE 0 END`;

/** NULL where any is NULL; here they pass over it. */
const extreme =
  (name: 'GREATEST' | 'LEAST') =>
  ({ length }: readonly AstExpression[]): string => {
    const places = numbered(length).map((i) => `$${i}`);
    return `CASE WHEN ${places.map((each) => `${each} IS NOT NULL`).join(' AND ')} THEN ${name}(${places.join(', ')}) END`;
  };

/** `JSON_UNQUOTE(JSON_EXTRACT(x, path))`. */
function unquoted([value]: readonly AstExpression[]): string {
  if (value?.kind !== 'FunctionCall' || value.name !== 'JSON_EXTRACT')
    throw new NoOfferError('JSON_UNQUOTE of a text');
  return '$1';
}

export const CONDITIONS: readonly FunctionRule[] = [
  { names: 'IFF', in: ['Snowflake'], count: 3, ours: 'IF($1, $2, $3)' },
  { names: 'NVL2', in: ['Snowflake', 'Redshift', 'MariaDB'], count: 3, ours: 'CASE WHEN $1 IS NOT NULL THEN $2 ELSE $3 END' },
  { names: 'ZEROIFNULL', in: ['Snowflake'], count: 1, ours: 'COALESCE($1, 0)' },
  { names: 'NULLIFZERO', in: ['Snowflake'], count: 1, ours: 'NULLIF($1, 0)' },
  { names: 'EQUAL_NULL', in: ['Snowflake'], count: 2, ours: '$1 IS NOT DISTINCT FROM $2' },
  { names: 'DECODE', in: ['Snowflake', 'Redshift'], count: [3, 50], ours: decoded },
  { names: 'CHOOSE', in: ['SQL Server'], count: [2, 50], ours: chosen },
  { names: 'ELT', in: MYSQL, count: [2, 50], ours: chosen },
  { names: 'FIELD', in: MYSQL, count: [2, 50], ours: field },
  { names: 'GREATEST', in: except('SQL Server', 'Redshift', 'SQLite'), count: [2, 10], ours: extreme('GREATEST') },
  { names: 'LEAST', in: except('SQL Server', 'Redshift', 'SQLite'), count: [2, 10], ours: extreme('LEAST') },
  { names: 'TO_VARCHAR TO_CHAR', in: ['Snowflake'], count: 1, ours: 'CAST($1 AS VARCHAR)' },
  // By zero, our quotient is NULL.
  { names: 'SAFE_DIVIDE', in: ['BigQuery'], count: 2, ours: '$1 / $2' },
  { names: 'DIV0', in: ['Snowflake'], count: 2, ours: 'CASE WHEN $2 = 0 THEN 0 ELSE $1 / $2 END' },
  { names: 'DIV', in: ['BigQuery'], count: 2, ours: '$1 // $2' },
  { names: 'LOG', in: [...MYSQL, 'SQL Server', 'BigQuery', 'Hive'], count: 1, ours: 'LN($1)' },
  { names: 'LOG', in: ['SQL Server', 'BigQuery'], count: 2, ours: 'LOG($2, $1)' },
  { names: 'SQUARE', in: ['SQL Server'], count: 1, ours: 'POWER($1, 2)' },
  { names: 'STDEV', in: ['SQL Server'], count: 1, ours: 'STDDEV_SAMP($1)' },
  { names: 'STDEVP', in: ['SQL Server'], count: 1, ours: 'STDDEV_POP($1)' },
  { names: 'VAR', in: ['SQL Server'], count: 1, ours: 'VAR_SAMP($1)' },
  { names: 'VARP', in: ['SQL Server'], count: 1, ours: 'VAR_POP($1)' },
  // Of the whole population there.
  { names: 'STD STDDEV', in: MYSQL, count: 1, ours: 'STDDEV_POP($1)' },
  { names: 'VARIANCE', in: MYSQL, count: 1, ours: 'VAR_POP($1)' },
  { names: 'STDDEV', in: ['Hive'], count: 1, ours: 'STDDEV_POP($1)' },
  { names: 'VARIANCE', in: ['Hive'], count: 1, ours: 'VAR_POP($1)' },
  { names: 'COUNT_BIG', in: ['SQL Server'], count: [0, 1], ours: ({ length }) => (length === 0 ? 'COUNT(*)' : 'COUNT($1)') },
  { names: 'APPROX_DISTINCT', in: TRINO, count: 1, ours: 'COUNT(DISTINCT $1)' },
  { names: 'APPROX_COUNT_DISTINCT', in: ['SQL Server', 'BigQuery', 'Snowflake'], count: 1, ours: 'COUNT(DISTINCT $1)' },
  { names: 'ARBITRARY', in: TRINO, count: 1, ours: 'ANY_VALUE($1)' },
  { names: 'LOGICAL_OR', in: ['BigQuery'], count: 1, ours: 'BOOL_OR($1)' },
  { names: 'LOGICAL_AND', in: ['BigQuery'], count: 1, ours: 'BOOL_AND($1)' },
  { names: 'BOOLOR_AGG', in: ['Snowflake'], count: 1, ours: 'BOOL_OR($1)' },
  { names: 'BOOLAND_AGG', in: ['Snowflake'], count: 1, ours: 'BOOL_AND($1)' },
  { names: 'STRING_AGG', in: ['BigQuery'], count: 1, ours: "STRING_AGG($1, ',')" },
  { names: 'GROUP_CONCAT', in: ['SQLite'], count: 1, ours: "STRING_AGG($1, ',')" },
  { names: 'GROUP_CONCAT', in: ['SQLite'], count: 2, ours: 'STRING_AGG($1, $2)' },
  { names: 'JSON_ARRAYAGG', in: MYSQL, count: 1, ours: 'ARRAY_AGG($1)' },
  { names: 'JSON_UNQUOTE', in: MYSQL, count: 1, ours: unquoted },
  { names: 'JSON_EXTRACT_SCALAR', in: ['BigQuery', ...TRINO], count: 2, ours: 'JSON_EXTRACT_STRING($1, $2)', given: { 2: jsonPath } },
  { names: 'GET_JSON_OBJECT', in: ['Hive'], count: 2, ours: 'JSON_EXTRACT_STRING($1, $2)', given: { 2: jsonPath } },
  { names: 'ARRAY_SIZE', in: ['Snowflake'], count: 1, ours: 'ARRAY_LENGTH($1)' },
  { names: 'ARRAY_CONTAINS', in: ['Snowflake'], count: 2, ours: 'ARRAY_CONTAINS($2, $1)' },
  { names: 'CONTAINS', in: TRINO, count: 2, ours: 'ARRAY_CONTAINS($1, $2)' },
  { names: 'LISTAGG', in: ['Snowflake', 'Redshift', ...TRINO], count: 2, ours: 'STRING_AGG($1, $2)' },
]; // oxfmt-ignore
