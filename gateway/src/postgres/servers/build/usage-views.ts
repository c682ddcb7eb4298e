/**
 * Views of the SQL standard that show keys to a table's owner alone. Nobody who connects is one, while tools that read a
 * schema take who connects for the owner and say of each table that it has no key.
 */

/** Constraints of keys and references, each with the table that it uses: a reference uses the table that it points to. */
const USED = `FROM pg_catalog.pg_constraint c
    JOIN pg_catalog.pg_namespace nc ON nc.oid = c.connamespace
    JOIN pg_catalog.pg_class r ON r.oid = CASE c.contype WHEN 'f' THEN c.confrelid ELSE c.conrelid END
    JOIN pg_catalog.pg_namespace nr ON nr.oid = r.relnamespace`;
const SHOWN = `WHERE c.contype IN ('p', 'u', 'f') AND r.relkind IN ('r', 'p')
    AND pg_catalog.has_table_privilege(r.oid, 'SELECT')`;

/** A column of such a view. */
const name = (value: string, column: string): string =>
  `CAST(${value} AS information_schema.sql_identifier) AS ${column}`;
const TABLE = [
  name('pg_catalog.current_database()', 'table_catalog'),
  name('nr.nspname', 'table_schema'),
  name('r.relname', 'table_name'),
];
const CONSTRAINT = [
  name('pg_catalog.current_database()', 'constraint_catalog'),
  name('nc.nspname', 'constraint_schema'),
  name('c.conname', 'constraint_name'),
];

export const USAGE_VIEWS: readonly string[] = [
  `CREATE OR REPLACE VIEW information_schema.constraint_table_usage AS
    SELECT ${[...TABLE, ...CONSTRAINT].join(', ')} ${USED} ${SHOWN}`,
  `CREATE OR REPLACE VIEW information_schema.constraint_column_usage AS
    SELECT ${[...TABLE, name('a.attname', 'column_name'), ...CONSTRAINT].join(', ')} ${USED}
    JOIN pg_catalog.pg_attribute a ON a.attrelid = r.oid AND NOT a.attisdropped
      AND a.attnum = ANY (CASE c.contype WHEN 'f' THEN c.confkey ELSE c.conkey END) ${SHOWN}`,
];
