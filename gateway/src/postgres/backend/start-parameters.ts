/** What a client says when it starts, for its session's server. */
import { readDigits, type NumericDigits } from '../types/numeric-modifier.ts';
import { OWN_SETTINGS } from './acted-on.ts';

/** What is the endpoint's own: the server gets others, or none. */
const OWN: ReadonlySet<string> = new Set(['user', 'database', 'replication']);

/** Settings and options, as the client spelled them. */
export const settingsOf = (startup: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...startup].filter(([name]) => !OWN.has(name) && !name.startsWith('_pq_.')));

/**
 * What a client is told of its settings where no server has to be asked: null where one has, since only a server knows
 * whether a value is one, and how it is shown.
 */
export function plainlyTold(
  settings: ReadonlyMap<string, string>,
  defaults: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> | null {
  const told = new Map(defaults);
  for (const [name, value] of settings) {
    if (name === 'application_name' && /^[ -~]{0,63}$/.test(value)) told.set(name, value);
    else if (name === 'client_encoding' && /^utf-?8$/i.test(value)) told.set(name, 'UTF8');
    else return null;
  }
  return told;
}

/** Settings in `options`, which are those of the program `postgres`: `-c name=value`, `--name=value`, a backslash before a space. */
function optionsOf(text: string): ReadonlyMap<string, string> {
  const words = (text.match(/(?:\\[\s\S]|[^\\\s])+/g) ?? []).map((word) =>
    word.replaceAll(/\\([\s\S])/g, '$1'),
  );
  const settings = words.flatMap((word, i) => {
    if (words[i - 1] === '-c') return [word];
    const [, given] = /^(?:-c|--)(.+)$/s.exec(word) ?? [];
    return given === undefined ? [] : [given];
  });
  return new Map(
    settings.flatMap((setting) => {
      const at = setting.indexOf('=');
      return at < 1 ? [] : [[setting.slice(0, at).toLowerCase(), setting.slice(at + 1)] as const];
    }),
  );
}

/**
 * Digits of numbers that a session's tables have from its start on, for clients that ask the catalogs for them; null: as many as
 * they have, and where what is said is none, which the session is told when it reads its settings.
 */
export function digitsAtStart(startup: ReadonlyMap<string, string>): NumericDigits | null {
  const { numeric } = OWN_SETTINGS;
  return readDigits(startup.get(numeric) ?? optionsOf(startup.get('options') ?? '').get(numeric) ?? '');
}
