/** Values that are written several times over. */
import type { Typed } from './types/sql-type.ts';

/** Those that are as long are written once. */
const REPEATED_MAX = 60;

/** `made` of the value, which has that name where it is long. Names within each other have to differ. */
export function named(value: Typed, name: string, made: (value: Typed) => string): string {
  if (value.sql.length <= REPEATED_MAX) return made(value);
  return `list_transform([${value.sql}], lambda ${name}: ${made({ sql: name, type: value.type })})[1]`;
}
