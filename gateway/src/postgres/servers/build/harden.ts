/** What makes a new cluster one that a tenant may have: statements of its owner, each with its reason. */
import { EXPORTED_SNAPSHOTS_MAX } from '../limits.ts';
import { namesOf, REVOKED, REVOKED_BY_ARGUMENTS } from './functions.ts';
import { USAGE_VIEWS } from './usage-views.ts';

/** In the cluster's first database, which is the only one in the end. */
export const HARDENING: readonly string[] = [
  // Other databases would be places where other rules hold.
  'UPDATE pg_catalog.pg_database SET datistemplate = false, datallowconn = true',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
  // A language is what attacks are written in: DO needs one.
  'DROP EXTENSION plpgsql',
  // Functions and tables, lasting or not, would hold data and run code.
  'REVOKE USAGE ON LANGUAGE sql FROM PUBLIC',
  'REVOKE ALL ON DATABASE postgres FROM PUBLIC',
  'GRANT CONNECT ON DATABASE postgres TO PUBLIC',
  'REVOKE ALL ON SCHEMA public FROM PUBLIC',
  'GRANT USAGE ON SCHEMA public TO PUBLIC',
  // The tables that come are for everybody in the server.
  // With SELECT alone information_schema.table_constraints would not show their keys.
  'ALTER DEFAULT PRIVILEGES FOR ROLE penstock GRANT SELECT, REFERENCES ON TABLES TO PUBLIC',
  ...USAGE_VIEWS,
  // Each export is a file, and a transaction may make as many as it likes. What is no number ends the statement: SQL
  // alone raises no error, and there is no other language.
  'ALTER FUNCTION pg_catalog.pg_export_snapshot() RENAME TO penstock_export_snapshot',
  `CREATE FUNCTION pg_catalog.pg_export_snapshot() RETURNS text
     LANGUAGE sql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog
     AS $$ SELECT CASE WHEN files < ${EXPORTED_SNAPSHOTS_MAX} THEN pg_catalog.penstock_export_snapshot()
             ELSE (('too many exported snapshots: ' || files)::pg_catalog.int4)::text END
           FROM (SELECT count(*) AS files FROM pg_catalog.pg_ls_dir('pg_snapshots')) AS listed $$`,
  ...[
    ...namesOf(REVOKED).map((name) => `proname = '${name}'`),
    ...REVOKED_BY_ARGUMENTS.map((one) => `p.oid = 'pg_catalog.${one}'::pg_catalog.regprocedure`),
  ].map(
    (condition) =>
      // A statement for each function, since one takes all that are named by their arguments alone.
      `SELECT pg_catalog.format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', p.oid::pg_catalog.regprocedure)
         FROM pg_catalog.pg_proc p WHERE pronamespace = 'pg_catalog'::pg_catalog.regnamespace AND ${condition}`,
  ),
  // It explains statements. What is constant in one is computed by that, so it is as ordinary as a client.
  'CREATE ROLE penstock_planner LOGIN',
];

/** That a statement's rows are statements to be run. */
export const isList = (statement: string): boolean => statement.startsWith('SELECT pg_catalog.format(');

/** Who may connect: whoever gets to the socket, which lies in a folder for its owner alone. */
export const HBA = 'local all all trust\n';
