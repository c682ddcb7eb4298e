/** Wrong client secrets of one address, over all processes that take any. */
export const WRONG_SECRETS = Object.freeze({ name: 'secrets', tries: 300, windowS: 900 });

/** What one process still looks up each second for an address that has had its tries … */
export const LOOKUPS_PER_S = 10;
/** … and for each of so many that were right from their address before. */
export const KNOWN_MAX = 10_000;
