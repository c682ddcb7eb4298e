import type { AstExpression, AstGroupingElement, AstSelect, AstSelectItem } from '../ast.ts';
import type { Mark } from '../marks.ts';
import { tokenAt } from '../prepass/statement.ts';
import { callOf, linksOf, markOf, misplaced, type TreeContext } from './context.ts';
import { readExpression, readLinks } from './expressions.ts';
import { readFrom } from './from.ts';
import type { LibrarySelect } from './library.ts';
import { readDefinitions } from './windows.ts';

/** One SELECT; `head` and its operands are its first column, which tells of DISTINCT. */
export function readSelect(
  outer: TreeContext,
  select: LibrarySelect,
  head: Extract<Mark, { kind: 'SelectHead' }>,
  on: readonly unknown[],
): AstSelect {
  const definitions = findClause(outer, select, 'Windows');
  const windows: TreeContext['windows'] =
    definitions === null ? new Map() : readDefinitions(outer, definitions);
  const context: TreeContext = { ...outer, windows, inWindow: false };
  const expression = (kind: 'Having' | 'Qualify'): AstExpression | null => {
    const operands = findClause(context, select, kind);
    return operands === null ? null : readExpression(context, operands[0]);
  };
  return {
    kind: 'Select',
    distinct: head.distinct === 'ON' ? on.map((node) => readExpression(context, node)) : head.distinct,
    items: select.columns.slice(1).map((column) => readItem(context, column)),
    from: readFrom(context, select.from),
    where: select.where === null ? null : readExpression(context, select.where),
    groupBy: select.groupBy.map((element) => readGroupingElement(context, element)),
    having: expression('Having'),
    qualify: expression('Qualify'),
    pos: head.pos,
  };
}

/** HAVING, WINDOW and QUALIFY arrive together as one chain; gives the operands of one of them. */
function findClause(
  context: TreeContext,
  select: LibrarySelect,
  kind: 'Having' | 'Windows' | 'Qualify',
): readonly unknown[] | null {
  if (select.having === null) return null;
  for (const link of linksOf(context, select.having)) {
    if (link.kind === 'Marked' && link.mark.kind === kind) return link.operands;
  }
  return null;
}

function readItem(context: TreeContext, column: LibrarySelect['columns'][number]): AstSelectItem {
  const [first, ...links] = linksOf(context, column.expression);
  if (first?.kind !== 'Marked') throw misplaced('a SELECT item');
  const { mark } = first;
  if (mark.kind === 'Star' && links.length === 0) return mark;
  if (mark.kind !== 'Item') throw misplaced(mark.kind);
  const alias = column.alias === null ? null : markOf(context, column.alias);
  if (alias !== null && alias.kind !== 'Alias') throw misplaced(alias.kind);
  const { sql } = context.statement;
  const end = tokenAt(context.statement, (alias?.index ?? mark.to) - 1).end;
  return {
    kind: 'Expression',
    expression: readLinks(context, links),
    alias: alias?.identifier ?? null,
    text: sql.slice(mark.pos.offset, end),
    pos: mark.pos,
  };
}

function readGroupingElement(context: TreeContext, element: unknown): AstGroupingElement {
  const { mark, operands } = callOf(context, element);
  switch (mark.kind) {
    case 'GroupExpression':
      return { kind: 'Expression', expression: readExpression(context, operands[0]) };
    case 'Rollup':
    case 'Cube':
    case 'GroupingSets': {
      const readSet = (set: unknown): readonly AstExpression[] =>
        callOf(context, set).operands.map((operand) => readExpression(context, operand));
      return { kind: mark.kind, sets: operands.map(readSet) };
    }
    default:
      throw misplaced(mark.kind);
  }
}
