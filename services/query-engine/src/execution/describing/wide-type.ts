/** Types that hold whatever is read: what is told of a statement's columns before the first value is there. */
import type { WideType } from '../../catalog/description.ts';
import type { SqlType } from '../../duckdb-sql/types/sql-type.ts';

const INTEGERS = Object.freeze({
  TINYINT: 'int2',
  SMALLINT: 'int2',
  INTEGER: 'int4',
  BIGINT: 'int8',
  HUGEINT: 'numeric',
} as const);

const isNumber = ({ kind }: SqlType): boolean =>
  kind === 'integer' || kind === 'decimal' || kind === 'double';

/**
 * What holds the values of an expression whichever numbers its attributes have. `narrow` is its type where these are whole,
 * `fractional` where they have fractions: what differs depends on the values.
 */
export function wideType(narrow: SqlType, fractional: SqlType): WideType {
  if (isNumber(narrow) && isNumber(fractional)) {
    if (narrow.kind === 'integer' && fractional.kind === 'integer' && narrow.sql === fractional.sql)
      return INTEGERS[narrow.sql];
    if (narrow.kind === 'double' && fractional.kind === 'double')
      return narrow.real === true && fractional.real === true ? 'float4' : 'float8';
    return 'numeric';
  }
  if (narrow.kind !== fractional.kind) return 'text';
  switch (narrow.kind) {
    case 'boolean':
      return 'boolean';
    case 'binary':
      return 'binary';
    case 'json':
    case 'row':
      return 'json';
    case 'temporal':
      return narrow.sql.toLowerCase() as Lowercase<typeof narrow.sql>;
    case 'mixed':
      return narrow.onlyNumbers ? 'numeric' : 'text';
    default:
      return 'text';
  }
}
