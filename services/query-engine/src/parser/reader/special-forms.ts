import type { AstExpression } from '../ast.ts';
import { BINDING } from '../precedence.ts';
import { next, nextUpper, take, upperAt, type Cursor } from './cursor.ts';
import { plainCall } from './function-calls.ts';
import { readExpression, readExpressionList, readQueryInParentheses } from './lists.ts';
import { holdsQuery } from './lookahead.ts';
import { require, requireCloser, unexpected, unsupported } from './refusals.ts';
import { readType } from './types.ts';

type Place = AstExpression['pos'];

/** Reads what is in the parentheses of a form, which have been opened. */
type ReadForm = (cursor: Cursor, name: string, pos: Place) => AstExpression;

const FORMS: ReadonlyMap<string, ReadForm> = new Map<string, ReadForm>([
  ['CAST', readCast],
  ['TRY_CAST', readCast],
  ['EXTRACT', readExtract],
  ['SUBSTRING', readSubstring],
  ['POSITION', readPosition],
  ['TRIM', readTrim],
  [
    'OVERLAY',
    (cursor, _, pos) => {
      throw unsupported(cursor, pos, 'OVERLAY', 'write SUBSTRING and ||');
    },
  ],
]);
/** Functions of the standard that are called without parentheses. */
const BARE_FUNCTIONS = new Set([
  ...['CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP', 'LOCALTIME', 'LOCALTIMESTAMP'],
]);

/** Reads EXISTS, CAST, EXTRACT and the other forms that are no plain calls, if one is next. */
export function readSpecialForm(cursor: Cursor): AstExpression | undefined {
  const { upper, position: pos } = next(cursor);
  const following = upperAt(cursor, cursor.at + 1);
  if (BARE_FUNCTIONS.has(upper) && following !== '(' && following !== '.') {
    cursor.at++;
    return plainCall(upper, [], pos);
  }
  if (following !== '(') return undefined;
  if (upper === 'EXISTS') return readExists(cursor, pos);
  const read = FORMS.get(upper);
  if (read === undefined) return undefined;
  cursor.at += 2;
  const form = read(cursor, upper, pos);
  requireCloser(cursor);
  return form;
}

function readExists(cursor: Cursor, pos: Place): AstExpression {
  cursor.at++;
  if (!holdsQuery(cursor, cursor.at)) throw unexpected(cursor, cursor.at + 1, ['a subquery']);
  return { kind: 'Exists', query: readQueryInParentheses(cursor), pos };
}

function readCast(cursor: Cursor, name: string, pos: Place): AstExpression {
  const operand = readExpression(cursor);
  require(cursor, 'AS');
  const type = readType(cursor);
  if (nextUpper(cursor) !== ')') throw unexpected(cursor, cursor.at, ["')'"]);
  return { kind: 'Cast', operand, type, tryCast: name === 'TRY_CAST', pos };
}

function readExtract(cursor: Cursor, _: string, pos: Place): AstExpression {
  const { type, value, position } = next(cursor);
  if (type !== 'word' && type !== 'string') throw unexpected(cursor, cursor.at, ['a field such as YEAR']);
  cursor.at++;
  require(cursor, 'FROM');
  if (!/^\w+$/.test(value)) throw unsupported(cursor, position, 'this field of EXTRACT');
  return { kind: 'Extract', field: value.toUpperCase(), operand: readExpression(cursor), pos };
}

/** `SUBSTRING(x FROM a FOR b)`, `(x FROM a)`, `(x FOR b)`; with commas it is a plain call. */
function readSubstring(cursor: Cursor, name: string, pos: Place): AstExpression {
  const text = readExpression(cursor);
  if (take(cursor, 'FOR')) {
    const start: AstExpression = { kind: 'NumberLiteral', text: '1', pos };
    return plainCall(name, [text, start, readExpression(cursor)], pos);
  }
  if (take(cursor, 'FROM')) {
    const operands = [text, readExpression(cursor)];
    if (take(cursor, 'FOR')) operands.push(readExpression(cursor));
    return plainCall(name, operands, pos);
  }
  return plainCall(name, take(cursor, ',') ? [text, ...readExpressionList(cursor)] : [text], pos);
}

/** `POSITION(a IN b)`: what binds no tighter than IN needs parentheses before it. */
function readPosition(cursor: Cursor, name: string, pos: Place): AstExpression {
  const sought = cursor.grammar.climb(cursor, BINDING.RANGE + 1);
  require(cursor, 'IN');
  return plainCall(name, [sought, readExpression(cursor)], pos);
}

/** `TRIM([BOTH | LEADING | TRAILING] [characters] FROM text)`; without these words it is a plain call. */
function readTrim(cursor: Cursor, name: string, pos: Place): AstExpression {
  const side = nextUpper(cursor);
  if (side === 'BOTH' || side === 'LEADING' || side === 'TRAILING') cursor.at++;
  const sided = side === 'LEADING' ? 'LTRIM' : side === 'TRAILING' ? 'RTRIM' : name;
  if (take(cursor, 'FROM')) return plainCall(sided, [readExpression(cursor)], pos);
  const operands = readExpressionList(cursor);
  if (operands.length > 1 || !take(cursor, 'FROM')) return plainCall(sided, operands, pos);
  return plainCall(sided, [readExpression(cursor), ...operands], pos);
}
