import type { AstExpression, AstFromItem, PartsOfDocument, TableFunctionName } from '../ast.ts';
import type { SqlSyntaxError } from '../errors.ts';
import { next, take, tokenAt, upperAt, type Cursor } from './cursor.ts';
import { readExpressionsInBrackets } from './lists.ts';
import { closingOf } from './lookahead.ts';
import { refuse, require, unsupported } from './refusals.ts';

type Called = Pick<
  Extract<AstFromItem, { kind: 'TableFunction' }>,
  'kind' | 'name' | 'arguments' | 'ordinality'
>;

interface Taken {
  readonly min: number;
  readonly max: number;
  readonly said: string;
}

const LIST: Taken = { min: 1, max: 1, said: 'one list' };
const MAP: Taken = { min: 1, max: 1, said: 'one map' };
const OF_DOCUMENTS: Readonly<Record<PartsOfDocument, Taken>> = {
  ARRAY_ELEMENTS: LIST,
  ARRAY_ELEMENTS_TEXT: LIST,
  OBJECT_KEYS: MAP,
  EACH: MAP,
  EACH_TEXT: MAP,
};

/** What each takes. */
export const TABLE_FUNCTIONS: Readonly<Record<TableFunctionName, Taken>> = Object.freeze({
  GENERATE_SERIES: { min: 2, max: 3, said: 'a start, a stop and perhaps a step' },
  UNNEST: LIST,
  ...(Object.fromEntries(
    Object.entries(OF_DOCUMENTS).flatMap(([name, taken]) => [
      [`JSON_${name}`, taken],
      [`JSONB_${name}`, taken],
    ]),
  ) as Record<Exclude<TableFunctionName, 'GENERATE_SERIES' | 'UNNEST'>, Taken>),
});

export const isTableFunction = (upper: string): upper is TableFunctionName =>
  Object.hasOwn(TABLE_FUNCTIONS, upper);

/** What parts of a document the function makes rows of; null of any other function. */
export function partsMade(name: TableFunctionName): PartsOfDocument | null {
  const parts = name.replace(/^JSONB?_/, '');
  return Object.hasOwn(OF_DOCUMENTS, parts) ? (parts as PartsOfDocument) : null;
}

/** Reads a call in FROM with WITH ORDINALITY, if one is next. */
export function readTableFunction(cursor: Cursor): Called | null {
  const { type, upper: name } = next(cursor);
  const opening = cursor.at + 1;
  if (type !== 'word' || !isTableFunction(name) || upperAt(cursor, opening) !== '(') return null;
  const { position: pos } = next(cursor);
  cursor.at = opening + 1;
  const given = readGiven(cursor, opening);
  const { min, max, said } = TABLE_FUNCTIONS[name];
  if (given.length < min || given.length > max)
    throw refuse(cursor, pos, `${name} with ${given.length} arguments`, `it takes ${said}`);
  const ordinality = take(cursor, 'WITH');
  if (ordinality) require(cursor, 'ORDINALITY');
  return { kind: 'TableFunction', name, arguments: given, ordinality };
}

function readGiven(cursor: Cursor, opening: number): readonly AstExpression[] {
  if (closingOf(cursor, opening) > cursor.at) return readExpressionsInBrackets(cursor);
  cursor.at++;
  return [];
}

/** The error for a call in FROM of anything else. */
export function notATableFunction(cursor: Cursor, at: number): SqlSyntaxError {
  const what = `${tokenAt(cursor, at).text} as a table`;
  return unsupported(
    cursor,
    at,
    what,
    'FROM takes tables, subqueries, generate_series, unnest, jsonb_array_elements, jsonb_each and jsonb_object_keys',
  );
}
