/** What a client could try against its tenant's server, other tenants' and the machine: as data. */

export interface Attack {
  readonly name: string;
  /** As an ordinary role, one after the other in one session; what comes of the last one counts. */
  readonly statements: readonly string[];
  /** SQLSTATEs that may come of it: PostgreSQL's own refusals. `ok`: it has an answer that does no harm; see `shows`. */
  readonly must: readonly string[];
  /** Rows of the last statement, where it has some. */
  readonly shows?: readonly (readonly unknown[])[];
  /** Given to the server when the session starts. */
  readonly options?: string;
}

const DENIED = ['42501'];
/** Stopped by time, by memory, by no files, or with its session: by the watch, which may come before its own bound of memory. */
const STOPPED = ['57014', '53200', '53400', '54000', '57P01', 'gone'];

const attack = (name: string, statements: string | readonly string[], must: readonly string[]): Attack => ({
  name,
  statements: typeof statements === 'string' ? [statements] : statements,
  must,
});
const denied = (name: string, ...statements: readonly string[]): Attack => attack(name, statements, DENIED);
const shown = (name: string, statement: string, ...shows: readonly (readonly unknown[])[]): Attack => ({
  ...attack(name, statement, ['ok']),
  shows,
});

const READING: readonly Attack[] = [
  shown('other databases', 'SELECT datname FROM pg_database', ['attacked']),
  denied('passwords', 'SELECT * FROM pg_authid'),
  denied('passwords by the view', 'SELECT * FROM pg_shadow'),
  shown(
    'statements of other roles',
    `SELECT DISTINCT query FROM pg_stat_activity WHERE usename <> current_user`,
    ['<insufficient privilege>'],
  ),
  denied('statistics of values', 'SELECT * FROM pg_statistic'),
  denied('where the files are', 'SHOW data_directory'),
  shown(
    'where the files are, by the view',
    `SELECT name FROM pg_settings WHERE name IN ('data_directory', 'config_file', 'hba_file', 'ident_file', 'external_pid_file')`,
  ),
  denied('rules of who connects', 'SELECT * FROM pg_hba_file_rules'),
  denied('files of settings', 'SELECT * FROM pg_file_settings'),
  denied(
    'tables by text, behind the plan',
    `SELECT query_to_xml('SELECT * FROM shop.orders', true, true, '')`,
  ),
  denied('tables by name, behind the plan', `SELECT table_to_xml('shop.orders', true, true, '')`),
  denied('SQL in a text search', `SELECT * FROM ts_stat('SELECT to_tsvector(datname) FROM pg_database')`),
  denied(
    'SQL in a rewritten search',
    `SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, ''b''::tsquery')`,
  ),
];

const FILES: readonly Attack[] = [
  denied('a file', `SELECT pg_read_file('/etc/passwd')`),
  denied('a file as bytes', `SELECT pg_read_binary_file('postmaster.pid')`),
  denied('a folder', `SELECT pg_ls_dir('/')`),
  denied('the log', 'SELECT pg_ls_logdir()'),
  denied('a file by COPY', `COPY pg_class FROM '/etc/passwd'`),
  denied('write a file by COPY', `COPY (SELECT 1) TO '/tmp/penstock-attack'`),
  denied('a file as a large object', `SELECT lo_import('/etc/passwd')`),
  denied('a large object as a file', `SELECT lo_export(1, '/tmp/penstock-attack')`),
  shown(
    'a file as an entity of XML',
    `SELECT strpos(xmlparse(document '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>')::text, 'root')`,
    [0],
  ),
  attack('a library', `LOAD '/tmp/penstock-attack.so'`, DENIED),
  attack('a library beside the server’s', `LOAD '$libdir/plugins/../dict_snowball'`, ['42501', '58P01']),
  denied('where libraries are', `SET dynamic_library_path = '/tmp'`),
  {
    ...attack('a library when the session starts', 'SELECT 1', ['ok', '42501', '58P01', 'gone']),
    options: '-c local_preload_libraries=/tmp/penstock-attack.so',
  },
];

const PROGRAMS: readonly Attack[] = [
  denied('a program by COPY', `COPY (SELECT 1) TO PROGRAM 'id'`),
  denied('a program that is read', `COPY pg_class FROM PROGRAM 'id'`),
  attack('code in plpgsql', 'DO $$ BEGIN END $$ LANGUAGE plpgsql', ['42704']),
  attack('code in internal', `DO LANGUAGE internal 'x'`, ['42501', '0A000']),
  denied('a function', 'CREATE FUNCTION public.f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$'),
  denied(
    'a function of the session',
    'CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  ),
  denied('a function of C', `CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE c AS 'libc.so.6', 'system'`),
  denied('a cast', 'CREATE CAST (text AS int) WITH INOUT'),
  attack('an extension', 'CREATE EXTENSION plpgsql', ['42501', '0A000', '58P01']),
  attack('a language', 'CREATE LANGUAGE plpgsql', ['42501', '0A000', '58P01']),
  denied('an operator', 'CREATE OPERATOR public.= (LEFTARG = int, RIGHTARG = text, FUNCTION = int4eq)'),
  denied('the real export of snapshots', 'SELECT penstock_export_snapshot()'),
];

const NETWORK: readonly Attack[] = [
  denied('a subscription', `CREATE SUBSCRIPTION s CONNECTION 'host=192.0.2.1' PUBLICATION p`),
  denied('a foreign data wrapper', 'CREATE FOREIGN DATA WRAPPER w'),
  attack('a foreign server', 'CREATE SERVER s FOREIGN DATA WRAPPER postgres_fdw', ['42704']),
  attack('another database', `SELECT dblink('host=192.0.2.1', 'SELECT 1')`, ['42883']),
  denied('a slot of replication', `SELECT pg_create_logical_replication_slot('s', 'pgoutput')`),
  attack('where the server listens', `SET listen_addresses = '*'`, ['55P02']),
];

const RIGHTS: readonly Attack[] = [
  denied('be the owner', 'SET ROLE penstock'),
  denied('be the owner by a setting', `SELECT set_config('role', 'penstock', false)`),
  denied('begin as the owner', 'SET SESSION AUTHORIZATION penstock'),
  denied('be a superuser', 'ALTER ROLE CURRENT_USER SUPERUSER'),
  denied('make a role', 'CREATE ROLE mine SUPERUSER'),
  denied('read files by a role', 'GRANT pg_read_server_files TO CURRENT_USER'),
  denied('run programs by a role', 'GRANT pg_execute_server_program TO CURRENT_USER'),
  denied('another role’s settings', 'ALTER ROLE penstock_planner SET statement_timeout = 1'),
  denied('another client’s password', `ALTER ROLE ck_other PASSWORD 'x'`),
  denied('settings of the system', 'ALTER SYSTEM SET fsync = on'),
  denied('settings of the database', 'ALTER DATABASE attacked SET search_path = x'),
  denied('the name of the database', 'ALTER DATABASE attacked RENAME TO x'),
  denied('files without a limit', 'SET temp_file_limit = -1'),
  denied('what the log says', `SET log_min_messages = 'debug5'`),
  denied('rules that are switched off', `SET session_replication_role = 'replica'`),
];

const CHANGES: readonly Attack[] = [
  denied('a table', 'CREATE TABLE public.mine (a int)'),
  denied('a table of the session', 'CREATE TEMP TABLE mine (a int)'),
  denied('a table of a query', 'SELECT 1 AS a INTO TEMP mine'),
  denied('a schema', 'CREATE SCHEMA mine'),
  denied('rows of catalogs', `UPDATE pg_class SET relname = 'x'`),
  denied('rows that are deleted', 'DELETE FROM pg_proc'),
  denied('rows of a table', `INSERT INTO shop.orders VALUES ('x')`),
  denied('rows by COPY', 'COPY shop.orders FROM STDIN'),
  denied('a table that is emptied', 'TRUNCATE shop.orders'),
  attack('a table that is dropped', 'DROP TABLE shop.orders', ['42501']),
  denied('a comment', `COMMENT ON TABLE shop.orders IS 'x'`),
  denied('a lock that keeps others out', 'BEGIN', 'LOCK TABLE pg_class IN ACCESS EXCLUSIVE MODE'),
  denied('a row that is locked', 'SELECT * FROM pg_class FOR UPDATE'),
  denied('a database', 'CREATE DATABASE mine'),
  denied('a place for files', `CREATE TABLESPACE mine LOCATION '/tmp'`),
  denied('an index', 'CREATE INDEX ON shop.orders (pk)'),
  denied('a rule', 'CREATE RULE r AS ON INSERT TO shop.orders DO NOTHING'),
];

const ENDING: readonly Attack[] = [
  denied(
    'another role’s session',
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ck_other'`,
  ),
  denied(
    'another role’s statement',
    `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'ck_other'`,
  ),
  shown(
    'processes of the server',
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'checkpointer'`,
  ),
  shown('the machine’s processes', 'SELECT pg_terminate_backend(1)', [false]),
  denied('settings that are read anew', 'SELECT pg_reload_conf()'),
  denied('a checkpoint', 'CHECKPOINT'),
  denied('WAL that is switched', 'SELECT pg_switch_wal()'),
  denied('a promotion', 'SELECT pg_promote()'),
  denied('memory in the log', 'SELECT pg_log_backend_memory_contexts(pid) FROM pg_stat_activity'),
  attack('a crash by depth', `SELECT ${'('.repeat(30_000)}1${')'.repeat(30_000)}`, [
    '54001',
    '42601',
    ...STOPPED,
  ]),
  attack('a crash by depth of JSON', `SELECT repeat('[', 1000000)::json`, ['54001', ...STOPPED]),
  attack('a crash by a regular expression', `SELECT 'x' ~ repeat('(', 100000)`, [
    '54001',
    '2201B',
    ...STOPPED,
  ]),
];

const MEMORY_AND_TIME: readonly Attack[] = [
  attack('a text of a gigabyte', `SELECT length(repeat('x', 1000000000))`, STOPPED),
  attack(
    'a text of texts',
    `SELECT string_agg(repeat('x', 1000000), '') FROM generate_series(1, 2000)`,
    STOPPED,
  ),
  attack('an array without end', 'SELECT array_agg(x) FROM generate_series(1, 1000000000) x', STOPPED),
  attack(
    'entities of entities',
    `SELECT xmlparse(document '<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1_000)}">${'bcdefghij'
      .split('')
      .map((name, i) => `<!ENTITY ${name} "${`&${'abcdefghij'[i]};`.repeat(10)}">`)
      .join('')}]><x>&j;</x>')`,
    ['2200M', ...STOPPED],
  ),
  attack(
    'a sort in files',
    [`SET work_mem = '64kB'`, 'SELECT * FROM generate_series(1, 300000) x ORDER BY -x'],
    ['53400'],
  ),
  attack(
    'a cursor that is kept',
    [
      'BEGIN',
      `SET LOCAL work_mem = '64kB'`,
      'DECLARE c CURSOR WITH HOLD FOR SELECT * FROM generate_series(1, 300000)',
      'COMMIT',
    ],
    ['53400'],
  ),
  attack(
    'recursion without end',
    'WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 1 FROM r) SELECT count(*) FROM r',
    STOPPED,
  ),
  attack('a product of catalogs', 'SELECT count(*) FROM pg_proc, pg_proc b, pg_proc c', STOPPED),
  attack('a regular expression that goes back', `SELECT repeat('a', 5000) ~ '^(((a*)*)*)*b$'`, [
    'ok',
    '2201B',
    ...STOPPED,
  ]),
  attack('a large regular expression', `SELECT 'x' ~ '((((x{1,200}){1,200}){1,200}){1,200})'`, [
    '2201B',
    ...STOPPED,
  ]),
  attack('a number of many digits', 'SELECT length((9.9 ^ 100000.5)::text), factorial(100000)', [
    'ok',
    '22003',
    ...STOPPED,
  ]),
  attack('sleep', 'SELECT pg_sleep(1000000)', STOPPED),
  attack(
    'many joins to plan',
    `SELECT 1 FROM ${Array.from({ length: 40 }, (_, i) => `pg_class c${i}`).join(' NATURAL JOIN ')}`,
    ['ok', ...STOPPED],
  ),
  attack('locks without end', 'SELECT pg_advisory_lock(x) FROM generate_series(1, 10000000) x', STOPPED),
  attack(
    'locks that nobody gives',
    ['SELECT pg_advisory_lock(1)', 'BEGIN', 'SELECT pg_advisory_xact_lock(1), pg_sleep(1000)'],
    STOPPED,
  ),
];

const DISK_AND_PROCESSES: readonly Attack[] = [
  attack(
    'snapshots that are exported',
    ['BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT pg_export_snapshot() FROM generate_series(1, 100000)'],
    ['22P02'],
  ),
  denied('a large object', `SELECT lo_from_bytea(0, 'x') FROM generate_series(1, 1000)`),
  denied('a message in WAL', `SELECT pg_logical_emit_message(false, 'x', repeat('y', 1000000))`),
  attack(
    'notifications',
    [
      'LISTEN x',
      'BEGIN',
      `SELECT count(pg_notify('x', x || repeat('y', 7000))) FROM generate_series(1, 3000) x`,
      'COMMIT',
    ],
    ['ok', ...STOPPED],
  ),
  attack(
    'settings of one’s own role',
    Array.from({ length: 30 }, (_, i) => `ALTER ROLE CURRENT_USER SET "a.b${i}" = '${'x'.repeat(30_000)}'`),
    DENIED,
  ),
  attack(
    'passwords of one’s own role',
    Array.from(
      { length: 200 },
      (_, i) => `ALTER ROLE CURRENT_USER PASSWORD 'md5${String(i).padStart(32, '0')}'`,
    ),
    ['ok', ...STOPPED],
  ),
  attack(
    'numbers of transactions',
    Array.from({ length: 300 }, () => 'SELECT pg_current_xact_id()'),
    ['ok'],
  ),
  attack(
    'a prepared transaction',
    ['BEGIN', 'SELECT pg_current_xact_id()', `PREPARE TRANSACTION 'x'`],
    ['55000'],
  ),
  shown(
    'parallel processes',
    `SELECT set_config('debug_parallel_query', 'on', false), set_config('max_parallel_workers', '64', false), count(*) FROM pg_stat_activity WHERE backend_type = 'parallel worker'`,
    ['on', '64', '0'],
  ),
];

export const ATTACKS: readonly Attack[] = [
  ...READING,
  ...FILES,
  ...PROGRAMS,
  ...NETWORK,
  ...RIGHTS,
  ...CHANGES,
  ...ENDING,
  ...MEMORY_AND_TIME,
  ...DISK_AND_PROCESSES,
];
