/**
 * Predicates as access-path choice sees them: a column against constants, joined by AND and OR. Whatever else a
 * predicate is becomes `Unknown`, which promises nothing.
 */
import { FLIPPED, NEGATED } from '../../logical/comparison-operators.ts';
import type { ComparisonOperator, Expression } from '../../logical/expression.ts';
import type { ScanColumn } from '../../logical/plan.ts';
import { compareDecimals, parseDecimal } from '../decimal.ts';
import { likePrefix } from '../../logical/like-prefix.ts';
import { literalOf, type Literal } from './literal.ts';

export type CompareOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** A mark that a condition may carry. */
interface OfKey {
  /**
   * True where it holds for values of the key's type alone, as `left(k, 2) = 'ab'` says that a text `k` begins so: an item
   * whose attribute has another type may pass the predicate and fail this.
   */
  readonly ofKey?: true;
}

/** True only for items where the SQL predicate may be true; `Never` and `Always` are certain. */
export type Condition = OfKey &
  (
    | { readonly kind: 'Never' | 'Always' | 'Unknown' }
    | {
        readonly kind: 'And' | 'Or';
        readonly operands: readonly Condition[];
        /** As an expression's. */
        readonly isGap?: true;
      }
    | {
        readonly kind: 'Compare';
        readonly column: ScanColumn;
        readonly operator: CompareOperator;
        readonly literal: Literal;
        /** True also of values that cannot be compared with the literal: `NOT (a < 5)` where `a` is 'x'. */
        readonly orUnlike: boolean;
      }
    | { readonly kind: 'In'; readonly column: ScanColumn; readonly literals: readonly Literal[] }
    /** Text that begins so; `whole` when that is all that the predicate asks. */
    | {
        readonly kind: 'Prefix';
        readonly column: ScanColumn;
        readonly prefix: string;
        readonly whole: boolean;
      }
    | { readonly kind: 'IsNull'; readonly column: ScanColumn; readonly negated: boolean }
  );

type Comparison = Extract<Condition, { readonly kind: 'Compare' }>;

const NEVER: Condition = Object.freeze({ kind: 'Never' });
const ALWAYS: Condition = Object.freeze({ kind: 'Always' });
const UNKNOWN: Condition = Object.freeze({ kind: 'Unknown' });

/** Of values that cannot be compared, one is neither less nor greater than the other, and both differ. */
const isRange = (operator: CompareOperator): boolean => operator !== '=' && operator !== '<>';

/** The conjuncts of a scan as conditions, nested ANDs opened. */
export function conditionsOf(
  conjuncts: readonly Expression[],
  columns: readonly ScanColumn[],
): readonly Condition[] {
  const byId = new Map(columns.map((column) => [column.id, column]));
  return foldBounds(conjuncts.flatMap((conjunct) => conjunctsOf(conditionOf(conjunct, byId, false))));
}

/** A condition as the conjuncts it is made of. */
export function conjunctsOf(condition: Condition): readonly Condition[] {
  return condition.kind === 'And' ? condition.operands.flatMap(conjunctsOf) : [condition];
}

type Columns = ReadonlyMap<number, ScanColumn>;

function conditionOf(expression: Expression, columns: Columns, negated: boolean): Condition {
  switch (expression.kind) {
    case 'Not':
      return conditionOf(expression.operand, columns, !negated);
    case 'And':
    case 'Or': {
      const operands = expression.operands.map((operand) => conditionOf(operand, columns, negated));
      if ((expression.kind === 'And') !== negated) return andOf(operands);
      const either = orOf(operands);
      return expression.isGap === true && either.kind === 'Or' ? { ...either, isGap: true } : either;
    }
    case 'Literal': {
      const literal = literalOf(expression);
      if (literal === 'null') return NEVER;
      return literal?.type === 'boolean' ? (literal.value === negated ? NEVER : ALWAYS) : UNKNOWN;
    }
    case 'Comparison':
      return comparison(expression, columns, negated);
    case 'Between': {
      const { operand, low, high } = expression;
      const outside = expression.negated !== negated;
      const bounds = [
        compare(operand, '>=', low, columns, outside),
        compare(operand, '<=', high, columns, outside),
      ];
      return outside ? orOf(bounds) : andOf(bounds);
    }
    case 'InList':
      return inList(expression, columns, expression.negated !== negated);
    case 'IsNull': {
      const column = columnOf(expression.operand, columns);
      return column === null ? UNKNOWN : { kind: 'IsNull', column, negated: expression.negated !== negated };
    }
    case 'Like':
      return like(expression, columns, negated);
    default:
      return UNKNOWN;
  }
}

function comparison(
  { operator, left, right }: { operator: ComparisonOperator; left: Expression; right: Expression },
  columns: Columns,
  negated: boolean,
): Condition {
  if (operator !== 'IS DISTINCT FROM' && operator !== 'IS NOT DISTINCT FROM')
    return compare(left, operator, right, columns, negated);
  const [operand, constant] = columnOf(left, columns) === null ? [right, left] : [left, right];
  const column = columnOf(operand, columns);
  const literal = literalOf(constant);
  if (column === null || literal === null) return UNKNOWN;
  const distinct = (operator === 'IS DISTINCT FROM') !== negated;
  if (literal === 'null') return { kind: 'IsNull', column, negated: distinct };
  if (!distinct) return equals(column, literal);
  return orOf([
    { kind: 'Compare', column, operator: '<>', literal, orUnlike: false },
    { kind: 'IsNull', column, negated: false },
  ]);
}

function equals(column: ScanColumn, literal: Literal): Condition {
  return { kind: 'Compare', column, operator: '=', literal, orUnlike: false };
}

function compare(
  left: Expression,
  operator: CompareOperator,
  right: Expression,
  columns: Columns,
  negated = false,
): Condition {
  // A comparison with NULL is never true, whatever the other side is.
  if (literalOf(left) === 'null' || literalOf(right) === 'null') return NEVER;
  const [operand, used, constant] =
    columnOf(left, columns) === null
      ? ([right, FLIPPED[operator], left] as const)
      : ([left, operator, right] as const);
  if (operand.kind === 'Row' && constant.kind === 'Row' && used === '=' && !negated)
    return rowEquals(operand.values, constant.values, columns);
  const column = columnOf(operand, columns);
  const literal = literalOf(constant);
  if (column === null || literal === null || literal === 'null') return UNKNOWN;
  if (!negated) return { kind: 'Compare', column, operator: used, literal, orUnlike: false };
  return { kind: 'Compare', column, operator: NEGATED[used], literal, orUnlike: isRange(used) };
}

function rowEquals(left: readonly Expression[], right: readonly Expression[], columns: Columns): Condition {
  if (left.length !== right.length) return UNKNOWN;
  return andOf(left.map((operand, i) => compare(operand, '=', right[i] as Expression, columns)));
}

function inList(
  { operand, values }: { operand: Expression; values: readonly Expression[] },
  columns: Columns,
  negated: boolean,
): Condition {
  if (operand.kind === 'Row') {
    if (negated) return UNKNOWN;
    return orOf(values.map((value) => compare(operand, '=', value, columns)));
  }
  const column = columnOf(operand, columns);
  if (column === null) return UNKNOWN;
  const literals: Literal[] = [];
  for (const value of values) {
    const literal = literalOf(value);
    if (literal === null) return UNKNOWN;
    // `x NOT IN (…, NULL)` is never true; in `x IN (…, NULL)` the NULL matches nothing.
    if (literal !== 'null') literals.push(literal);
    else if (negated) return NEVER;
  }
  if (negated)
    return andOf(
      literals.map((literal) => ({ kind: 'Compare', column, operator: '<>', literal, orUnlike: false })),
    );
  const [only, ...others] = literals;
  if (only === undefined) return NEVER;
  return others.length === 0 ? equals(column, only) : { kind: 'In', column, literals };
}

function like(
  expression: Extract<Expression, { kind: 'Like' }>,
  columns: Columns,
  negated: boolean,
): Condition {
  const pattern = literalOf(expression.pattern);
  if (pattern === 'null') return NEVER;
  const column = columnOf(expression.operand, columns);
  const escape = expression.escape === null ? undefined : literalOf(expression.escape);
  if (column === null || pattern?.type !== 'text' || expression.caseInsensitive) return UNKNOWN;
  const isNotNull: Condition = { kind: 'IsNull', column, negated: true };
  // More than this is asked, so that it alone does not fulfill the predicate.
  const atLeastNotNull = andOf([isNotNull, UNKNOWN]);
  if (expression.negated !== negated) return atLeastNotNull;
  if (escape === null || (escape !== undefined && (escape === 'null' || escape.type !== 'text')))
    return UNKNOWN;
  const { prefix, rest } = likePrefix(pattern.value, escape?.value);
  // A pattern without wildcards: only a value with this very text matches, and it equals the text.
  if (prefix !== '' && rest === '') return equals(column, { type: 'text', value: prefix });
  if (prefix === '') return rest === '%' ? isNotNull : atLeastNotNull;
  return { kind: 'Prefix', column, prefix, whole: rest === '%' };
}

/** AND of conditions, what decides nothing left out. */
export function andOf(operands: readonly Condition[]): Condition {
  if (operands.some(({ kind }) => kind === 'Never')) return NEVER;
  const left = foldBounds(operands.filter(({ kind }) => kind !== 'Always'));
  if (left.length === 0) return ALWAYS;
  return left.length === 1 ? (left[0] as Condition) : { kind: 'And', operands: left };
}

/** `x >= a AND x <= a` is `x = a`, which more can be done with. */
function foldBounds(conjuncts: readonly Condition[]): readonly Condition[] {
  const bounds = (operator: CompareOperator): readonly Comparison[] =>
    conjuncts.filter(
      (conjunct) => conjunct.kind === 'Compare' && conjunct.operator === operator && !conjunct.orUnlike,
    ) as Comparison[];
  const highs = bounds('<=');
  if (highs.length === 0) return conjuncts;
  const folded = new Set<Condition>();
  const equalities: Condition[] = [];
  for (const low of bounds('>=')) {
    const high = highs.find((one) => !folded.has(one) && one.column.id === low.column.id && isSame(one, low));
    if (high === undefined) continue;
    folded.add(low).add(high);
    equalities.push({ ...low, operator: '=' });
  }
  return equalities.length === 0
    ? conjuncts
    : [...conjuncts.filter((conjunct) => !folded.has(conjunct)), ...equalities];
}

function isSame({ literal: a }: Comparison, { literal: b }: Comparison): boolean {
  if (a.type !== 'number' || b.type !== 'number') return JSON.stringify(a) === JSON.stringify(b);
  const [x, y] = [parseDecimal(a.text), parseDecimal(b.text)];
  return x !== null && y !== null && compareDecimals(x, y) === 0;
}

/** OR of conditions, what decides nothing left out. */
export function orOf(operands: readonly Condition[]): Condition {
  if (operands.some(({ kind }) => kind === 'Always')) return ALWAYS;
  const left = operands.filter(({ kind }) => kind !== 'Never');
  if (left.length === 0) return NEVER;
  return left.length === 1 ? (left[0] as Condition) : { kind: 'Or', operands: left };
}

function columnOf(expression: Expression, columns: Columns): ScanColumn | null {
  return expression.kind === 'ColumnReference' ? (columns.get(expression.column.id) ?? null) : null;
}

/** The attribute that a column is, or null when it lies below one. */
export function attributeOf(column: ScanColumn): string | null {
  const [name, ...below] = column.path;
  return typeof name === 'string' && below.length === 0 ? name : null;
}

/** Whether a condition can be true only where the attribute is there and not NULL. */
export function rejectsNull(condition: Condition, attribute: string): boolean {
  switch (condition.kind) {
    case 'Never':
      return true;
    case 'Always':
    case 'Unknown':
      return false;
    case 'And':
      return condition.operands.some((operand) => rejectsNull(operand, attribute));
    case 'Or':
      return condition.operands.every((operand) => rejectsNull(operand, attribute));
    case 'IsNull':
      return condition.negated && attributeOf(condition.column) === attribute;
    case 'Compare':
    case 'In':
    case 'Prefix':
      return attributeOf(condition.column) === attribute;
  }
}
