/** Constants as SQL: exact, and with no character that could end them. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { LiteralValue } from '../logical/expression.ts';
import { textToTemporal } from './types/convert.ts';
import { integerDigitsOf, parseNumber, printNumber, type ExactNumber } from '../logical/exact-number.ts';
import {
  BINARY,
  BOOLEAN,
  DOUBLE,
  NULL_TYPE,
  TEXT,
  duckdbType,
  exactNumber,
  temporal,
  type Typed,
} from './types/sql-type.ts';

/** A text in quotes. NUL cannot stand in SQL text, so it is spelt as chr(0). */
export function quoteText(value: string): string {
  const quoted = (part: string): string => `'${part.replaceAll("'", "''")}'`;
  if (!value.includes('\0')) return quoted(value);
  return `(${value.split('\0').map(quoted).join(' || chr(0) || ')})`;
}

/** The text of a constant that `quoteText` wrote; null of anything else. */
export function constantText(sql: string): string | null {
  const quoted = /^'((?:[^']|'')*)'$/.exec(sql)?.[1];
  return quoted === undefined ? null : quoted.replaceAll("''", "'");
}

/** A number with the narrowest exact type that holds it; DOUBLE beyond 38 digits. */
export function numberLiteral(number: ExactNumber): Typed {
  const type = exactNumber(integerDigitsOf(number), number.scale);
  const text = printNumber(number);
  if (type.kind === 'integer')
    return { sql: text.startsWith('-') ? `(${text})::${type.sql}` : `${text}::${type.sql}`, type };
  return { sql: `'${text}'::${duckdbType(type)}`, type };
}

const INTERVAL_UNITS = new Set(
  'YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND MILLISECOND MICROSECOND DECADE CENTURY MILLENNIUM'.split(
    ' ',
  ),
);

const IRREGULAR: Readonly<Record<string, string>> = { CENTURIES: 'CENTURY', MILLENNIA: 'MILLENNIUM' };

function intervalText(value: string, unit: string | null): string {
  if (unit === null) return value;
  const upper = unit.toUpperCase();
  const singular = IRREGULAR[upper] ?? upper.replace(/(?<=..)S$/, '');
  if (!INTERVAL_UNITS.has(singular)) {
    throw new PenstockError('TYPE_ERROR', `Type error: ${unit} is not a unit of an interval`);
  }
  return `${value} ${singular.toLowerCase()}`;
}

export function writeLiteral(value: LiteralValue): Typed {
  switch (value.type) {
    case 'null':
      return { sql: 'NULL', type: NULL_TYPE };
    case 'boolean':
      return { sql: value.value ? 'TRUE' : 'FALSE', type: BOOLEAN };
    case 'text':
      return { sql: quoteText(value.value), type: TEXT };
    case 'binary':
      return { sql: `from_base64('${value.base64}')`, type: BINARY };
    case 'number': {
      const number = parseNumber(value.text);
      if (number !== null) return numberLiteral(number);
      if (Number.isFinite(Number(value.text)))
        return { sql: `'${Number(value.text)}'::DOUBLE`, type: DOUBLE };
      throw new PenstockError(
        'TYPE_ERROR',
        `Type error: the number ${value.text.slice(0, 40)} is out of range`,
      );
    }
    case 'temporal':
      return {
        sql: textToTemporal(quoteText(value.value), value.sqlType, 'CAST'),
        type: temporal(value.sqlType),
      };
    case 'interval':
      return {
        sql: `CAST(${quoteText(intervalText(value.value, value.unit))} AS INTERVAL)`,
        type: temporal('INTERVAL'),
      };
  }
}
