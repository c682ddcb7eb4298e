/** Functions that views of PostgreSQL's read like tables: what they give here. */
import type { PgFunction } from '../system/types.ts';
import { columnName, quoteText, type BoundQuery, type Field } from './bound.ts';
import type { BindContext } from './context.ts';
import { DATABASE_OID } from '../tables/roles.ts';
import { duckdbType } from './type-facts.ts';

/** They tell of a server's own doings; there is nothing to tell. */
const EMPTY = new Set([
  'pg_lock_status', 'pg_prepared_statement', 'pg_prepared_xact', 'pg_cursor', 'pg_available_extensions', 'pg_available_extension_versions', 'pg_get_replication_slots', 'pg_stat_get_wal_senders', 'pg_stat_get_wal_receiver', 'pg_stat_get_progress_info', 'pg_stat_get_subscription', 'pg_stat_get_slru', 'pg_stat_get_archiver', 'pg_stat_get_wal', 'pg_show_replication_origin_status', 'pg_show_all_file_settings', 'pg_hba_file_rules', 'pg_ident_file_mappings', 'pg_config', 'pg_get_shmem_allocations', 'pg_get_backend_memory_contexts', 'pg_listening_channels', 'pg_timezone_names', 'pg_get_publication_tables', 'pg_stat_get_recovery_prefetch', 'pg_sequence_parameters', 'pg_partition_tree', 'pg_partition_ancestors', 'pg_event_trigger_ddl_commands', 'pg_ls_dir', 'pg_get_multixact_members', 'pg_mcv_list_items', 'pg_stat_get_replication_slot', 'pg_stat_get_subscription_stats', 'pg_stat_get_backend_idset', 'ts_token_type', 'pg_stat_statements', 'pg_sequence_last_value', 'pg_walfile_name_offset',
]); // prettier-ignore

/** Sets that stand in tables. */
const HELD = new Map([
  ['pg_get_keywords', 'keywords'],
  ['pg_timezone_abbrevs', 'time_zone_abbreviations'],
] as const);

const CURRENT: Readonly<Record<string, (context: BindContext) => string>> = {
  datid: () => String(DATABASE_OID),
  pid: ({ session }) => String(session.backendPid),
  usesysid: ({ names, session }) => String(names.roles.get(session.user) ?? 0),
  application_name: ({ session }) => quoteText(session.settings['application_name'] ?? ''),
  state: () => "'active'",
  backend_type: () => "'client backend'",
  backend_start: ({ now }) => quoteText(now),
  query_start: ({ now }) => quoteText(now),
  xact_start: ({ now }) => quoteText(now),
  state_change: ({ now }) => quoteText(now),
  ssl: () => 'false',
};

function columnsOf({ outputs, result }: PgFunction): readonly Field[] {
  return (outputs ?? [{ name: 'value', type: result }]).map((output) => ({ ...output, modifier: -1 }));
}

/** Columns by their values, or NULL where there is none. */
function oneRow(
  context: BindContext,
  columns: readonly Field[],
  values: Readonly<Record<string, string>>,
): string {
  const cells = columns.map(
    ({ name, type }, i) =>
      `CAST(${values[name] ?? 'NULL'} AS ${duckdbType(context.system, type)}) AS ${columnName(i)}`,
  );
  return `SELECT ${cells.join(', ')}`;
}

/** Settings, with the values that the session gave them. */
function settings(context: BindContext, columns: readonly Field[]): string {
  const alias = context.budget.nextAlias('s');
  const set = Object.entries(context.session.settings).map(
    ([name, value]) => `WHEN ${quoteText(name)} THEN ${quoteText(value)}`,
  );
  const cells = columns.map(({ name }, i) => {
    const value = `${alias}.${name}`;
    const shown =
      name === 'setting' && set.length > 0
        ? `CASE lower(${alias}.name) ${set.join(' ')} ELSE ${value} END`
        : value;
    return `${shown} AS ${columnName(i)}`;
  });
  return `SELECT ${cells.join(', ')} FROM ${context.names.lookup.settings} ${alias}`;
}

/** What a call gives as a table; null where it is none of these functions. */
export function bindSet(context: BindContext, name: string): BoundQuery | null {
  const [found] = context.system.functions.get(name) ?? [];
  if (found === undefined) return null;
  const columns = columnsOf(found);
  if (name === 'pg_show_all_settings') return { sql: settings(context, columns), columns };
  if (name === 'pg_stat_get_activity') {
    const values = Object.fromEntries(
      Object.entries(CURRENT).map(([column, value]) => [column, value(context)]),
    );
    return { sql: oneRow(context, columns, values), columns };
  }
  const held = HELD.get(name as 'pg_get_keywords');
  if (held !== undefined) {
    const alias = context.budget.nextAlias('s');
    const cells = columns.map((column, i) => `${alias}.${column.name} AS ${columnName(i)}`);
    return { sql: `SELECT ${cells.join(', ')} FROM ${context.names.lookup[held]} ${alias}`, columns };
  }
  if (!EMPTY.has(name)) return null;
  return { sql: `${oneRow(context, columns, {})} WHERE false`, columns };
}
