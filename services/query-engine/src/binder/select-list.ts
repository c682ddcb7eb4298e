/** Binds the SELECT list: stars expanded, every item with the name it is shown by. */
import { nearestNames } from '@penstock/common/text/nearest-names.ts';
import { columnReference } from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';
import { OTHERS, OTHERS_COLUMN } from '../catalog/others.ts';
import { matchesOf, nameIndex, positionsOf, type NameIndex } from '../catalog/name-index.ts';
import type { AstSelectItem, AstStarChanges, Identifier, Position } from '../parser/ast.ts';
import { bindExpression } from './bind-expression.ts';
import type { ExpressionContext } from './context.ts';
import { didYouMean, invalid, statementError } from './errors.ts';
import { BINDER_LIMITS } from './limits.ts';
import { relationsNamed } from './match-names.ts';
import { resolveName } from './resolve-name.ts';
import { arrayElement, isArray } from './sql-arrays.ts';
import { columnAt, scanColumn, type Relation, type Visible } from './scope.ts';

/** One output column. */
export interface SelectItem {
  readonly name: string;
  readonly expression: Expression;
  /** What stands before its alias; null where it has none. */
  readonly aliased: string | null;
  /** The function that it calls, upper-case, where it has no alias; else absent. */
  readonly called?: string;
  /** It is an array whose elements count from 1. */
  readonly isArray?: boolean;
  readonly pos: Position;
}

function relationColumns(
  context: ExpressionContext,
  relation: Relation,
  covered: ReadonlySet<number>,
  pos: Position,
): readonly SelectItem[] {
  if (relation.kind === 'TableRelation') relation.uses.star = true;
  return relation.index.names.flatMap((name, position) =>
    covered.has(position)
      ? []
      : [
          {
            name,
            expression: { ...columnAt(context.statement, relation, position), pos },
            aliased: null,
            pos,
          },
        ],
  );
}

const NONE: ReadonlySet<number> = new Set();

/** `*`: of each join the columns that it merges and then those of its sides, as PostgreSQL does. */
function star(context: ExpressionContext, visible: Visible, pos: Position): readonly SelectItem[] {
  if (visible.relations.length === 0) {
    throw statementError('INVALID_QUERY', 'SELECT * needs a FROM', { sql: context.statement.sql, pos });
  }
  return visible.shown.flatMap((one) =>
    'kind' in one
      ? relationColumns(context, one, visible.covered.get(one) ?? NONE, pos)
      : [{ name: one.name, expression: one.expression, aliased: null, pos }],
  );
}

function qualifiedStar(
  context: ExpressionContext,
  visible: Visible,
  qualifier: readonly Identifier[],
  pos: Position,
): readonly SelectItem[] {
  const table = qualifier.at(-1);
  const schema = qualifier.length > 1 ? (qualifier[0] ?? null) : null;
  const found = table === undefined ? [] : relationsNamed(visible, schema, table);
  const [relation] = found;
  const shown = qualifier.map(({ name }) => name).join('.');
  const place = { sql: context.statement.sql, pos };
  if (relation === undefined) {
    const near = nearestNames(
      table?.name ?? '',
      visible.relations.flatMap(({ name }) => name?.name ?? []),
    );
    throw statementError(
      'TABLE_NOT_FOUND',
      `Table not found: ${shown}`,
      place,
      didYouMean(near) ?? 'FROM names no such table',
    );
  }
  if (found.length > 1) throw statementError('AMBIGUOUS_NAME', `Ambiguous name: ${shown}`, place);
  return relationColumns(context, relation, NONE, pos);
}

/** A document of what the catalog does not know, of each table that a star shows. */
function others(
  context: ExpressionContext,
  visible: Visible,
  items: readonly AstSelectItem[],
): readonly SelectItem[] {
  const stars = items.filter((item) => item.kind === 'Star');
  const shown = stars.flatMap(({ qualifier }) => {
    const table = qualifier.at(-1);
    const schema = qualifier.length > 1 ? (qualifier[0] ?? null) : null;
    return table === undefined ? visible.relations : relationsNamed(visible, schema, table);
  });
  const pos = stars[0]?.pos;
  return [...new Set(shown)].flatMap((relation) =>
    relation.kind === 'TableRelation' && pos !== undefined
      ? [
          {
            name: OTHERS_COLUMN,
            expression: columnReference(scanColumn(context.statement, relation, [OTHERS]), pos),
            aliased: null,
            pos,
          },
        ]
      : [],
  );
}

/** The columns of a star without those of EXCLUDE, with REPLACE's in their places, and RENAME's names. */
function changed(
  context: ExpressionContext,
  columns: readonly SelectItem[],
  { exclude, replace, rename }: AstStarChanges,
): readonly SelectItem[] {
  if (exclude.length + replace.length + rename.length === 0) return columns;
  const index = nameIndex(columns.map(({ name }) => name));
  const expressions = new Map<number, Expression | null>();
  const names = new Map<number, string>();
  const each = (column: Identifier, change: (position: number) => void): void => {
    const positions = positionsNamed(context, index, column);
    if (positions.some((position) => expressions.has(position) || names.has(position))) {
      throw invalid(context, column, `${column.name} is changed twice`);
    }
    positions.forEach(change);
  };
  for (const column of exclude) each(column, (position) => expressions.set(position, null));
  for (const { column, expression } of replace) {
    const bound = bindExpression(expression, context);
    each(column, (position) => expressions.set(position, bound));
  }
  for (const { column, to } of rename) each(column, (position) => names.set(position, to.name));
  return columns.flatMap((item, position) => {
    const expression = expressions.has(position) ? expressions.get(position) : item.expression;
    if (expression === null || expression === undefined) return [];
    return [{ ...item, expression, name: names.get(position) ?? item.name }];
  });
}

/** The places of a star's columns of that name; several where joined tables have it. */
function positionsNamed(context: ExpressionContext, index: NameIndex, column: Identifier): readonly number[] {
  for (const match of matchesOf(column)) {
    const positions = positionsOf(index, column.name, match);
    if (positions.length > 0) return positions;
  }
  const place = { sql: context.statement.sql, pos: column.pos };
  const near = didYouMean(nearestNames(column.name, index.names));
  throw statementError(
    'COLUMN_NOT_FOUND',
    `Column not found: ${column.name}`,
    place,
    near ?? '* has no such column',
  );
}

function named(context: ExpressionContext, item: Extract<AstSelectItem, { kind: 'Expression' }>): SelectItem {
  const { expression, alias, text, pos } = item;
  const aliased = alias === null ? null : text;
  if (expression.kind === 'Name') {
    const resolved = resolveName(context.statement, context.scope, expression.path, expression.pos);
    const bound = arrayElement(expression, context) ?? resolved.expression;
    return { name: alias?.name ?? resolved.name, expression: bound, aliased, pos };
  }
  const called = alias === null && expression.kind === 'FunctionCall' ? { called: expression.name } : {};
  return {
    name: alias?.name ?? text,
    expression: bindExpression(expression, context),
    ...(isArray(expression, context) && { isArray: true }),
    aliased,
    ...called,
    pos,
  };
}

export function bindSelectList(
  items: readonly AstSelectItem[],
  visible: Visible,
  context: ExpressionContext,
): readonly SelectItem[] {
  const bound = items.flatMap((item): SelectItem[] => {
    if (item.kind === 'Expression') return [named(context, item)];
    const all =
      item.qualifier.length > 0
        ? qualifiedStar(context, visible, item.qualifier, item.pos)
        : star(context, visible, item.pos);
    return [...changed(context, all, item.changes)];
  });
  const hasOthers = items.some((item) => item.kind === 'Star' && item.withOthers === true);
  if (hasOthers) {
    const documents = others(context, visible, items);
    context.statement.endsWithOthers(documents.length);
    bound.push(...documents);
  }
  const [first] = items;
  if (bound.length === 0 && first !== undefined) throw invalid(context, first, 'SELECT has no column left');
  const over = bound[BINDER_LIMITS.outputColumnsMax];
  if (over !== undefined) {
    const message = `More than ${BINDER_LIMITS.outputColumnsMax} columns in one SELECT`;
    throw invalid(
      context,
      over,
      message,
      `${over.name} is the first beyond them: name the columns that you need`,
    );
  }
  return bound;
}

/** A reference to an item, where a clause names it by alias or position. */
export function itemReference(item: SelectItem, pos: Position): Expression {
  return item.expression.kind === 'ColumnReference'
    ? columnReference(item.expression.column, pos)
    : item.expression;
}
