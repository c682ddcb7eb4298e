/** Functions about the session. */
import { quoteText } from '../binder/bound.ts';
import { bindError } from '../binder/errors.ts';
import type { BindContext } from '../binder/context.ts';
import { argument, raise, type Call, type Implementations } from './call.ts';

/** The schemas in which names are looked for, in order. */
export function currentSchemas({ session, names }: BindContext, withImplicit: boolean): readonly string[] {
  const found = session.searchPath.filter((name) => names.schemaOid(name) !== null);
  return withImplicit && !found.includes('pg_catalog') ? ['pg_catalog', ...found] : found;
}

export const versionText = ({ version }: BindContext): string =>
  `PostgreSQL ${version} (Penstock), a query service over DynamoDB`;

/** Settings that pg_settings does not list. */
const unlisted = ({ session }: BindContext): Readonly<Record<string, string>> => ({
  is_superuser: 'off',
  role: 'none',
  session_authorization: session.user,
});

/** A setting's value: what the session set, else what PostgreSQL has. */
function currentSetting(call: Call): string {
  const { session, names, budget } = call.context;
  const name = call.given[0]?.literal?.toLowerCase();
  const own = name === undefined ? undefined : (session.settings[name] ?? unlisted(call.context)[name]);
  if (own !== undefined) return quoteText(own);
  const wanted = `lower(${argument(call, 0)})`;
  const set = Object.entries(session.settings).map(
    ([key, value]) => `WHEN ${quoteText(key)} THEN ${quoteText(value)}`,
  );
  const ours = name !== undefined || set.length === 0 ? 'NULL' : `CASE ${wanted} ${set.join(' ')} END`;
  const alias = budget.nextAlias('n');
  const theirs = `(SELECT min(${alias}.setting) FROM ${names.lookup.settings} ${alias} WHERE lower(${alias}.name) = ${wanted})`;
  const isMissing = call.given[1]?.sql === 'true' || name === undefined;
  const missing = isMissing ? 'NULL' : raise('42704', `unrecognized configuration parameter "${name}"`);
  return `coalesce(${ours}, ${theirs}, ${missing})`;
}

export const SESSION_FUNCTIONS: Implementations = {
  version: (call) => quoteText(versionText(call.context)),
  current_database: (call) => quoteText(call.context.session.database),
  current_catalog: (call) => quoteText(call.context.session.database),
  current_schema: (call) => {
    const [first] = currentSchemas(call.context, false);
    return first === undefined ? 'CAST(NULL AS VARCHAR)' : quoteText(first);
  },
  current_schemas: (call) => {
    const list = (withImplicit: boolean): string =>
      `CAST([${currentSchemas(call.context, withImplicit).map(quoteText).join(', ')}] AS VARCHAR[])`;
    return `CASE WHEN ${argument(call, 0)} THEN ${list(true)} ELSE ${list(false)} END`;
  },
  current_user: (call) => quoteText(call.context.session.user),
  session_user: (call) => quoteText(call.context.session.user),
  getpgusername: (call) => quoteText(call.context.session.user),
  current_setting: currentSetting,
  set_config: (call) => {
    throw bindError('0A000', 'set_config is supported as a column of the result alone', call.at);
  },
  pg_backend_pid: (call) => String(call.context.session.backendPid),
  pg_is_in_recovery: 'false',
  pg_is_wal_replay_paused: 'false',
  pg_is_other_temp_schema: 'false',
  pg_my_temp_schema: 'CAST(0 AS BIGINT)',
  inet_server_addr: 'CAST(NULL AS VARCHAR)',
  inet_server_port: 'CAST(NULL AS INTEGER)',
  inet_client_addr: 'CAST(NULL AS VARCHAR)',
  inet_client_port: 'CAST(NULL AS INTEGER)',
  pg_blocking_pids: 'CAST([] AS INTEGER[])',
  txid_current: 'CAST(1 AS BIGINT)',
  txid_current_if_assigned: 'CAST(NULL AS BIGINT)',
  pg_current_xact_id_if_assigned: 'CAST(NULL AS VARCHAR)',
  pg_notification_queue_usage: 'CAST(0 AS DOUBLE)',
  pg_jit_available: 'false',
  pg_trigger_depth: '0',
  pg_last_wal_receive_lsn: 'CAST(NULL AS VARCHAR)',
  pg_last_wal_replay_lsn: 'CAST(NULL AS VARCHAR)',
  pg_last_xact_replay_timestamp: 'CAST(NULL AS TIMESTAMP)',
};
