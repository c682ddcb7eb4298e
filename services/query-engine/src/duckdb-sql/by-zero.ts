/** Divisions that fail where they divide by zero, as PostgreSQL's do, and no earlier: only of rows that are computed at all. */
import { named } from './named.ts';
import { toNumber } from './types/convert.ts';
import type { Typed } from './types/sql-type.ts';

/** A number as `numberLiteral` writes it. */
const CONSTANT = /^\(?'?(-?[0-9.]+)'?\)?::[A-Z0-9(),]+$/;
const DIVISION_BY_ZERO = "error('division by zero')";

/** What `divide` makes of both; it fails where the divisor is zero, unless the dividend is NULL. */
export function refusingZero(left: Typed, right: Typed, divide: (left: Typed, right: Typed) => Typed): Typed {
  if (/[1-9]/.test(CONSTANT.exec(right.sql)?.[1] ?? '')) return divide(left, right);
  const { type } = divide(left, right);
  const sql = named(left, 'dividend', (a) =>
    named(
      right,
      'divisor',
      (b) =>
        `(CASE WHEN ${toNumber(b).sql} = 0 THEN CASE WHEN ${a.sql} IS NOT NULL THEN ${DIVISION_BY_ZERO} END ` +
        `ELSE ${divide(a, b).sql} END)`,
    ),
  );
  return { sql, type };
}
