/** Explicit casts: these may fail on a value, as the statement asked for the type. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { toBoolean, toText } from '../types/convert.ts';
import {
  BINARY,
  BOOLEAN,
  DOUBLE,
  JSON_TYPE,
  TEXT,
  duckdbType,
  temporal,
  type IntegerType,
  type SqlType,
  type Typed,
} from '../types/sql-type.ts';

const whole = (sql: IntegerType['sql'], magnitude: number): SqlType => ({ kind: 'integer', sql, magnitude });

const TYPES: Readonly<Record<string, SqlType>> = Object.freeze({
  TINYINT: whole('TINYINT', 3),
  SMALLINT: whole('SMALLINT', 5),
  INT: whole('INTEGER', 10),
  INTEGER: whole('INTEGER', 10),
  BIGINT: whole('BIGINT', 19),
  HUGEINT: whole('HUGEINT', 38),
  FLOAT: DOUBLE,
  REAL: DOUBLE,
  DOUBLE,
  'DOUBLE PRECISION': DOUBLE,
  BOOLEAN,
  BOOL: BOOLEAN,
  VARCHAR: TEXT,
  CHAR: TEXT,
  TEXT,
  STRING: TEXT,
  BLOB: BINARY,
  BYTEA: BINARY,
  VARBINARY: BINARY,
  JSON: JSON_TYPE,
  DATE: temporal('DATE'),
  TIME: temporal('TIME'),
  TIMESTAMP: temporal('TIMESTAMP'),
  DATETIME: temporal('TIMESTAMP'),
  TIMESTAMPTZ: temporal('TIMESTAMPTZ'),
  'TIMESTAMP WITH TIME ZONE': temporal('TIMESTAMPTZ'),
  INTERVAL: temporal('INTERVAL'),
});

/** A type by its SQL name. Throws TYPE_ERROR for one that is not known. */
export function typeNamed(name: string): SqlType {
  const match = /^([A-Z ]+?) ?(?:\( ?(\d+) ?(?:, ?(\d+) ?)?\))?$/.exec(name);
  const base = match?.[1] ?? name;
  if (base === 'DECIMAL' || base === 'NUMERIC' || base === 'DEC') {
    const width = Number(match?.[2] ?? 18);
    const scale = match?.[2] === undefined ? 3 : Number(match[3] ?? 0);
    if (width >= 1 && width <= 38 && scale <= width)
      return { kind: 'decimal', width, scale, magnitude: width - scale };
    throw new PenstockError(
      'TYPE_ERROR',
      `Type error: ${name} has more than 38 digits, or a scale above its width`,
    );
  }
  const type = Object.hasOwn(TYPES, base) ? TYPES[base] : undefined;
  if (type === undefined) throw new PenstockError('TYPE_ERROR', `Type error: there is no type ${name}`);
  return type;
}

export function writeCast(operand: Typed, sqlType: string, tryCast: boolean): Typed {
  const type = typeNamed(sqlType);
  const cast = tryCast ? 'TRY_CAST' : 'CAST';
  if (type.kind === 'text') return toText(operand);
  if (operand.type.kind === type.kind && type.kind === 'json') return operand;
  if (type.kind === 'json') {
    const json = operand.type.kind === 'text' ? `${cast}(${operand.sql} AS JSON)` : `to_json(${operand.sql})`;
    return { sql: `CAST(${json} AS VARCHAR)`, type };
  }
  if (type.kind === 'binary' && operand.type.kind !== 'binary')
    return { sql: `encode(${toText(operand).sql})`, type };
  if (type.kind === 'boolean' && operand.type.kind === 'mixed') return toBoolean(operand);
  const source = ['mixed', 'json', 'binary'].includes(operand.type.kind) ? toText(operand).sql : operand.sql;
  if (type.kind === 'temporal' && type.sql === 'DATE' && tryCast === false && source !== operand.sql) {
    return { sql: `CAST(${source} AS DATE)`, type };
  }
  return { sql: `${cast}(${source} AS ${duckdbType(type)})`, type };
}
