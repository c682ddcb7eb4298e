/** Helpers of information_schema's views: as PostgreSQL defines them, by a type's OID and modifier. */
import { argument, tableOf, type Call, type Implementations } from './call.ts';

const charLength = (call: Call): string =>
  `CASE WHEN ${argument(call, 1)} = -1 THEN NULL WHEN ${argument(call, 0)} IN (1042, 1043) THEN ${argument(call, 1)} - 4 WHEN ${argument(call, 0)} IN (1560, 1562) THEN ${argument(call, 1)} END`;

export const INFORMATION_SCHEMA_FUNCTIONS: Implementations = {
  nameconcatoid: "$1 || '_' || CAST($2 AS VARCHAR)",
  _pg_char_max_length: charLength,
  _pg_char_octet_length: (call) =>
    `CASE WHEN ${argument(call, 0)} IN (25, 1042, 1043) THEN CASE WHEN ${argument(call, 1)} = -1 THEN 1073741824 ELSE 4 * (${charLength(call)}) END END`,
  _pg_numeric_precision:
    'CASE $1 WHEN 21 THEN 16 WHEN 23 THEN 32 WHEN 20 THEN 64 WHEN 1700 THEN CASE WHEN $2 = -1 THEN NULL ELSE (($2 - 4) >> 16) & 65535 END WHEN 700 THEN 24 WHEN 701 THEN 53 END',
  _pg_numeric_precision_radix: 'CASE WHEN $1 IN (21, 20, 23, 700, 701) THEN 2 WHEN $1 = 1700 THEN 10 END',
  _pg_numeric_scale:
    'CASE WHEN $1 IN (21, 20, 23) THEN 0 WHEN $1 = 1700 THEN CASE WHEN $2 = -1 THEN NULL ELSE ($2 - 4) & 65535 END END',
  _pg_datetime_precision:
    'CASE WHEN $1 = 1082 THEN 0 WHEN $1 IN (1083, 1114, 1184, 1266) THEN CASE WHEN $2 < 0 THEN 6 ELSE $2 END WHEN $1 = 1186 THEN CASE WHEN $2 < 0 OR $2 & 65535 = 65535 THEN 6 ELSE $2 & 65535 END END',
  _pg_interval_type: 'CAST(NULL AS VARCHAR)',
  _pg_keysequal: 'list_sort($1) = list_sort($2)',
  _pg_index_position: (call) => {
    const alias = call.context.budget.nextAlias('i');
    return `(SELECT nullif(list_position(${alias}.indkey, ${argument(call, 1)}), 0) FROM ${tableOf(call, 'pg_index')} ${alias} WHERE ${alias}.indexrelid = ${argument(call, 0)})`;
  },
};
