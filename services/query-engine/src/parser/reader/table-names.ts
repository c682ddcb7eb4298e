import type { Identifier } from '../ast.ts';
import { next, nextUpper, take, tokenAt, upperAt, type Cursor } from './cursor.ts';
import { isName } from './lookahead.ts';
import { isStepName, readIdentifier } from './names.ts';
import { unexpected, unsupported } from './refusals.ts';

/** A table's name in FROM, or that of an index. */
export interface TableName {
  readonly schema: Identifier | null;
  readonly table: Identifier;
  /** Null: the table itself. */
  readonly index: Identifier | null;
}

/**
 * Reads `t`, `s.t`, `s.t.index` or, as DynamoDB's names may hold dashes and dots, `my-table` and `s.my-table.v1`: an
 * unquoted name goes on over dashes that touch it, and a table's from its schema's dot on over dots too if it has a dash.
 * Nothing can be subtracted in FROM, so no other meaning is lost. An index of such a table is named in quotes.
 */
export function readTableName(cursor: Cursor): TableName {
  const start = cursor.at;
  if (!isName(cursor, start)) throw unexpected(cursor, start, ['a table']);
  const first = readDashed(cursor);
  if (!take(cursor, '.')) return { schema: null, table: first.identifier, index: null };
  const schema = first.identifier;
  if (!isStepName(cursor, cursor.at)) throw unexpected(cursor, cursor.at, ['a table']);
  const { identifier, dashed } = readDashed(cursor);
  const table = dashed ? { ...identifier, name: identifier.name + readDotted(cursor) } : identifier;
  if (!take(cursor, '.')) return { schema, table, index: null };
  if (!isStepName(cursor, cursor.at)) throw unexpected(cursor, cursor.at, ['an index']);
  const index = readDashed(cursor).identifier;
  if (nextUpper(cursor) === '.') {
    const advice = 'a table is named schema.table, an index schema.table.index; quote a name that has a dot';
    throw unsupported(cursor, start, 'a table name of four parts', advice);
  }
  return { schema, table, index };
}

/** What follows of a table's name that has a dash: `.v1`, again and again. */
function readDotted(cursor: Cursor): string {
  let text = '';
  while (nextUpper(cursor) === '.') {
    const { type, spaceBefore } = tokenAt(cursor, cursor.at + 1);
    if (type !== 'word' || spaceBefore) break;
    cursor.at++;
    text += `.${readDashed(cursor).identifier.name}`;
  }
  return text;
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
