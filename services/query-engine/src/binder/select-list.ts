/** Binds the SELECT list: stars expanded, every item with the name it is shown by. */
import { columnReference } from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';
import type { AstSelectItem, Identifier, Position } from '../parser/ast.ts';
import { nearestNames } from '../catalog/nearest-names.ts';
import { bindExpression, invalid, type ExpressionContext } from './bind-expression.ts';
import { didYouMean, statementError } from './errors.ts';
import { BINDER_LIMITS } from './limits.ts';
import { relationsNamed } from './match-names.ts';
import { resolveName } from './resolve-name.ts';
import { columnAt, type Relation, type Visible } from './scope.ts';

/** One output column. */
export interface SelectItem {
  readonly name: string;
  readonly expression: Expression;
  readonly pos: Position;
}

function relationColumns(
  context: ExpressionContext,
  relation: Relation,
  covered: ReadonlySet<number>,
  pos: Position,
): readonly SelectItem[] {
  return relation.index.names.flatMap((name, position) =>
    covered.has(position)
      ? []
      : [{ name, expression: { ...columnAt(context.statement, relation, position), pos }, pos }],
  );
}

const NONE: ReadonlySet<number> = new Set();

/** `*`: merged columns first, then every relation's, as PostgreSQL does. */
function star(context: ExpressionContext, visible: Visible, pos: Position): readonly SelectItem[] {
  if (visible.relations.length === 0) {
    throw statementError('INVALID_QUERY', 'SELECT * needs a FROM', { sql: context.statement.sql, pos });
  }
  return [
    ...visible.merged.map(({ name, expression }) => ({ name, expression, pos })),
    ...visible.relations.flatMap((relation) =>
      relationColumns(context, relation, visible.covered.get(relation) ?? NONE, pos),
    ),
  ];
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

function named(context: ExpressionContext, item: Extract<AstSelectItem, { kind: 'Expression' }>): SelectItem {
  const { expression, alias, text, pos } = item;
  if (expression.kind === 'Name') {
    const resolved = resolveName(context.statement, context.scope, expression.path, expression.pos);
    return { name: alias?.name ?? resolved.name, expression: resolved.expression, pos };
  }
  return { name: alias?.name ?? text, expression: bindExpression(expression, context), pos };
}

export function bindSelectList(
  items: readonly AstSelectItem[],
  visible: Visible,
  context: ExpressionContext,
): readonly SelectItem[] {
  const bound = items.flatMap((item): readonly SelectItem[] => {
    if (item.kind === 'Expression') return [named(context, item)];
    if (item.qualifier.length > 0) return qualifiedStar(context, visible, item.qualifier, item.pos);
    return star(context, visible, item.pos);
  });
  const over = bound[BINDER_LIMITS.outputColumnsMax];
  if (over !== undefined) {
    throw invalid(context, over, `More than ${BINDER_LIMITS.outputColumnsMax} columns in one SELECT`);
  }
  return bound;
}

/** A reference to an item, where a clause names it by alias or position. */
export function itemReference(item: SelectItem, pos: Position): Expression {
  return item.expression.kind === 'ColumnReference'
    ? columnReference(item.expression.column, pos)
    : item.expression;
}
