/** How long a session may say nothing: as it says itself, by PostgreSQL's settings. */
import { PgError } from '../errors/pg-error.ts';
import { milliseconds, type Settings } from './settings.ts';
import type { Transaction } from './transaction.ts';

export interface IdleLimit {
  readonly ms: number;
  /** What the session ends with. */
  readonly reason: PgError;
}

/** The longest that a timer can wait. */
const TIMER_MS_MAX = 2 ** 31 - 1;

const LIMITS = Object.freeze({
  transaction: {
    setting: 'idle_in_transaction_session_timeout',
    code: '25P03',
    message: 'terminating connection due to idle-in-transaction timeout',
  },
  session: {
    setting: 'idle_session_timeout',
    code: '57P05',
    message: 'terminating connection due to idle-session timeout',
  },
});

/** Null: none. */
export function idleLimit(settings: Settings, transaction: Transaction): IdleLimit | null {
  const { setting, code, message } = LIMITS[transaction.status === 'I' ? 'session' : 'transaction'];
  const value = settings.get(setting) ?? '0';
  if (value === '0') return null;
  const reason = new PgError({ code, message, severity: 'FATAL', hint: `SET ${setting} to more, or to 0` });
  return { ms: Math.min(milliseconds(value, setting), TIMER_MS_MAX), reason };
}
