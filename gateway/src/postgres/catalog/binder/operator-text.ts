/** Operators under the one name that the catalog has for them. */
export const aliasless = (name: string): string => (name === '!=' ? '<>' : name);
