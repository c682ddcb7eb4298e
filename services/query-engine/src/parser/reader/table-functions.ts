import type { AstExpression, AstFromItem, TableFunctionName } from '../ast.ts';
import type { SqlSyntaxError } from '../errors.ts';
import { next, take, tokenAt, upperAt, type Cursor } from './cursor.ts';
import { readExpressionsInBrackets } from './lists.ts';
import { closingOf } from './lookahead.ts';
import { refuse, require, unsupported } from './refusals.ts';

type Called = Pick<Extract<AstFromItem, { kind: 'TableFunction' }>, 'name' | 'arguments' | 'ordinality'>;

/** How many arguments each takes. */
const ARGUMENTS: Readonly<
  Record<TableFunctionName, { readonly min: number; readonly max: number; readonly said: string }>
> = {
  GENERATE_SERIES: { min: 2, max: 3, said: 'a start, a stop and perhaps a step' },
  UNNEST: { min: 1, max: 1, said: 'one list' },
};

const isTableFunction = (upper: string): upper is TableFunctionName => Object.hasOwn(ARGUMENTS, upper);

/** Reads a call in FROM with WITH ORDINALITY, if one is next. */
export function readTableFunction(cursor: Cursor): Called | null {
  const { type, upper: name } = next(cursor);
  const opening = cursor.at + 1;
  if (type !== 'word' || !isTableFunction(name) || upperAt(cursor, opening) !== '(') return null;
  const { position: pos } = next(cursor);
  cursor.at = opening + 1;
  const given = readGiven(cursor, opening);
  const { min, max, said } = ARGUMENTS[name];
  if (given.length < min || given.length > max)
    throw refuse(cursor, pos, `${name} with ${given.length} arguments`, `it takes ${said}`);
  const ordinality = take(cursor, 'WITH');
  if (ordinality) require(cursor, 'ORDINALITY');
  return { name, arguments: given, ordinality };
}

function readGiven(cursor: Cursor, opening: number): readonly AstExpression[] {
  if (closingOf(cursor, opening) > cursor.at) return readExpressionsInBrackets(cursor);
  cursor.at++;
  return [];
}

/** The error for a call in FROM of anything else. */
export function notATableFunction(cursor: Cursor, at: number): SqlSyntaxError {
  const what = `${tokenAt(cursor, at).text} as a table`;
  return unsupported(cursor, at, what, 'FROM takes tables, subqueries, generate_series and unnest');
}
