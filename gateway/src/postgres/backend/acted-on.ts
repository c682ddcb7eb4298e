/** Settings of a session that the endpoint itself acts on, as the session's server has them. */
import { PgError } from '../errors/pg-error.ts';
import { tokensOf } from '../statements/lexer.ts';
import { STATEMENT_TIMEOUT_MS_MAX } from '../limits.ts';
import { numericModifier, readDigits } from '../types/numeric-modifier.ts';

export interface ActedOn {
  /** As it is set: to be looked up by PostgreSQL. */
  readonly searchPathText: string;
  /** Schemas by which tables without one are found; none where nothing was set. */
  readonly searchPath: readonly string[];
  /** Milliseconds; null: none. */
  readonly statementTimeoutMs: number | null;
  /** Read units that each statement may consume; null: no bound of the session's. */
  readonly maxReadUnits: number | null;
  /** Whether a statement fails whose star reads attributes that were not announced. */
  readonly refusesLate: boolean;
  /** The type modifier of numbers that have none of their own: how many digits are announced; -1: as many as they have. */
  readonly numericModifier: number;
  /** Whether notices of a level go out. */
  readonly shows: Readonly<Record<'log' | 'warning', boolean>>;
  /** Milliseconds after which the server ends a session that says nothing; null: it may stay. */
  readonly idleMs: number | null;
  /** The zone that times with a zone are shown in, and computed by. */
  readonly timeZone: string;
}

/**
 * Settings of our own: the read units that a statement may consume, what becomes of attributes that were met late, and the
 * digits of numbers.
 */
export const OWN_SETTINGS = Object.freeze({
  maxReadUnits: 'penstock.max_read_units',
  lateAttributes: 'penstock.late_attributes',
  numeric: 'penstock.numeric',
});

const milliseconds = (name: string): string =>
  `(extract(epoch FROM current_setting('${name}')::interval) * 1000)::bigint`;

/** One row: what `actedOn` reads. Durations come as numbers, since PostgreSQL knows their units. */
export const READ_SETTINGS = `SELECT ${[
  `current_setting('search_path')`,
  milliseconds('statement_timeout'),
  milliseconds('idle_session_timeout'),
  milliseconds('idle_in_transaction_session_timeout'),
  `current_setting('client_min_messages')`,
  `current_setting('${OWN_SETTINGS.maxReadUnits}')`,
  `current_setting('${OWN_SETTINGS.lateAttributes}')`,
  `current_setting('${OWN_SETTINGS.numeric}')`,
  `current_setting('TimeZone')`,
].join(', ')}`;

const DEFAULT_PATH = '"$user", public';
const NO_SCHEMAS: ReadonlySet<string> = new Set(['$user', 'pg_catalog', 'information_schema', 'pg_temp']);

/** Where messages of a level begin to go out: PostgreSQL's order for clients. */
const MESSAGE_LEVELS = Object.freeze([
  ...['debug5', 'debug4', 'debug3', 'debug2', 'debug1', 'log', 'notice', 'warning', 'error'],
]);

/** Names of a list as PostgreSQL reads them: unquoted ones in small letters. */
function namesOf(list: string): readonly string[] {
  const names: string[] = [];
  let name = '';
  for (const { kind, text } of tokensOf(list)) {
    if (text === ',' && kind === 'symbol') {
      if (name !== '') names.push(name);
      name = '';
    } else name += text;
  }
  return name === '' ? names : [...names, name];
}

const invalid = (name: string, value: string, hint: string): PgError =>
  new PgError({
    code: '22023',
    message: `invalid value for parameter "${name}": "${value.slice(0, 100)}"`,
    hint,
  });

/** @throws PgError */
function readUnits(value: string): number | null {
  const units = value.trim();
  if (units === '-1') return null;
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(units)) return Number(units);
  throw invalid(
    OWN_SETTINGS.maxReadUnits,
    value,
    'Read units that each statement may consume; -1: no bound.',
  );
}

/** @throws PgError */
function late(value: string): boolean {
  const found = value.trim().toLowerCase();
  if (found === 'error' || found === 'warning') return found === 'error';
  throw invalid(OWN_SETTINGS.lateAttributes, value, 'Available values: warning, error.');
}

/** @throws PgError */
function digits(value: string): number {
  if (value.trim() === '') return -1;
  const found = readDigits(value);
  if (found !== null) return numericModifier(found.precision, found.scale);
  throw invalid(
    OWN_SETTINGS.numeric,
    value,
    'Digits of numbers, and of them those behind the point, for example 38,9; empty: as many as they have.',
  );
}

const some = (text: string | undefined): number | null => {
  const value = Number(text ?? '0');
  return value > 0 ? value : null;
};

/** Settings from the row that `READ_SETTINGS` gives. @throws PgError 22023 where one of our own has no such value */
export function actedOn(row: readonly (string | null)[]): ActedOn {
  const [path, timeout, idle, idleInTransaction, level, units, lateAttributes, numeric, timeZone] = row.map(
    (cell) => cell ?? '',
  );
  const timeoutMs = some(timeout);
  const from = MESSAGE_LEVELS.indexOf(level ?? 'notice');
  const idles = [some(idle), some(idleInTransaction)].filter((one) => one !== null);
  return {
    searchPathText: path ?? DEFAULT_PATH,
    searchPath: path === DEFAULT_PATH ? [] : namesOf(path ?? '').filter((name) => !NO_SCHEMAS.has(name)),
    statementTimeoutMs: timeoutMs === null ? null : Math.min(timeoutMs, STATEMENT_TIMEOUT_MS_MAX),
    maxReadUnits: readUnits(units ?? '-1'),
    refusesLate: late(lateAttributes ?? 'warning'),
    numericModifier: digits(numeric ?? ''),
    shows: {
      log: from <= MESSAGE_LEVELS.indexOf('log'),
      warning: from <= MESSAGE_LEVELS.indexOf('warning'),
    },
    idleMs: idles.length === 0 ? null : Math.min(...idles),
    timeZone: timeZone ?? 'UTC',
  };
}

/** The settings of a session that has set nothing. */
export const UNSET: ActedOn = Object.freeze(
  actedOn([DEFAULT_PATH, '0', '0', '0', 'notice', '-1', 'warning', '', 'UTC']),
);
