import type { AstFromItem, Identifier } from '../ast.ts';
import type { SqlSyntaxError } from '../errors.ts';
import type { FromMark, JoinMark } from '../marks.ts';
import { markOf, misplaced, readContents, refuse, type TreeContext } from './context.ts';
import { readExpression } from './expressions.ts';
import { readLibrarySelect, readParenthesised, type LibraryFromItem, type LibrarySelect } from './library.ts';
import { readQuery } from './queries.ts';

/** The FROM clause as one item: joins lean left, and commas, which bind looser than JOIN, are CROSS joins. */
export function readFrom(context: TreeContext, select: LibrarySelect): AstFromItem | null {
  const nested = [...readContents(context, select.where, 'Nested')];
  const parts: AstFromItem[] = [];
  for (const item of select.from) {
    const mark = fromMark(context, item);
    const right = readItem(context, mark, nested);
    const left = parts.at(-1);
    if (mark.join.type === 'FIRST') {
      if (item.on !== null || item.using !== null) throw conditionAfterComma(context, mark);
      parts.push(right);
    } else if (left === undefined) {
      throw misplaced('a join');
    } else {
      parts[parts.length - 1] = readJoin(context, left, mark, right, item);
    }
  }
  const [first, ...rest] = parts;
  if (first === undefined) return null;
  const cross = { kind: 'Join', join: 'CROSS', natural: false, on: null, using: [] } as const;
  return rest.reduce<AstFromItem>((left, right) => ({ ...cross, left, right, pos: left.pos }), first);
}

function fromMark(context: TreeContext, item: LibraryFromItem): FromMark {
  const mark = markOf(context, item.placeholder);
  if (mark.kind === 'Table' || mark.kind === 'Derived' || mark.kind === 'NestedJoin') return mark;
  throw misplaced(mark.kind);
}

/** Nested queries stand in the grammar's WHERE in the order of their placeholders in FROM. */
function readItem(context: TreeContext, mark: FromMark, nested: (readonly unknown[])[]): AstFromItem {
  switch (mark.kind) {
    case 'Table': {
      const { join: _join, ...table } = mark;
      return { ...table, kind: 'TableName' };
    }
    case 'Derived': {
      const { alias, columnAliases, pos } = mark;
      return {
        kind: 'DerivedTable',
        query: readQuery(context, nextNested(nested)),
        lateral: false,
        alias,
        columnAliases,
        pos,
      };
    }
    case 'NestedJoin': {
      const join = readFrom(context, readLibrarySelect(nextNested(nested)));
      if (join === null) throw misplaced('a join in parentheses');
      return join;
    }
  }
}

function conditionAfterComma(context: TreeContext, mark: FromMark): SqlSyntaxError {
  return refuse(context, mark.pos, 'ON or USING without JOIN', 'write JOIN before this table, or WHERE');
}

function nextNested(nested: (readonly unknown[])[]): unknown {
  const operands = nested.shift();
  if (operands === undefined) throw misplaced('a query in FROM');
  return readParenthesised(operands[0]);
}

function readJoin(
  context: TreeContext,
  left: AstFromItem,
  mark: FromMark,
  right: AstFromItem,
  item: LibraryFromItem,
): AstFromItem {
  const { type, natural } = mark.join;
  if (type === 'FIRST') throw misplaced('a join');
  checkCondition(context, mark, mark.join, item);
  const using = (item.using ?? []).map((placeholder) => columnName(context, placeholder));
  const on = item.on === null ? null : readExpression(context, item.on);
  return { kind: 'Join', join: type, natural, left, right, on, using, pos: left.pos };
}

function checkCondition(
  context: TreeContext,
  mark: FromMark,
  { type, natural }: JoinMark,
  item: LibraryFromItem,
): void {
  const conditioned = item.on !== null || item.using !== null;
  const needsNone = natural || type === 'CROSS';
  if (conditioned === !needsNone) return;
  const what = natural ? 'NATURAL JOIN' : `${type} JOIN`;
  throw needsNone
    ? refuse(context, mark.pos, `${what} with ON or USING`, 'leave the condition out')
    : refuse(
        context,
        mark.pos,
        `${what} without ON or USING`,
        type === 'SEMI' ? 'add ON …' : 'add ON …, or write CROSS JOIN',
      );
}

function columnName(context: TreeContext, placeholder: number): Identifier {
  const mark = markOf(context, placeholder);
  if (mark.kind !== 'Alias') throw misplaced(mark.kind);
  return mark.identifier;
}
