/** Calls of scalar functions, with arguments converted to what each takes. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { argumentKind, type ScalarFunction, type ValueCategory } from '../../logical/functions/definition.ts';
import { commonType } from '../types/common-type.ts';
import { toBoolean, toNumber, toTemporal, toText } from '../types/convert.ts';
import {
  BINARY,
  BOOLEAN,
  DOUBLE,
  JSON_TYPE,
  TEXT,
  duckdbType,
  integer,
  temporal,
  type SqlType,
  type Typed,
} from '../types/sql-type.ts';
import type { TextBudget } from '../text-budget.ts';
import { documentOf } from '../json.ts';
import { checkArgumentKinds } from './argument-kinds.ts';
import { OWN_WRITERS } from './own-writers.ts';
import { at } from './writer.ts';

const RESULT: Readonly<Record<ValueCategory, SqlType>> = Object.freeze({
  number: DOUBLE,
  integer: { kind: 'integer', sql: 'BIGINT', integerDigits: 18 },
  hugeInteger: integer(38),
  text: TEXT,
  boolean: BOOLEAN,
  date: temporal('DATE'),
  time: temporal('TIME'),
  timestamp: temporal('TIMESTAMP'),
  interval: temporal('INTERVAL'),
  json: JSON_TYPE,
  binary: BINARY,
});

/** The argument as what the function takes there. */
function converted(definition: ScalarFunction, value: Typed, index: number): Typed {
  const kind = argumentKind(definition, index);
  switch (kind) {
    case 'any':
    case 'textOrList':
    case 'steps':
      return value;
    case 'text':
    case 'characters':
    case 'step':
      return toText(value);
    case 'document':
    case 'list':
      return documentOf(value);
    case 'condition':
      return toBoolean(value);
    case 'number':
      return toNumber(value);
    case 'instant':
      return instant(definition, value);
    case 'interval':
      return { sql: toTemporal(value, 'INTERVAL'), type: temporal('INTERVAL') };
    case 'double':
      return { sql: `CAST(${toNumber(value).sql} AS DOUBLE)`, type: DOUBLE };
    case 'whole':
    case 'short': {
      const number = toNumber(value);
      return { sql: `CAST(${number.sql} AS ${kind === 'whole' ? 'BIGINT' : 'INTEGER'})`, type: number.type };
    }
  }
}

/** A date or timestamp; or what else the function takes parts of. */
function instant({ name, alsoTakes }: ScalarFunction, value: Typed): Typed {
  const { type } = value;
  if (type.kind !== 'temporal') return { sql: toTemporal(value, 'TIMESTAMP'), type: temporal('TIMESTAMP') };
  const isOther = type.sql === 'TIME' || type.sql === 'INTERVAL';
  if (!isOther || alsoTakes.some((other) => other === type.sql)) return value;
  throw new PenstockError('TYPE_ERROR', `Type error: ${name} does not take ${type.sql}`);
}

function call(duckdb: string, values: readonly Typed[]): string {
  const all = values.map(({ sql }) => sql).join(', ');
  if (!/[$(]/.test(duckdb)) return `${duckdb}(${all})`;
  return duckdb.replace(/\$(\d|\*)/g, (_, which: string) =>
    which === '*' ? all : `(${at(values, Number(which) - 1).sql})`,
  );
}

/** A call of a listed function. */
export function writeFunctionCall(
  definition: ScalarFunction,
  values: readonly Typed[],
  budget: TextBudget,
): Typed {
  const { duckdb, result: rule } = definition;
  checkArgumentKinds(definition, values);
  if (typeof duckdb === 'object') return OWN_WRITERS[duckdb.own](values, budget);
  const taken = values.map((value, index) => converted(definition, value, index));
  const type =
    rule === 'common'
      ? commonType(taken.map((v) => v.type))
      : typeof rule === 'object'
        ? at(taken, rule.sameAs).type
        : RESULT[rule];
  const sql = call(duckdb, taken);
  if (type.kind === 'text' || type.kind === 'boolean') return { sql, type };
  if (rule === 'hugeInteger') return { sql, type };
  return { sql: `CAST(${sql} AS ${duckdbType(type)})`, type };
}
