/** Statements whose parameters are keys and nothing else, so that their plans are alike whatever the values are. */
import { foldCase } from '../../catalog/name-index.ts';
import { typeOf } from '../../binder/types.ts';
import { astChildren } from '../../binder/walk-ast.ts';
import type { AstExpression, AstQuery, AstSelect, AstSelectItem, AstStarChanges } from '../../parser/ast.ts';

/** A parameter, and the column that must equal it. */
export interface KeyParameter {
  /** The parameter's name, or its place from 0. */
  readonly parameter: string | number;
  /** In lower case. */
  readonly column: string;
}

/** The name of a column that stands there alone, in lower case; null for anything else. */
function columnName(node: AstExpression): string | null {
  if (node.kind !== 'Name') return null;
  const last = node.path.at(-1);
  return last?.kind === 'Name' && node.path.every(({ kind }) => kind === 'Name')
    ? foldCase(last.identifier.name)
    : null;
}

/** Types as which a key is what it was: drivers write `$1::VARCHAR`. */
const TYPES_OF_KEYS: ReadonlySet<string> = new Set(['VARCHAR', 'BIGINT', 'HUGEINT', 'DECIMAL']);

/** The parameter that the expression is, or that it casts to a type of keys; null for anything else. */
function parameterOf(node: AstExpression): Extract<AstExpression, { kind: 'Parameter' }> | null {
  if (node.kind === 'Parameter') return node;
  if (node.kind !== 'Cast' || node.operand.kind !== 'Parameter') return null;
  const type = typeOf(node.type);
  return type !== null && type.length === null && TYPES_OF_KEYS.has(type.name) ? node.operand : null;
}

function keyParameter(node: AstExpression): KeyParameter | null {
  if (node.kind !== 'Binary' || node.operator !== '=') return null;
  const left = parameterOf(node.left);
  const [name, value] = left === null ? [node.left, parameterOf(node.right)] : [node.right, left];
  const column = columnName(name);
  if (column === null || value === null) return null;
  const parameter = value.name ?? value.index;
  return parameter === null ? null : { parameter, column };
}

/** Parameters each of which a conjunct of the statement's WHERE compares with a column: `column = ?`, `column = ?::text`. */
export function comparedWithColumns({ body }: AstQuery): readonly KeyParameter[] {
  if (body.kind !== 'Select' || body.where === null) return [];
  return conjunctsOf(body.where)
    .map(keyParameter)
    .filter((key) => key !== null);
}

function conjunctsOf(where: AstExpression): readonly AstExpression[] {
  return where.kind === 'And' ? where.operands : [where];
}

/** True where none of the columns is named, and nothing is asked of other rows. */
function isApart(node: AstExpression, columns: ReadonlySet<string>): boolean {
  if (node.kind === 'Parameter') return false;
  if (
    'path' in node &&
    node.path.some((step) => step.kind === 'Name' && columns.has(foldCase(step.identifier.name)))
  )
    return false;
  const { expressions, query } = astChildren(node);
  return query === null && expressions.every((child) => isApart(child, columns));
}

const changesNothing = ({ exclude, replace, rename }: AstStarChanges): boolean =>
  exclude.length + replace.length + rename.length === 0;

/** A key may be an output as it is. */
function isApartItem(item: AstSelectItem, columns: ReadonlySet<string>): boolean {
  if (item.kind === 'Star') return changesNothing(item.changes);
  const column = columnName(item.expression);
  return (column !== null && columns.has(column)) || isApart(item.expression, columns);
}

function isPlainSelect({ distinct, groupBy, having, qualify, from }: AstSelect): boolean {
  return (
    distinct === false &&
    groupBy.length === 0 &&
    having === null &&
    qualify === null &&
    from?.kind === 'TableName' &&
    from.columnAliases.length === 0 &&
    from.sample === undefined
  );
}

/**
 * The parameters of a SELECT from one table, each of which stands once, in a conjunct `column = ?` of its WHERE, where
 * nothing else in the statement is about that column but its output. So nothing can be concluded from their values but
 * which item is read. Null for any other statement.
 */
export function parametersAsKeys({
  with: ctes,
  body,
  orderBy,
  limit,
  offset,
}: AstQuery): readonly KeyParameter[] | null {
  if (ctes.length > 0 || orderBy.length > 0 || body.kind !== 'Select' || !isPlainSelect(body)) return null;
  const { where, items } = body;
  if (where === null) return null;
  const conjuncts = conjunctsOf(where);
  const found = conjuncts.map(keyParameter);
  const keys = found.filter((key) => key !== null);
  const columns = new Set(keys.map(({ column }) => column));
  const others = [...conjuncts.filter((_, i) => found[i] === null), limit, offset].filter(
    (one) => one !== null,
  );
  const isAlone =
    keys.length > 0 &&
    columns.size === keys.length &&
    new Set(keys.map(({ parameter }) => parameter)).size === keys.length &&
    others.every((one) => isApart(one, columns)) &&
    items.every((item) => isApartItem(item, columns));
  return isAlone ? keys : null;
}
