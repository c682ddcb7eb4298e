import type { AstFromItem, AstSelectItem, Identifier } from '../ast.ts';
import type { Cursor } from './cursor.ts';
import { unsupported } from './refusals.ts';

const same = (a: Identifier, b: Identifier): boolean => a.name.toLowerCase() === b.name.toLowerCase();

function names(from: AstFromItem | null, schema: Identifier, table: Identifier): boolean {
  if (from === null) return false;
  if (from.kind === 'Join') return names(from.left, schema, table) || names(from.right, schema, table);
  if (from.kind !== 'TableName' || from.alias !== null || from.index !== null || !same(from.table, table))
    return false;
  return from.schema === null || same(from.schema, schema);
}

/** `s.t.*` stands for the columns of a table that FROM names so; a star after any other path is refused. */
export function checkQualifiedStars(
  cursor: Cursor,
  items: readonly AstSelectItem[],
  from: AstFromItem | null,
): void {
  for (const item of items) {
    if (item.kind !== 'Star' || item.qualifier.length < 2) continue;
    const [schema, table, ...more] = item.qualifier;
    if (schema !== undefined && table !== undefined && more.length === 0 && names(from, schema, table))
      continue;
    const advice = 'write the alias or the name of a table in FROM: t.*';
    throw unsupported(cursor, item.pos, '* after a name with a dot', advice);
  }
}
