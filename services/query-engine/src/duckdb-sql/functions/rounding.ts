/** CEIL, FLOOR, ROUND and TRUNC: exact where the number is. */
import { writeArithmetic } from '../arithmetic.ts';
import { numberLiteral } from '../literal.ts';
import { toNumber } from '../types/convert.ts';
import { DOUBLE, duckdbType, integer, type SqlType, type Typed } from '../types/sql-type.ts';
import { at, type Writer } from './writer.ts';

/** A rounding function: of whole numbers nothing to do; of decimals exact. */
export function rounding(name: string): Writer {
  return (values) => {
    const number = toNumber(at(values, 0));
    const places = values[1];
    if (number.type.kind === 'integer' && places === undefined) return number;
    if (places !== undefined) return roundTo(name, number, places);
    const sql = `${name}(${number.sql})`;
    if (number.type.kind === 'double') return { sql, type: DOUBLE };
    const type = integer(Math.min((number.type.kind === 'decimal' ? number.type.integerDigits : 18) + 1, 38));
    return { sql: `CAST(${sql} AS ${type.sql})`, type };
  };
}

function roundTo(name: string, number: Typed, places: Typed): Typed {
  const fixed = /^\(?(-?\d{1,2})\)?::BIGINT$/.exec(places.sql);
  if (number.type.kind === 'decimal' && fixed !== null && name === 'round') {
    const { width, integerDigits } = number.type;
    if (Number(fixed[1]) < 0) {
      const whole = integer(Math.min(integerDigits + 1, 38));
      // DuckDB gives 0 for what would round up to one digit more than its type has.
      const wide = `DECIMAL(${Math.min(width + 1, 38)},${number.type.scale})`;
      return { sql: `CAST(round(CAST(${number.sql} AS ${wide}), ${fixed[1]}) AS ${whole.sql})`, type: whole };
    }
    const scale = Math.min(Number(fixed[1]), number.type.scale);
    const type: SqlType = { kind: 'decimal', width: Math.min(Math.max(width, 1), 38), scale, integerDigits };
    return { sql: `CAST(round(${number.sql}, ${fixed[1]}) AS ${duckdbType(type)})`, type };
  }
  const exact = fixed === null || name !== 'trunc' ? null : truncated(number, Number(fixed[1]));
  if (exact !== null) return exact;
  const digits = `CAST(${toNumber(places).sql} AS INTEGER)`;
  if (number.type.kind === 'integer' && name === 'round') {
    return { sql: `CAST(round(${number.sql}, ${digits}) AS ${number.type.sql})`, type: number.type };
  }
  if (name === 'round') return { sql: `round(CAST(${number.sql} AS DOUBLE), ${digits})`, type: DOUBLE };
  const power = `power(10::DOUBLE, ${digits})`;
  return { sql: `(${name}(CAST(${number.sql} AS DOUBLE) * ${power}) / ${power})`, type: DOUBLE };
}

/** Without the digits beyond so many after the point, or before it where it is below 0; null for a double. */
function truncated(number: Typed, places: number): Typed | null {
  if (number.type.kind === 'integer' && places >= 0) return number;
  if (number.type.kind !== 'integer' && number.type.kind !== 'decimal') return null;
  if (number.type.kind === 'decimal' && places >= number.type.scale) return number;
  const step = numberLiteral(
    places < 0 ? { digits: 10n ** BigInt(-places), scale: 0 } : { digits: 1n, scale: places },
  );
  const { sql, type } = writeArithmetic('-', number, writeArithmetic('%', number, step));
  if (type.kind === 'double') return null;
  const { integerDigits } = number.type;
  const fit: SqlType =
    places <= 0
      ? integer(integerDigits)
      : { kind: 'decimal', width: Math.max(integerDigits + places, 1), scale: places, integerDigits };
  return { sql: `CAST(${sql} AS ${duckdbType(fit)})`, type: fit };
}
