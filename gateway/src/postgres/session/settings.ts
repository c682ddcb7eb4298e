/** A session's settings: what SET, SHOW and RESET speak of, and what of it is told to the client. */
import { tokensOf } from '../statements/lexer.ts';
import { PgError } from '../errors/pg-error.ts';
import { SETTING_CHARS_MAX, STATEMENT_TIMEOUT_MS_MAX } from '../limits.ts';

/** As clients may read it: PostgreSQL 15, whose catalogs we show. */
export const SERVER_VERSION = '15.18';

/** What a session lets each of its statements read. */
const READ_UNITS_SETTING = 'penstock.max_read_units';

/** What becomes of attributes that a star reads and that were not announced as columns. */
const LATE_SETTING = 'penstock.late_attributes';

interface Setting {
  readonly value: string;
  /** As it is spelled to clients. */
  readonly shownAs?: string;
  /** The client is told of it, and of each change. */
  readonly isReported?: true;
  readonly isFixed?: true;
  /** The value as it is kept. @throws PgError */
  readonly check?: (value: string, name: string) => string;
}

const invalid = (name: string, value: string, hint?: string): PgError =>
  new PgError({
    code: '22023',
    message: `invalid value for parameter "${name}": "${value.slice(0, 100)}"`,
    ...(hint === undefined ? {} : { hint }),
  });

const oneOf =
  (...values: readonly string[]) =>
  (value: string, name: string): string => {
    const found = value.toLowerCase();
    if (values.includes(found)) return found;
    throw invalid(name, value, `Available values: ${values.join(', ')}.`);
  };

const UNITS: Readonly<Record<string, number>> = Object.freeze({
  '': 1, ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000,
}); // prettier-ignore

/** Milliseconds of `1500`, `1500ms`, `2s`, `1min`. */
export function milliseconds(value: string, name = 'statement_timeout'): number {
  const parts = /^(\d{1,12}) ?(ms|s|min|h|d|)$/.exec(value.trim());
  if (parts === null) throw invalid(name, value, 'Valid units are "ms", "s", "min", "h" and "d".');
  return Number(parts[1]) * (UNITS[parts[2] ?? ''] ?? 1);
}

const duration = (value: string, name: string): string => {
  const ms = milliseconds(value, name);
  if (ms === 0) return '0';
  return ms % 60_000 === 0 ? `${ms / 60_000}min` : ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
};

const encoding = (value: string, name: string): string => {
  if (/^(utf-?8|unicode)$/i.test(value.trim())) return 'UTF8';
  // Bytes as they are, as psqlODBC asks for where its program has no locale: those of UTF8 here.
  if (/^sql_ascii$/i.test(value.trim())) return 'SQL_ASCII';
  throw invalid(name, value, 'Texts are UTF8 only.');
};

const dateStyle = (value: string, name: string): string => {
  if (/^iso\b|^default$|^(mdy|dmy|ymd)$/i.test(value.trim())) return 'ISO, MDY';
  throw invalid(name, value, 'Dates are shown as ISO only.');
};

const boolean = (value: string, name: string): string => {
  const found = value.toLowerCase();
  if (['on', 'true', 'yes', '1'].includes(found)) return 'on';
  if (['off', 'false', 'no', '0'].includes(found)) return 'off';
  throw new PgError({ code: '22023', message: `parameter "${name}" requires a Boolean value` });
};

const readOnly = (value: string, name: string): string => {
  if (boolean(value, name) === 'on') return 'on';
  throw new PgError({
    code: '25006',
    message: 'cannot set transaction read-write mode: this endpoint only reads',
    hint: 'write to DynamoDB with the AWS SDK',
  });
};

const readUnits = (value: string, name: string): string => {
  const units = value.trim();
  if (units === '-1' || /^\d{1,9}(?:\.\d{1,3})?$/.test(units)) return units;
  throw invalid(name, value, 'Read units that each statement may consume; -1: no bound.');
};

const MESSAGE_LEVELS = Object.freeze([
  ...['debug5', 'debug4', 'debug3', 'debug2', 'debug1', 'debug', 'log', 'notice', 'info', 'warning', 'error'],
]);

const SETTINGS: ReadonlyMap<string, Setting> = new Map<string, Setting>(
  Object.entries<Setting>({
    application_name: { value: '', isReported: true },
    bytea_output: { value: 'hex', check: oneOf('hex') },
    client_encoding: { value: 'UTF8', isReported: true, check: encoding },
    client_min_messages: { value: 'notice', check: oneOf(...MESSAGE_LEVELS) },
    datestyle: { value: 'ISO, MDY', shownAs: 'DateStyle', isReported: true, check: dateStyle },
    default_transaction_isolation: { value: 'read committed' },
    default_transaction_read_only: { value: 'on', isReported: true, check: readOnly },
    extra_float_digits: { value: '1' },
    idle_in_transaction_session_timeout: { value: '0', check: duration },
    idle_session_timeout: { value: '0', check: duration },
    in_hot_standby: { value: 'off', isReported: true, isFixed: true },
    integer_datetimes: { value: 'on', isReported: true, isFixed: true },
    intervalstyle: {
      value: 'postgres',
      shownAs: 'IntervalStyle',
      isReported: true,
      check: oneOf('postgres'),
    },
    is_superuser: { value: 'off', isReported: true, isFixed: true },
    lc_collate: { value: 'C', isFixed: true },
    lc_ctype: { value: 'C.UTF-8', isFixed: true },
    lc_messages: { value: 'C' },
    lc_monetary: { value: 'C' },
    lock_timeout: { value: '0', check: duration },
    max_identifier_length: { value: '255', isFixed: true },
    max_index_keys: { value: '32', isFixed: true },
    [LATE_SETTING]: { value: 'warning', check: oneOf('warning', 'error') },
    [READ_UNITS_SETTING]: { value: '-1', check: readUnits },
    search_path: { value: '"$user", public' },
    server_encoding: { value: 'UTF8', isReported: true, isFixed: true },
    server_version: { value: SERVER_VERSION, isReported: true, isFixed: true },
    server_version_num: { value: '150018', isFixed: true },
    session_authorization: { value: '', isReported: true, isFixed: true },
    standard_conforming_strings: { value: 'on', isReported: true, check: oneOf('on') },
    statement_timeout: { value: '0', check: duration },
    timezone: { value: 'UTC', shownAs: 'TimeZone', isReported: true },
    transaction_isolation: { value: 'read committed' },
    transaction_read_only: { value: 'on', check: readOnly },
  }),
);

/** Settings of PostgreSQL that change nothing here, and that tools set all the same. */
const TAKEN =
  /^(enable_|jit|row_security$|synchronize_seqscans$|work_mem$|xmloption$|check_function_bodies$|default_tablespace$|escape_string_warning$|random_page_cost$|max_parallel|geqo|cursor_tuple_fraction$|tcp_|quote_all_identifiers$|default_table_access_method$|backslash_quote$|ssl_renegotiation_limit$|client_connection_check_interval$|from_collapse_limit$|join_collapse_limit$|plan_cache_mode$|transform_null_equals$)/;

const unknown = (name: string): PgError =>
  new PgError({ code: '42704', message: `unrecognized configuration parameter "${name.slice(0, 100)}"` });

export interface Settings {
  /** By its name in small letters; undefined where there is none. */
  get(name: string): string | undefined;
  /** All that there are, by name. */
  all(): readonly (readonly [name: string, value: string])[];
  /** Null: the session's own first value. @throws PgError */
  set(name: string, value: string | null): void;
  reset(name: string | null): void;
  /** What to go back to. */
  snapshot(): ReadonlyMap<string, string>;
  restore(snapshot: ReadonlyMap<string, string>): void;
  /** Reported ones that changed since it was asked last, as they are spelled. */
  changes(): readonly (readonly [name: string, value: string])[];
  /** Schemas by which tables without one are found; none where nothing was set. */
  searchPath(): readonly string[];
  /** Milliseconds; null: none. */
  statementTimeoutMs(): number | null;
  /** Read units that each statement may consume; null: no bound of the session's. */
  maxReadUnits(): number | null;
  /** Whether a statement fails whose star reads attributes that were not announced. */
  refusesLate(): boolean;
  /** Whether a notice of a level goes out. */
  shows(level: 'log' | 'warning'): boolean;
}

/** Names of a list as PostgreSQL reads them: unquoted ones in small letters. */
export function namesOf(list: string): readonly string[] {
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

const NO_SCHEMAS: ReadonlySet<string> = new Set(['$user', 'pg_catalog', 'information_schema', 'pg_temp']);

export function createSettings(user: string): Settings {
  const first = new Map([...SETTINGS].map(([name, { value }]) => [name, value]));
  first.set('session_authorization', user);
  // Never changed but replaced: who keeps a snapshot shares it.
  let values: ReadonlyMap<string, string> = first;
  const told = new Map<string, string>();

  const checked = (name: string, value: string): string => {
    const setting = SETTINGS.get(name);
    if (setting === undefined && !name.includes('.') && !TAKEN.test(name)) throw unknown(name);
    if (setting?.isFixed === true)
      throw new PgError({ code: '55P02', message: `parameter "${name}" cannot be changed` });
    if (value.length > SETTING_CHARS_MAX)
      throw invalid(name, value, `at most ${SETTING_CHARS_MAX} characters`);
    // PostgreSQL's own settings that change nothing here and those of extensions are kept as they are given.
    if (setting === undefined && values.size >= 2 * SETTINGS.size && !values.has(name))
      throw new PgError({ code: '53400', message: 'too many settings' });
    return setting?.check?.(value, name) ?? value;
  };
  const restore = (to: ReadonlyMap<string, string>): void => void (values = to);
  const put = (name: string, value: string | undefined): void => {
    const changed = new Map(values);
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
    values = changed;
  };
  return {
    get: (name) => values.get(name),
    all: () =>
      [...values]
        .map(([name, value]) => [SETTINGS.get(name)?.shownAs ?? name, value] as const)
        .sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
    set(name, value) {
      if (value === null) this.reset(name);
      else put(name, checked(name, value));
    },
    reset(name) {
      if (name === null) return restore(first);
      if (!values.has(name) && SETTINGS.get(name) === undefined && !TAKEN.test(name)) throw unknown(name);
      put(name, first.get(name));
    },
    snapshot: () => values,
    restore,
    changes() {
      const changed: (readonly [string, string])[] = [];
      for (const [name, { isReported, shownAs = name }] of SETTINGS) {
        const value = values.get(name) ?? '';
        if (isReported !== true || told.get(name) === value) continue;
        told.set(name, value);
        changed.push([shownAs, value]);
      }
      return changed;
    },
    searchPath() {
      const path = values.get('search_path') ?? '';
      if (path === SETTINGS.get('search_path')?.value) return [];
      return namesOf(path).filter((name) => !NO_SCHEMAS.has(name));
    },
    statementTimeoutMs() {
      const ms = milliseconds(values.get('statement_timeout') ?? '0');
      return ms === 0 ? null : Math.min(ms, STATEMENT_TIMEOUT_MS_MAX);
    },
    maxReadUnits() {
      const units = Number(values.get(READ_UNITS_SETTING) ?? '-1');
      return units < 0 ? null : units;
    },
    refusesLate: () => values.get(LATE_SETTING) === 'error',
    shows(level) {
      const at = MESSAGE_LEVELS.indexOf(values.get('client_min_messages') ?? 'notice');
      return at <= MESSAGE_LEVELS.indexOf(level);
    },
  };
}
