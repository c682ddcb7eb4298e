/**
 * PostgreSQL's functions that do more than compute, each with what becomes of it in a tenant's server. A test compares
 * the list with pg_proc: a function that a new version brings is decided here before it is there.
 */

export interface FunctionRule {
  /** Names in pg_catalog; all functions of a name have one rule. */
  readonly names: string;
  readonly why: string;
}

/** Functions that nobody but the owner calls. */
export const REVOKED: readonly FunctionRule[] = [
  {
    names:
      'query_to_xml query_to_xmlschema query_to_xml_and_xmlschema cursor_to_xml cursor_to_xmlschema table_to_xml table_to_xmlschema table_to_xml_and_xmlschema schema_to_xml schema_to_xmlschema schema_to_xml_and_xmlschema database_to_xml database_to_xmlschema database_to_xml_and_xmlschema ts_stat',
    why: 'They run SQL that is given as text, or read tables that are named by text: no plan shows it, so a query over tables that are empty here would get an answer.',
  },
  {
    names:
      'lo_create lo_creat lo_open lo_close loread lowrite lo_lseek lo_lseek64 lo_tell lo_tell64 lo_truncate lo_truncate64 lo_unlink lo_from_bytea lo_get lo_put',
    why: 'Large objects are data that would fill the disk.',
  },
  { names: 'pg_logical_emit_message', why: 'It writes WAL, as much as it is given.' },
  {
    names:
      'pg_create_physical_replication_slot pg_drop_replication_slot pg_logical_slot_get_changes pg_logical_slot_get_binary_changes pg_logical_slot_peek_changes pg_logical_slot_peek_binary_changes pg_create_logical_replication_slot pg_replication_slot_advance pg_copy_physical_replication_slot pg_copy_logical_replication_slot pg_sync_replication_slots',
    why: 'A slot keeps WAL for ever; the server has no slots either, and they ask for a right of their own.',
  },
  {
    names:
      'binary_upgrade_set_next_pg_type_oid binary_upgrade_set_next_array_pg_type_oid binary_upgrade_set_next_heap_pg_class_oid binary_upgrade_set_next_index_pg_class_oid binary_upgrade_set_next_toast_pg_class_oid binary_upgrade_set_next_pg_enum_oid binary_upgrade_set_next_pg_authid_oid binary_upgrade_create_empty_extension binary_upgrade_set_record_init_privs binary_upgrade_set_missing_value binary_upgrade_set_next_multirange_pg_type_oid binary_upgrade_set_next_multirange_array_pg_type_oid binary_upgrade_set_next_heap_relfilenode binary_upgrade_set_next_index_relfilenode binary_upgrade_set_next_toast_relfilenode binary_upgrade_set_next_pg_tablespace_oid binary_upgrade_logical_slot_has_caught_up binary_upgrade_add_sub_rel_state binary_upgrade_replorigin_advance',
    why: 'They are for pg_upgrade, and refuse to work elsewhere.',
  },
  {
    names:
      'pg_nextoid pg_stop_making_pinned_objects pg_import_system_collations pg_restore_relation_stats pg_restore_attribute_stats pg_clear_relation_stats pg_clear_attribute_stats gin_clean_pending_list brin_summarize_new_values brin_summarize_range brin_desummarize_range pg_extension_config_dump',
    why: 'They change catalogs or tables, and ask for the right to; nobody has it.',
  },
  {
    names:
      'pg_get_loaded_modules pg_available_wal_summaries pg_wal_summary_contents pg_get_wal_summarizer_state',
    why: 'They tell of files of the server.',
  },
  {
    names:
      'pg_control_system pg_control_checkpoint pg_control_recovery pg_control_init pg_get_multixact_members pg_get_wal_resource_managers',
    why: 'They read the files of the cluster, and tools do not ask for them.',
  },
  {
    names: 'penstock_export_snapshot',
    why: 'It is the real pg_export_snapshot(): see the one in its place.',
  },
];

/** Volatile functions that everybody calls. */
export const KEPT: readonly FunctionRule[] = [
  {
    names:
      'timeofday clock_timestamp random random_normal setseed gen_random_uuid uuidv4 uuidv7 array_shuffle array_sample pg_sleep pg_sleep_for pg_sleep_until current_query set_config',
    why: 'They compute, wait or set what is the session’s own. statement_timeout ends them.',
  },
  {
    names:
      'pg_advisory_lock pg_advisory_lock_shared pg_try_advisory_lock pg_try_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_shared pg_advisory_unlock_all pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared',
    why: 'Migration tools lock with them. They are in shared memory of a fixed size, and end with their session.',
  },
  {
    names: 'pg_notify pg_notification_queue_usage',
    why: 'NOTIFY does the same and cannot be taken. The queue is of a fixed size and of this server alone.',
  },
  {
    names: 'pg_export_snapshot',
    why: 'DuckDB reads in several sessions of one snapshot. It is ours and keeps the number of files low: see harden.ts.',
  },
  {
    names: 'pg_cancel_backend pg_terminate_backend',
    why: 'They ask for membership in the role of the other session: a client’s own ones.',
  },
  {
    names: 'nextval currval setval lastval pg_sequence_last_value pg_get_sequence_data',
    why: 'They ask for rights on a sequence; there are none.',
  },
  {
    names:
      'pg_database_size pg_tablespace_size pg_relation_size pg_table_size pg_indexes_size pg_total_relation_size pg_partition_tree pg_partition_ancestors currtid2 pg_collation_actual_version pg_database_collation_actual_version amvalidate',
    why: 'They read what catalogs tell of one relation or object; tools ask for it.',
  },
  {
    names:
      'pg_lock_status pg_blocking_pids pg_safe_snapshot_blocking_pids pg_isolation_test_session_is_blocked pg_get_wait_events pg_prepared_xact pg_jit_available pg_is_in_recovery pg_get_wal_replay_pause_state pg_is_wal_replay_paused pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_current_wal_lsn pg_current_wal_insert_lsn pg_current_wal_flush_lsn txid_status pg_xact_status pg_xact_commit_timestamp pg_xact_commit_timestamp_origin pg_last_committed_xact pg_stat_get_recovery_prefetch',
    why: 'They read the state of this server, which shows nothing of other roles’ statements.',
  },
  {
    names:
      'pg_stat_force_next_flush pg_stat_clear_snapshot pg_stat_get_io pg_stat_get_backend_io pg_stat_get_backend_wal pg_stat_get_xact_numscans pg_stat_get_xact_tuples_returned pg_stat_get_xact_tuples_fetched pg_stat_get_xact_tuples_inserted pg_stat_get_xact_tuples_updated pg_stat_get_xact_tuples_deleted pg_stat_get_xact_tuples_hot_updated pg_stat_get_xact_tuples_newpage_updated pg_stat_get_xact_blocks_fetched pg_stat_get_xact_blocks_hit pg_stat_get_xact_function_calls pg_stat_get_xact_function_total_time pg_stat_get_xact_function_self_time',
    why: 'Counters, of the session or the server.',
  },
  {
    names:
      'heap_tableam_handler bthandler hashhandler gisthandler ginhandler spghandler brinhandler bernoulli system dsnowball_init dsnowball_lexize',
    why: 'They take or give what SQL cannot hold.',
  },
];

/** Functions whose name is shared with harmless ones: these alone are revoked, by their arguments. */
export const REVOKED_BY_ARGUMENTS: readonly string[] = ['ts_rewrite(tsquery,text)'];

export const namesOf = (rules: readonly FunctionRule[]): readonly string[] =>
  rules.flatMap(({ names }) => names.split(' '));
