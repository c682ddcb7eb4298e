/** Comparisons of a single value with an attribute that holds lists: no list equals it, and an element was meant. */
import type { AttributeType, CatalogTable } from '../catalog/table.ts';
import { nestedAttributes } from '../catalog/attributes.ts';
import type { Expression, LiteralValue } from '../logical/expression.ts';
import type { ScanColumn } from '../logical/plan.ts';
import type { ExpressionContext } from './context.ts';
import type { Scope } from './scope.ts';

const LISTS: ReadonlySet<string> = new Set<AttributeType>(['L', 'SS', 'NS', 'BS']);

/** Whether the constant is no whole list. */
const isSingle = (value: LiteralValue): boolean =>
  value.type === 'number' || (value.type === 'text' && !value.value.trimStart().startsWith('['));

function holdsLists(table: CatalogTable, [name, ...steps]: ScanColumn['path']): boolean {
  let known = table.attributes.find((attribute) => attribute.name === name);
  for (const step of steps) {
    if (known === undefined) return false;
    known = nestedAttributes([known], known.name).find((attribute) => attribute.name === step);
  }
  const types = Object.entries(known?.types ?? {}).filter(([type, count]) => type !== 'NULL' && count > 0);
  return types.length > 0 && types.every(([type]) => LISTS.has(type));
}

/** The name of a column that holds lists and sets alone, as far as samples tell. */
function listNamed(node: Expression, scope: Scope): string | null {
  if (node.kind !== 'ColumnReference') return null;
  const { id, name } = node.column;
  for (let at: Scope | null = scope; at !== null; at = at.environment.outer)
    for (const relation of at.relations) {
      if (relation.kind !== 'TableRelation') continue;
      for (const column of relation.columns.values())
        if (column.id === id) return holdsLists(relation.table, column.path) ? name : null;
    }
  return null;
}

/** Warns of `tags = 'a'` and `'a' IN (tags)`, where no list can equal the value. */
export function warnOfWholeLists(
  one: Expression,
  others: readonly Expression[],
  { scope, statement }: ExpressionContext,
): void {
  for (const other of others) {
    const [list, value] = one.kind === 'Literal' ? [other, one] : [one, other];
    if (value.kind !== 'Literal' || !isSingle(value.value)) continue;
    const name = listNamed(list, scope);
    if (name === null) continue;
    statement.warn(
      `${name} holds lists, and no list equals a single value; of its elements: CONTAINS(${name}, value)`,
    );
    return;
  }
}
