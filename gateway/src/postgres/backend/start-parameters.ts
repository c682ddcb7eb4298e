/** What a client says when it starts, for its session's server. */

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
