import type { Identifier } from '../ast.ts';
import { isName, type Span } from './scan.ts';
import { identifierAt } from './names.ts';
import { tokenAt, unexpected, unsupported, upperAt, type Statement } from './statement.ts';

/** A table's name in FROM and the index after it. */
export interface TableName {
  readonly schema: Identifier | null;
  readonly table: Identifier;
  readonly next: number;
}

/**
 * Reads `t`, `s.t` or, as DynamoDB's names may hold dashes and dots, `my-table` and `s.my-table.v1`: an unquoted name
 * goes on over dashes that touch it, and from its schema's dot on over dots too if it has a dash. Nothing can be
 * subtracted in FROM, so no other meaning is lost.
 */
export function readTableName(statement: Statement, { from, to }: Span): TableName {
  if (!isName(statement, from)) throw unexpected(statement, from, ['a table']);
  const first = readDashed(statement, { from, to });
  if (upperAt(statement, first.next) !== '.') {
    return { schema: null, table: first.identifier, next: first.next };
  }
  const { type } = tokenAt(statement, first.next + 1);
  if (type !== 'word' && type !== 'name') throw unexpected(statement, first.next + 1, ['a table']);
  const second = readDashed(statement, { from: first.next + 1, to });
  let { next } = second;
  let name = second.identifier.name;
  while (upperAt(statement, next) === '.') {
    const goesOn = second.dashed && !second.identifier.quoted && tokenAt(statement, next + 1).type === 'word';
    if (!goesOn || tokenAt(statement, next + 1).spaceBefore) {
      const advice = 'a table is named schema.table; quote a name that has a dot';
      throw unsupported(statement, from, 'a table name of three parts', advice);
    }
    const part = readDashed(statement, { from: next + 1, to });
    name += `.${part.identifier.name}`;
    next = part.next;
  }
  return { schema: first.identifier, table: { ...second.identifier, name }, next };
}

function readDashed(
  statement: Statement,
  { from, to }: Span,
): { readonly identifier: Identifier; readonly dashed: boolean; readonly next: number } {
  const identifier = identifierAt(statement, from);
  let name = identifier.name;
  let next = from + 1;
  const dashes = (): boolean => upperAt(statement, next) === '-' && !tokenAt(statement, next).spaceBefore;
  while (!identifier.quoted && dashes() && next + 1 < to) {
    const { type, text, spaceBefore } = tokenAt(statement, next + 1);
    if (spaceBefore || (type !== 'word' && !(type === 'number' && /^\d+$/.test(text)))) break;
    name += `-${text}`;
    next += 2;
  }
  return { identifier: { ...identifier, name }, dashed: next > from + 1, next };
}
