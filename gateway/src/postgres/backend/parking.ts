/**
 * A session that says nothing gives its backend back: 2.4 MB each, of sessions that pools keep open for hours. What it has set
 * is set again when it comes back; one that has more than settings keeps its backend.
 */
import { tokensOf } from '../statements/lexer.ts';
import { OWN_SETTINGS } from './acted-on.ts';

/** By this one the server ends a session that says nothing, which a session without a backend would outlive. */
const IDLE_LIMIT = 'idle_session_timeout';

/** What a session has set, by name: pairs. Our own are among no server's settings. */
export const READ_WHAT_IS_SET = `SELECT name, setting FROM pg_catalog.pg_settings
  WHERE source = 'session' AND name NOT IN ('transaction_isolation', 'transaction_read_only', 'transaction_deferrable')
    OR name = '${IDLE_LIMIT}' AND setting <> '0'
  UNION ALL ${Object.values(OWN_SETTINGS)
    .map((name) => `SELECT '${name}', current_setting('${name}')`)
    .join(' UNION ALL ')}`;

/** Whether such pairs let the session be without a backend. */
export const mayPark = (rows: readonly (readonly (string | null)[])[]): boolean =>
  !rows.some(([name, value]) => name === IDLE_LIMIT && value !== '0');

/** Sets so many. */
export const setAgain = (count: number): string =>
  `SELECT ${Array.from({ length: count }, (_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`).join(', ')}`;

/** Commands by whose first word nothing is left behind but settings of PostgreSQL's own. */
const LEAVES_SETTINGS: ReadonlySet<string> = new Set([
  ...['set', 'reset', 'show', 'begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release'],
  ...['deallocate', 'close', 'discard'],
]);
/** Settings that are more than a value. */
const MORE_THAN_SETTINGS: ReadonlySet<string> = new Set(['role', 'authorization']);

/** Whether what a command of a session leaves behind can be read back: settings alone, and none of names that we do not know. */
export function leavesSettingsAlone(sql: string): boolean {
  const words: string[] = [];
  for (const { text, kind } of tokensOf(sql)) {
    // Behind the name of a setting are values.
    if (words.length === 6 || text === '=' || (kind === 'word' && text === 'to')) break;
    words.push(text);
  }
  const [first = ''] = words;
  if (!LEAVES_SETTINGS.has(first)) return first === '';
  if (first !== 'set' && first !== 'reset') return true;
  if (words.some((word) => MORE_THAN_SETTINGS.has(word))) return false;
  return !words.includes('.') || words.includes('penstock');
}
