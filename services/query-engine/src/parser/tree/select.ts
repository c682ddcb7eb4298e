import type { AstExpression, AstGroupingElement, AstSelect, AstSelectItem } from '../ast.ts';
import type { Mark } from '../marks.ts';
import { tokenAt } from '../prepass/statement.ts';
import { callOf, linksOf, misplaced, readContents, type TreeContext } from './context.ts';
import { readExpression, readLinks } from './expressions.ts';
import { readFrom } from './from.ts';
import type { LibrarySelect } from './library.ts';
import { checkQualifiedStars } from './qualified-stars.ts';
import { readDefinitions } from './windows.ts';

/** One SELECT; `head` is its placeholder in the grammar's columns. */
export function readSelect(
  outer: TreeContext,
  select: LibrarySelect,
  head: Extract<Mark, { kind: 'SelectHead' }>,
): AstSelect {
  const [definitions = []] = readContents(outer, select.having, 'Windows');
  const context: TreeContext = { ...outer, windows: readDefinitions(outer, definitions), inWindow: false };
  const expression = (chain: unknown, kind: 'Where' | 'Having' | 'Qualify'): AstExpression | null => {
    const [operands] = readContents(context, chain, kind);
    return operands === undefined ? null : readExpression(context, operands[0]);
  };
  const [items = []] = readContents(context, select.where, 'Items');
  const [on = []] = readContents(context, select.where, 'DistinctOn');
  const selected = items.map((item) => readItem(context, item));
  const from = readFrom(context, select);
  checkQualifiedStars(context, selected, from);
  return {
    kind: 'Select',
    distinct: head.distinct === 'ON' ? on.map((node) => readExpression(context, node)) : head.distinct,
    items: selected,
    from,
    where: expression(select.where, 'Where'),
    groupBy: select.groupBy.map((element) => readGroupingElement(context, element)),
    having: expression(select.having, 'Having'),
    qualify: expression(select.having, 'Qualify'),
    pos: head.pos,
  };
}

function readItem(context: TreeContext, item: unknown): AstSelectItem {
  const [first, ...rest] = linksOf(context, item);
  if (first?.kind !== 'Marked') throw misplaced('a SELECT item');
  const { mark } = first;
  if (mark.kind === 'Star' && rest.length === 0) return readStar(context, mark, first.operands);
  if (mark.kind !== 'Item') throw misplaced(mark.kind);
  const last = rest.at(-1);
  const alias = last?.kind === 'Marked' && last.mark.kind === 'Alias' ? last.mark : null;
  const end = tokenAt(context.statement, (alias?.index ?? mark.to) - 1).end;
  return {
    kind: 'Expression',
    expression: readLinks(context, alias === null ? rest : rest.slice(0, -1)),
    alias: alias?.identifier ?? null,
    text: context.statement.sql.slice(mark.pos.offset, end),
    pos: mark.pos,
  };
}

function readStar(
  context: TreeContext,
  mark: Extract<Mark, { kind: 'Star' }>,
  operands: readonly unknown[],
): AstSelectItem {
  const { kind, qualifier, exclude, rename, pos } = mark;
  const replace = mark.replace.map((column, index) => ({
    expression: readExpression(context, operands[index]),
    column,
  }));
  return { kind, qualifier, changes: { exclude, replace, rename }, pos };
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
