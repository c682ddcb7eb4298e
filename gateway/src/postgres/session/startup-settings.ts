/** Settings that a client gives when it starts: as parameters of their own, and within its options. */
import { PgError } from '../errors/pg-error.ts';
import type { Settings } from './settings.ts';

/** Parameters of the start that are no settings. */
const NO_SETTINGS: ReadonlySet<string> = new Set(['user', 'database', 'options', 'replication']);

/** Words of the start's options: a backslash keeps what follows it. */
function words(options: string): readonly string[] {
  const found: string[] = [];
  let word = '';
  for (let at = 0; at < options.length; at++) {
    const char = options[at] ?? '';
    if (char === '\\') word += options[++at] ?? '';
    else if (char.trim() !== '') word += char;
    else if (word !== '') {
      found.push(word);
      word = '';
    }
  }
  return word === '' ? found : [...found, word];
}

/** `-c name=value`, `-cname=value` and `--name=value` of the start's options. */
function settingsOfOptions(options: string): readonly (readonly [string, string])[] {
  const all = words(options);
  return all.flatMap((word, i) => {
    const text = word.startsWith('--')
      ? word.slice(2)
      : all[i - 1] === '-c'
        ? word
        : word.startsWith('-c')
          ? word.slice(2)
          : '';
    const at = text.indexOf('=');
    return at < 1
      ? []
      : [[text.slice(0, at).replaceAll('-', '_').toLowerCase(), text.slice(at + 1)] as const];
  });
}

/** Clients send settings of servers that we are not; those that we have must be right. @throws PgError FATAL */
export function applyStartup(settings: Settings, startup: ReadonlyMap<string, string>): void {
  const given = [...settingsOfOptions(startup.get('options') ?? ''), ...startup];
  for (const [name, value] of given) {
    if (NO_SETTINGS.has(name) || name.startsWith('_pq_.')) continue;
    try {
      settings.set(name.toLowerCase(), value);
    } catch (error) {
      if (error instanceof PgError && error.fields.code === '42704') continue;
      throw error instanceof PgError ? new PgError({ ...error.fields, severity: 'FATAL' }) : error;
    }
  }
}
