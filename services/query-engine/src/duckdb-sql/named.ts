/** Values that are written once, however often they stand in what is made of them. */
import type { Typed } from './types/sql-type.ts';

/** `made`, in which the value has that name. Names within each other have to differ. */
export const given = (name: string, value: string, made: string): string =>
  `list_transform([${value}], lambda ${name}: ${made})[1]`;

/** Values whose expression is no longer are repeated instead. */
const REPEATED_MAX = 60;

/** `made` of the value, which has that name where it is long. */
export function named(value: Typed, name: string, made: (value: Typed) => string): string {
  if (value.sql.length <= REPEATED_MAX) return made(value);
  return given(name, value.sql, made({ sql: name, type: value.type }));
}
