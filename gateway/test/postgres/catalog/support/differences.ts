/** Where rows have to differ from PostgreSQL's, and why. Columns and their types never do. */
import type { CapturedStatement } from './statements.ts';

const DIFFERENCES: readonly (readonly [RegExp, string])[] = [
  [/\bversion\(\)/, 'it says who answers'],
  [/datname LIKE '%'|FROM pg_catalog\.pg_database d\s|FROM pg_catalog\.pg_database db WHERE/, 'a session sees its own database alone'],
  [/AS TABLE_CAT, n\.nspname AS TABLE_SCHEM, c\.relname AS TABLE_NAME,[^?]*c\.relname LIKE '%' ORDER BY/, 'no table has a TOAST table'],
  [/c\.relkind IN \('r','p','t','s',''\)/, 'no table has a TOAST table'],
  [/n\.nspname, c\.relname, a\.attname, a\.atttypid, t\.typname[^?]*c\.relname like '%'|c\.oid, pg_get_expr\(d\.adbin[^?]*n\.oid = c\.relnamespace\) inner join pg_catalog\.pg_attribute a on \(not a\.attisdropped\)/, 'no table has a TOAST table'],
  [/TMP\.CARDINALITY|tmp\.CARDINALITY/, 'pages are those of DynamoDB'],
  [/pg_size_pretty/, 'sizes are those of DynamoDB'],
  [/FROM pg_constraint, pg_class LIMIT 1/, 'whichever row comes first'],
  [/pg_describe_object/, 'dependencies are not kept'],
  [/FROM pg_catalog\.pg_settings s WHERE|FROM pg_catalog\.pg_settings s\s+WHERE s\.source <> 'default'/, 'settings that a server was started with'],
  [/as base_type_name, d\.description[^?]*et\.typcategory <> 'C'/, 'a default is shown as SQL, not as a tree'],
  [/pg_stat_gssapi/, 'there is none'],
  [/information_schema\.element_types/, 'no table has elements of types of its own'],
  [/seq_scan, n_live_tup/, 'nothing is counted'],
  [/json_agg\(json_build_object/, 'spaces inside of JSON'],
  [/pg_shadow|pg_tablespace_size|spcname AS "Name"/, 'PostgreSQL refuses it'],
  [/\(aclexplode\(c\.relacl\)\)\.grantee::regrole/, 'a set inside of a look-up is refused'],
]; // prettier-ignore

/** Null: they are the same. */
export function differenceOf({ sql }: CapturedStatement): string | null {
  return DIFFERENCES.find(([pattern]) => pattern.test(sql))?.[1] ?? null;
}
