import type { Identifier } from '../ast.ts';
import { next, nextUpper, take, tokenAt, upperAt, type Cursor } from './cursor.ts';
import { isName } from './lookahead.ts';
import { isStepName, readIdentifier } from './names.ts';
import { unexpected, unsupported } from './refusals.ts';

/** A table's name in FROM. */
export interface TableName {
  readonly schema: Identifier | null;
  readonly table: Identifier;
}

/**
 * Reads `t`, `s.t` or, as DynamoDB's names may hold dashes and dots, `my-table` and `s.my-table.v1`: an unquoted name
 * goes on over dashes that touch it, and from its schema's dot on over dots too if it has a dash. Nothing can be
 * subtracted in FROM, so no other meaning is lost.
 */
export function readTableName(cursor: Cursor): TableName {
  const start = cursor.at;
  if (!isName(cursor, start)) throw unexpected(cursor, start, ['a table']);
  const first = readDashed(cursor);
  if (!take(cursor, '.')) return { schema: null, table: first.identifier };
  if (!isStepName(cursor, cursor.at)) throw unexpected(cursor, cursor.at, ['a table']);
  const { identifier, dashed } = readDashed(cursor);
  let { name } = identifier;
  while (nextUpper(cursor) === '.') {
    const { type, spaceBefore } = tokenAt(cursor, cursor.at + 1);
    if (!dashed || identifier.quoted || type !== 'word' || spaceBefore) {
      const advice = 'a table is named schema.table; quote a name that has a dot';
      throw unsupported(cursor, start, 'a table name of three parts', advice);
    }
    cursor.at++;
    name += `.${readDashed(cursor).identifier.name}`;
  }
  return { schema: first.identifier, table: { ...identifier, name } };
}

function readDashed(cursor: Cursor): { readonly identifier: Identifier; readonly dashed: boolean } {
  const identifier = readIdentifier(cursor);
  const start = cursor.at;
  let { name } = identifier;
  while (!identifier.quoted && upperAt(cursor, cursor.at) === '-' && !next(cursor).spaceBefore) {
    const { type, text, spaceBefore } = tokenAt(cursor, cursor.at + 1);
    if (spaceBefore || (type !== 'word' && !(type === 'number' && /^\d+$/.test(text)))) break;
    name += `-${text}`;
    cursor.at += 2;
  }
  return { identifier: { ...identifier, name }, dashed: cursor.at > start };
}
