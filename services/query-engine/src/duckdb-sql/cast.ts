/** Explicit casts: these may fail on a value, as the statement asked for the type. */
import { textToTemporal, toBoolean, toText } from './types/convert.ts';
import {
  BINARY,
  BOOLEAN,
  DOUBLE,
  JSON_TYPE,
  REAL,
  TEXT,
  asReal,
  duckdbType,
  isReal,
  temporal,
  type IntegerType,
  type SqlType,
  type Typed,
} from './types/sql-type.ts';

const whole = (sql: IntegerType['sql'], integerDigits: number): SqlType => ({
  kind: 'integer',
  sql,
  integerDigits,
});

/** By the canonical names that the binder gives (binder/types.ts); decimals apart. */
const TYPES: Readonly<Record<string, SqlType>> = Object.freeze({
  TINYINT: whole('TINYINT', 3),
  SMALLINT: whole('SMALLINT', 5),
  INTEGER: whole('INTEGER', 10),
  BIGINT: whole('BIGINT', 19),
  HUGEINT: whole('HUGEINT', 38),
  REAL,
  DOUBLE,
  VARCHAR: TEXT,
  BOOLEAN,
  DATE: temporal('DATE'),
  TIME: temporal('TIME'),
  TIMESTAMP: temporal('TIMESTAMP'),
  TIMESTAMPTZ: temporal('TIMESTAMPTZ'),
  INTERVAL: temporal('INTERVAL'),
  BLOB: BINARY,
  JSON: JSON_TYPE,
});

function typeNamed(name: string): SqlType {
  const decimal = /^DECIMAL\((\d+),(\d+)\)$/.exec(name);
  if (decimal !== null) {
    const [width, scale] = [Number(decimal[1]), Number(decimal[2])];
    return { kind: 'decimal', width, scale, integerDigits: width - scale };
  }
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  if (type === undefined) throw new Error(`the binder let the type ${name} through`);
  return type;
}

/** DECIMAL without digits, as PostgreSQL has it: exact numbers stay as they are, anything else gets ten digits after the point. */
const UNBOUNDED_DECIMAL: SqlType = Object.freeze({
  kind: 'decimal',
  width: 38,
  scale: 10,
  integerDigits: 28,
});

/** A constant text that has no exponent. */
const isPlainConstant = (sql: string): boolean => /^'[^'eE]*'$/.test(sql);

export function writeCast(operand: Typed, sqlType: string, tryCast: boolean): Typed {
  const unbounded = sqlType === 'DECIMAL';
  if (unbounded && (operand.type.kind === 'integer' || operand.type.kind === 'decimal')) return operand;
  const type = unbounded ? UNBOUNDED_DECIMAL : typeNamed(sqlType);
  const cast = tryCast ? 'TRY_CAST' : 'CAST';
  if (type.kind === 'text') return toText(operand);
  if (operand.type.kind === type.kind && type.kind === 'json') return operand;
  if (type.kind === 'json') {
    if (operand.type.kind === 'text')
      return { sql: `${tryCast ? 'ps_try_json' : 'ps_json'}(${operand.sql})`, type };
    return { sql: `CAST(to_json(${operand.sql}) AS VARCHAR)`, type };
  }
  if (type.kind === 'binary' && operand.type.kind !== 'binary')
    return { sql: `encode(${toText(operand).sql})`, type };
  if (type.kind === 'boolean' && operand.type.kind === 'mixed') return toBoolean(operand);
  const source = ['mixed', 'json', 'binary'].includes(operand.type.kind) ? toText(operand).sql : operand.sql;
  if (type.kind === 'temporal' && (operand.type.kind === 'text' || source !== operand.sql)) {
    return { sql: textToTemporal(source, type.sql, cast), type };
  }
  if (isReal(type)) return asReal(source, cast);
  const isText = operand.type.kind === 'text' || operand.type.kind === 'mixed';
  if (type.kind === 'decimal' && isText && !isPlainConstant(source))
    return { sql: `${cast}(ps_plain_number(${source}) AS ${duckdbType(type)})`, type };
  return { sql: `${cast}(${source} AS ${duckdbType(type)})`, type };
}
