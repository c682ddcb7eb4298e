/**
 * Arrays of SQL, whose elements PostgreSQL counts from 1, beside lists of documents, whose elements it counts from 0 as we
 * do. Which one an expression is, is told by how it is written, and of a column of a subquery by how that computes it.
 */
import { expression, literal } from '../logical/build-expression.ts';
import type { Column, DocumentStep, Expression } from '../logical/expression.ts';
import type { AstExpression, AstQueryBody, PathStep, Position } from '../parser/ast.ts';
import { plainCall } from '../parser/reader/function-calls.ts';
import { writtenList } from './array-literal.ts';
import type { ExpressionContext, StatementContext } from './context.ts';
import { invalid } from './errors.ts';
import { resolveName } from './resolve-name.ts';
import { astChildren } from './walk-ast.ts';

type Name = Extract<AstExpression, { readonly kind: 'Name' }>;
type Call = Extract<AstExpression, { readonly kind: 'FunctionCall' }>;
type Binary = Extract<AstExpression, { readonly kind: 'Binary' }>;

/** Functions that give an array. */
const MAKERS: ReadonlySet<string> = new Set(
  'LIST_VALUE ARRAY_AGG STRING_TO_ARRAY REGEXP_MATCH REGEXP_SPLIT_TO_ARRAY'.split(' '),
);
/** Functions that give one of their arguments. */
const CHOICES: ReadonlySet<string> = new Set(['COALESCE', 'NULLIF', 'ANY_VALUE']);

/** Whether the bound expression is a column of a subquery that computes an array. */
export const isArrayColumn = ({ arrays }: StatementContext, bound: Expression): boolean =>
  bound.kind === 'ColumnReference' && arrays.has(bound.column.id);

/** Whether PostgreSQL takes it for an array; never where elements are counted by our rules. */
export function isArray(node: AstExpression, context: ExpressionContext): boolean {
  if (!context.statement.isPostgresql) return false;
  const some = (nodes: readonly AstExpression[]): boolean => nodes.some((one) => isArray(one, context));
  switch (node.kind) {
    case 'Name': {
      const { statement, scope } = context;
      return isArrayColumn(statement, resolveName(statement, scope, node.path, node.pos).expression);
    }
    case 'ArraySubquery':
      return true;
    case 'ScalarSubquery':
      return isArrayQuery(node.query.body);
    case 'Cast':
      return node.type.endsWith('[]');
    case 'Slice':
      return some([node.operand]);
    case 'FunctionCall':
      return MAKERS.has(node.name) || (CHOICES.has(node.name) && some(node.arguments));
    case 'Case':
      return some([
        ...node.branches.map(({ then }) => then),
        ...(node.otherwise === null ? [] : [node.otherwise]),
      ]);
    case 'Binary':
      return node.operator === '||' && some([node.left, node.right]);
    default:
      return false;
  }
}

/** Whether a subquery's only value is written as an array. */
function isArrayQuery(body: AstQueryBody): boolean {
  if (body.kind === 'Query') return isArrayQuery(body.body);
  if (body.kind !== 'Select') return false;
  const [item] = body.items;
  return (
    item?.kind === 'Expression' && item.expression.kind === 'FunctionCall' && MAKERS.has(item.expression.name)
  );
}

/** Steps of which the first ones, up to a name, count from 1; null where one of these is below that: there is no such element. */
function stepsFromOne(path: readonly PathStep[]): readonly DocumentStep[] | null {
  const named = path.findIndex(({ kind }) => kind === 'Name');
  const steps = path.map((step, i): DocumentStep => {
    if (step.kind === 'Name') return step.identifier.name;
    return named === -1 || i < named ? step.index - 1 : step.index;
  });
  return steps.includes(-1) ? null : steps;
}

/** The element of an array at a path. */
export function elementFromOne(operand: Expression, path: readonly PathStep[], pos: Position): Expression {
  const steps = stepsFromOne(path);
  if (steps === null) return literal({ type: 'null' }, pos);
  return expression({ kind: 'DocumentAccess', operand, path: steps, pos });
}

/** The element that a name with subscripts means where it begins with an array; null where it does not. */
export function arrayElement(
  { path, pos }: Name,
  { statement, scope }: ExpressionContext,
): Expression | null {
  const at = path.findIndex(({ kind }) => kind === 'Index');
  if (!statement.isPostgresql || at === -1) return null;
  const { expression: array } = resolveName(statement, scope, path.slice(0, at), pos);
  return isArrayColumn(statement, array) ? elementFromOne(array, path.slice(at), pos) : null;
}

const number = (value: number, pos: Position): AstExpression =>
  value < 0
    ? { kind: 'Unary', operator: '-', operand: number(-value, pos), pos }
    : { kind: 'NumberLiteral', text: String(value), pos };

/** The place that is written; null where it is computed. */
function placeIn(node: AstExpression): number | null {
  if (node.kind === 'Unary' && node.operator === '-') {
    const place = placeIn(node.operand);
    return place === null ? null : -place;
  }
  return node.kind === 'NumberLiteral' && /^\d{1,9}$/.test(node.text) ? Number(node.text) : null;
}

/** One thing where a computed place is below the first, and another where it is not. */
const whereBelowFirst = (
  place: AstExpression,
  then: AstExpression,
  otherwise: AstExpression,
): AstExpression => {
  const { pos } = place;
  const when: AstExpression = { kind: 'Binary', operator: '<', left: place, right: number(1, pos), pos };
  return { kind: 'Case', operand: null, branches: [{ when, then }], otherwise, pos };
};

const lessOne = (place: AstExpression): AstExpression => {
  const { pos } = place;
  return { kind: 'Binary', operator: '-', left: place, right: number(1, pos), pos };
};

/**
 * Whether a place is computed by a place of another array, or by a subquery. What computes a place is written several times
 * over, so that places within places would take longer and longer.
 */
export function isNestedPlace(place: AstExpression): boolean {
  const { expressions, query } = astChildren(place);
  return (
    query !== null ||
    place.kind === 'Subscript' ||
    place.kind === 'Slice' ||
    expressions.some((child) => isNestedPlace(child))
  );
}

/** A computed place that counts from 1 as one that counts from 0. Below the first, where we count from the end, is nothing. */
export const placeFromOne = (place: AstExpression): AstExpression =>
  whereBelowFirst(place, { kind: 'NullLiteral', pos: place.pos }, lessOne(place));

interface Bounds {
  readonly from: AstExpression;
  readonly to: AstExpression;
}

/** Bounds of a slice that count from 1 as those that count from 0: what begins below the first begins there. */
export function sliceFromOne(from: AstExpression | null, to: AstExpression | null, pos: Position): Bounds {
  const low = from === null ? 1 : placeIn(from);
  const first =
    low === null && from !== null
      ? whereBelowFirst(from, number(0, pos), lessOne(from))
      : number(Math.max(low ?? 1, 1) - 1, pos);
  // The last element is at -1 to us.
  if (to === null) return { from: first, to: number(-1, pos) };
  const nothing: Bounds = { from: number(1, pos), to: number(0, pos) };
  const high = placeIn(to);
  if (high !== null) return high < 1 ? nothing : { from: first, to: number(high - 1, pos) };
  return {
    from: whereBelowFirst(to, nothing.from, first),
    to: whereBelowFirst(to, nothing.to, lessOne(to)),
  };
}

/** `array_position(array, value, from)`, whose places count from 1; null of any other call, and by our rules. */
export function positionFromOne(
  node: Call,
  context: ExpressionContext,
  bind: (node: Call, context: ExpressionContext) => Expression,
): Expression | null {
  if (node.name !== 'ARRAY_POSITION' || !context.statement.isPostgresql) return null;
  const [array, value, from] = node.arguments;
  if (array === undefined || value === undefined) return null;
  if (!isArray(array, context))
    throw invalid(
      context,
      array,
      'ARRAY_POSITION takes an array, and this is a list of a document or no list',
      'make an array of it: ARRAY(SELECT …)',
    );
  const places = from === undefined ? [] : [lessOne(from)];
  const { pos } = node;
  const place = bind({ ...node, arguments: [array, value, ...places] }, context);
  const one = literal({ type: 'number', text: '1' }, pos);
  return expression({ kind: 'Arithmetic', operator: '+', left: place, right: one, pos });
}

/**
 * `array || element` and `element || array` as two arrays. A constant text beside an array is one in PostgreSQL, too, and NULL none.
 * @throws PenstockError INVALID_QUERY
 */
export function joinedArrays(node: Binary, context: ExpressionContext): Binary {
  if (node.operator !== '||' || !context.statement.isPostgresql) return node;
  const isLeft = isArray(node.left, context);
  if (isLeft === isArray(node.right, context)) return node;
  const element = isLeft ? node.right : node.left;
  if (element.kind === 'NullLiteral') return node;
  if (element.kind === 'Parameter')
    throw invalid(
      context,
      element,
      'A parameter beside an array needs a type',
      'for example $1::text, or $1::text[]',
    );
  const list =
    element.kind === 'StringLiteral' ? writtenList(element) : plainCall('LIST_VALUE', [element], element.pos);
  if (list === null || list === 'malformed')
    throw invalid(
      context,
      element,
      'malformed array literal',
      `an element is written ARRAY['a'], or 'a'::text`,
    );
  return isLeft ? { ...node, right: list } : { ...node, left: list };
}

/** New columns for those of a query, each an array where that is one. */
export function newColumns(statement: StatementContext, columns: readonly Column[]): readonly Column[] {
  return columns.map(({ id, name }) => {
    const column = statement.newColumn(name);
    if (statement.arrays.has(id)) statement.arrays.add(column.id);
    return column;
  });
}
