/** Settings of a tenant's server, as its command line has them. */
import {
  LOCKS_PER_CONNECTION,
  SERVER_CONNECTIONS_MAX,
  SERVER_RESERVED_CONNECTIONS,
  WORK_MEMORY_KIB,
} from './limits.ts';

export interface ServerPlace {
  readonly socketFolder: string;
  /** By this its processes are known to be its. */
  readonly clusterName: string;
}

const SETTINGS: Readonly<Record<string, string | number>> = Object.freeze({
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: SERVER_CONNECTIONS_MAX,
  superuser_reserved_connections: SERVER_RESERVED_CONNECTIONS,
  max_locks_per_transaction: LOCKS_PER_CONNECTION,
  max_pred_locks_per_transaction: 10,

  // Small: the tables are empty, and what is read of catalogs is in the system's cache of files.
  shared_buffers: '2MB',
  wal_buffers: '64kB',
  max_wal_size: '4MB',
  min_wal_size: '2MB',
  max_files_per_process: 200,
  huge_pages: 'off',
  work_mem: `${WORK_MEMORY_KIB}kB`,
  // Statements write nothing to disk.
  temp_file_limit: 0,
  max_notify_queue_pages: 64,
  // Shared memory of parallel scans, as files in the server's own folder: none is left over in /dev/shm.
  dynamic_shared_memory_type: 'mmap',

  // Processes: none but the four that must be, which sleep.
  autovacuum: 'off',
  max_worker_processes: 0,
  max_parallel_workers: 0,
  max_parallel_workers_per_gather: 0,
  max_parallel_maintenance_workers: 0,
  max_logical_replication_workers: 0,
  max_wal_senders: 0,
  max_replication_slots: 0,
  wal_level: 'minimal',
  io_method: 'sync',
  bgwriter_delay: '10s',
  bgwriter_lru_maxpages: 0,
  wal_writer_delay: '10s',
  checkpoint_timeout: '1h',
  // Whatever ends a server process ends the server: sessions then know that it is gone.
  restart_after_crash: 'off',

  // Nothing of it must last.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',

  // Statements belong to tenants and into no log of ours.
  logging_collector: 'off',
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  track_counts: 'off',
  update_process_title: 'on',

  jit: 'off',
  default_transaction_read_only: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Settings of ours, so that SHOW knows them before they are set.
  'penstock.max_read_units': -1,
  'penstock.late_attributes': 'warning',
  'penstock.numeric': '',
});

/** Arguments of `postgres`. */
export function postgresArguments(dataFolder: string, place: ServerPlace): readonly string[] {
  const all = { ...SETTINGS, unix_socket_directories: place.socketFolder, cluster_name: place.clusterName };
  return ['-D', dataFolder, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
