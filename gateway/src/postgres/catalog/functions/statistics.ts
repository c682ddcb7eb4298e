/** Statistics of PostgreSQL's own reads, of which there are none: what its functions give for a relation never read. */
import type { Implementations } from './call.ts';

const ZEROS = [
  'numscans', 'tuples_returned', 'tuples_fetched', 'tuples_inserted', 'tuples_updated', 'tuples_deleted', 'tuples_hot_updated', 'live_tuples', 'dead_tuples', 'mod_since_analyze', 'ins_since_vacuum', 'blocks_fetched', 'blocks_hit', 'vacuum_count', 'autovacuum_count', 'analyze_count', 'autoanalyze_count',
  'db_xact_commit', 'db_xact_rollback', 'db_blocks_fetched', 'db_blocks_hit', 'db_tuples_returned', 'db_tuples_fetched', 'db_tuples_inserted', 'db_tuples_updated', 'db_tuples_deleted', 'db_conflict_all', 'db_temp_files', 'db_temp_bytes', 'db_deadlocks', 'db_sessions', 'db_sessions_abandoned', 'db_sessions_fatal', 'db_sessions_killed',
]; // prettier-ignore
const REALS = [
  'db_blk_read_time',
  'db_blk_write_time',
  'db_session_time',
  'db_active_time',
  'db_idle_in_transaction_time',
];
const TIMES = [
  'last_vacuum_time',
  'last_autovacuum_time',
  'last_analyze_time',
  'last_autoanalyze_time',
  'db_stat_reset_time',
  'db_checksum_last_failure',
];

export const STATISTICS_FUNCTIONS: Implementations = Object.fromEntries([
  ...ZEROS.flatMap((name) => [
    [`pg_stat_get_${name}`, 'CAST(0 AS BIGINT)'] as const,
    [`pg_stat_get_xact_${name}`, 'CAST(0 AS BIGINT)'] as const,
  ]),
  ...REALS.map((name) => [`pg_stat_get_${name}`, 'CAST(0 AS DOUBLE)'] as const),
  ...TIMES.map((name) => [`pg_stat_get_${name}`, 'CAST(NULL AS TIMESTAMP)'] as const),
  ['pg_stat_get_db_numbackends', 'CAST(1 AS INTEGER)'] as const,
  ['pg_stat_get_db_checksum_failures', 'CAST(NULL AS BIGINT)'] as const,
]);
