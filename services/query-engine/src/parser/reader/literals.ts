import type { AstExpression } from '../ast.ts';
import { next, tokenAt, upperAt, type Cursor } from './cursor.ts';
import { unsupported } from './refusals.ts';

const INTERVAL_UNIT =
  /^(?:(?:MICROSECOND|MILLISECOND|SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR|DECADE)S?|CENTURY|CENTURIES|MILLENNIUM|MILLENNIA)$/;

/** Reads the literal or parameter that is next, if one is. */
export function readLiteral(cursor: Cursor): AstExpression | undefined {
  const { type, value, position: pos } = next(cursor);
  switch (type) {
    case 'string':
      cursor.at++;
      return { kind: 'StringLiteral', value, pos };
    case 'number':
      cursor.at++;
      return { kind: 'NumberLiteral', text: value, pos };
    case 'binary':
      cursor.at++;
      return { kind: 'BinaryLiteral', hex: value, pos };
    case 'parameter':
      return readParameter(cursor);
    case 'word':
      return readWord(cursor);
    default:
      return undefined;
  }
}

function readWord(cursor: Cursor): AstExpression | undefined {
  const { upper, position: pos } = next(cursor);
  switch (upper) {
    case 'TRUE':
    case 'FALSE':
      cursor.at++;
      return { kind: 'BooleanLiteral', value: upper === 'TRUE', pos };
    case 'NULL':
      cursor.at++;
      return { kind: 'NullLiteral', pos };
    case 'DATE':
    case 'TIME':
    case 'TIMESTAMP':
    case 'TIMESTAMPTZ': {
      const zone = upper === 'TIMESTAMP' ? zoneAt(cursor, cursor.at + 1) : null;
      const at = cursor.at + (zone === null ? 1 : ZONE_WORDS);
      const { type, value } = tokenAt(cursor, at);
      if (type !== 'string') return undefined;
      cursor.at = at + 1;
      return { kind: 'TypedLiteral', type: zone === 'WITH' ? 'TIMESTAMPTZ' : upper, value, pos };
    }
    case 'INTERVAL':
      return readInterval(cursor);
    default:
      return undefined;
  }
}

/** TIMESTAMP and the words behind it. */
const ZONE_WORDS = 4;

/** The first of the words WITH TIME ZONE or WITHOUT TIME ZONE; null where others stand there. */
function zoneAt(cursor: Cursor, at: number): 'WITH' | 'WITHOUT' | null {
  const word = upperAt(cursor, at);
  if (word !== 'WITH' && word !== 'WITHOUT') return null;
  return upperAt(cursor, at + 1) === 'TIME' && upperAt(cursor, at + 2) === 'ZONE' ? word : null;
}

function readInterval(cursor: Cursor): AstExpression | undefined {
  const { at } = cursor;
  const { position: pos } = next(cursor);
  const { type, value, upper } = tokenAt(cursor, at + 1);
  if (upper === '(') {
    const advice = "write a literal such as INTERVAL '3' DAY";
    throw unsupported(cursor, at, 'INTERVAL of an expression', advice);
  }
  if (type !== 'string' && type !== 'number') return undefined;
  const unit = upperAt(cursor, at + 2);
  if (INTERVAL_UNIT.test(unit)) {
    if (upperAt(cursor, at + 3) === 'TO') throw unsupported(cursor, at, 'INTERVAL … TO …');
    cursor.at += 3;
    return { kind: 'IntervalLiteral', value, unit, pos };
  }
  if (type === 'number')
    throw unsupported(cursor, at, 'INTERVAL without a unit', 'write for example INTERVAL 3 DAY');
  cursor.at += 2;
  return { kind: 'IntervalLiteral', value, unit: null, pos };
}

function readParameter(cursor: Cursor): AstExpression {
  const { value, position: pos } = next(cursor);
  const style = value === '?' ? 'place' : /^\d/.test(value) ? 'number' : 'name';
  cursor.parameterStyle ??= style;
  if (cursor.parameterStyle !== style) {
    const advice = 'use one of ?, $1 and :name throughout';
    throw unsupported(cursor, cursor.at, 'parameters of several kinds', advice);
  }
  cursor.at++;
  if (style === 'name') return { kind: 'Parameter', name: value, index: null, pos };
  // The text is read from left to right, so that those written `?` come in their order.
  const index = style === 'number' ? Number(value) - 1 : cursor.counts.parameters++;
  return { kind: 'Parameter', name: null, index, pos };
}
