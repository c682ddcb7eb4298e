/**
 * Conditions on expressions of a key column, turned around: `left(sk, 2) = 'A#'` says that `sk` begins with 'A#'. Such a
 * conclusion is for reads by key; rows are checked by what is written, so it may be wider, and is never narrower.
 */
import { requiredAttributes } from '../../catalog/index-relation.ts';
import { allKeyAttributes, type CatalogTable } from '../../catalog/table.ts';
import {
  and,
  comparison,
  FALSE_LITERAL,
  isNeverTrue,
  isTrue,
  literal,
  TRUE_LITERAL,
} from '../../logical/build-expression.ts';
import { FLIPPED, NEGATED } from '../../logical/comparison-operators.ts';
import { constantValue } from '../../logical/constant-value.ts';
import type {
  ComparisonOperator,
  Column,
  ColumnId,
  Expression,
  LiteralValue,
} from '../../logical/expression.ts';
import type { ScanColumn } from '../../logical/plan.ts';
import { walkExpression } from '../../logical/visit.ts';
import { usedColumns } from '../column-use.ts';
import { TURN_AROUND_DEPTH_MAX, TURN_AROUND_STEPS_MAX, TURN_AROUND_VALUES_MAX } from '../limits.ts';
import { beginningsIn, type Beginnings } from './beginnings.ts';
import type { Beginning, ComparisonWithConstant, OperandType, TurnAroundContext } from './rule.ts';
import { TURN_AROUND_RULES } from './rules.ts';
import { isTime } from './value-kind.ts';

type Operator = ComparisonWithConstant['operator'];

const TYPES: Readonly<Record<string, OperandType>> = Object.freeze({ S: 'text', N: 'number', B: 'other' });

/** What one conjunct implies. */
interface Conclusions {
  readonly implied: readonly Expression[];
  /** Whether it would say more, were it known what the texts of a key begin with. */
  readonly asksForBeginnings: boolean;
}

/** Asked again for each access path that is tried. Of one table's columns each conjunct, and each list of them, is about. */
const knownOfOne = new WeakMap<Expression, WeakMap<CatalogTable, Conclusions>>();
const knownOfAll = new WeakMap<readonly Expression[], WeakMap<CatalogTable, readonly Expression[]>>();

/** What conjuncts imply of key columns, where rules say so; nothing where they speak of them as it is. */
export function turnedAround(
  conjuncts: readonly Expression[],
  columns: readonly ScanColumn[],
  table: CatalogTable,
): readonly Expression[] {
  return remembered(knownOfAll, conjuncts, table, () => {
    const each = conjuncts.map((conjunct) =>
      remembered(knownOfOne, conjunct, table, () => conclude(conjunct, columns, table, NO_BEGINNINGS)),
    );
    const implied = each.flatMap((one) => one.implied);
    if (!each.some(({ asksForBeginnings }) => asksForBeginnings)) return implied;
    const beginnings = beginningsIn([...conjuncts, ...implied]);
    if (beginnings.size === 0) return implied;
    return conjuncts.flatMap((conjunct, i) =>
      each[i]?.asksForBeginnings === true
        ? conclude(conjunct, columns, table, beginnings).implied
        : (each[i]?.implied ?? []),
    );
  });
}

function remembered<K extends object, V>(
  known: WeakMap<K, WeakMap<CatalogTable, V>>,
  key: K,
  table: CatalogTable,
  find: () => V,
): V {
  const byTable = known.get(key) ?? new WeakMap<CatalogTable, V>();
  known.set(key, byTable);
  const before = byTable.get(table);
  if (before !== undefined) return before;
  const now = find();
  byTable.set(table, now);
  return now;
}

const NO_BEGINNINGS: Beginnings = new Map();
const NOTHING: Conclusions = Object.freeze({ implied: [], asksForBeginnings: false });

function conclude(
  conjunct: Expression,
  columns: readonly ScanColumn[],
  table: CatalogTable,
  beginnings: Beginnings,
): Conclusions {
  const names = new Map(allKeyAttributes(table).map(({ name, type }) => [name, TYPES[type] ?? 'other']));
  const keys = new Map<ColumnId, OperandType>();
  for (const { id, path } of columns) {
    const type = path.length === 1 ? names.get(String(path[0])) : undefined;
    if (type !== undefined) keys.set(id, type);
  }
  if ([...usedColumns(conjunct)].every((id) => !keys.has(id))) return NOTHING;
  const always = new Set(requiredAttributes(table).map(({ name }) => name));
  const required = new Set(
    columns.filter(({ id, path }) => keys.has(id) && always.has(String(path[0]))).map(({ id }) => id),
  );
  const turning = new Turning(keys, required, beginnings);
  const implied = turning.implied(conjunct, false, 0);
  return {
    implied: turning.hasTurned && !isTrue(implied) ? [implied] : [],
    asksForBeginnings: turning.asksForBeginnings,
  };
}

/** One conjunct's turning around. */
class Turning {
  hasTurned = false;
  asksForBeginnings = false;
  #steps = 0;
  #beginnings: Beginnings;
  readonly #context: TurnAroundContext;
  readonly #required: ReadonlySet<ColumnId>;

  /** `required`: the columns that have a value in every row. */
  constructor(
    keys: ReadonlyMap<ColumnId, OperandType>,
    required: ReadonlySet<ColumnId>,
    beginnings: Beginnings,
  ) {
    this.#required = required;
    this.#beginnings = beginnings;
    this.#context = {
      keyType: ({ column }) => keys.get(column.id) ?? null,
      beginnings: (column) => this.#beginningsOf(column),
    };
  }

  /** What holds wherever the condition is true (or false, where negated); TRUE where nothing is known. */
  implied(node: Expression, negated: boolean, depth: number): Expression {
    if (depth > TURN_AROUND_DEPTH_MAX || ++this.#steps > TURN_AROUND_STEPS_MAX) return TRUE_LITERAL;
    const inner = (one: Expression, not = negated): Expression => this.implied(one, not, depth + 1);
    switch (node.kind) {
      case 'Not':
        return inner(node.operand, !negated);
      case 'And':
      case 'Or': {
        if ((node.kind === 'And') === negated) return either(node.operands.map((operand) => inner(operand)));
        return this.#allOf(node.operands, inner, negated);
      }
      case 'Comparison': {
        const operator = operatorOf(node.operator, negated);
        if (operator === undefined) return TRUE_LITERAL;
        const value = constantValue(node.right);
        const other = constantValue(node.left);
        if (value === null && other === null) return negated ? TRUE_LITERAL : this.#condition(node, depth);
        const [operand, used, constant] =
          value === null
            ? [node.right, FLIPPED[operator], other as LiteralValue]
            : [node.left, operator, value];
        return negated && this.#mayBeNoTime(operand, used, constant)
          ? TRUE_LITERAL
          : this.#compared(operand, used, constant, depth);
      }
      case 'Between': {
        const [low, high] = [constantValue(node.low), constantValue(node.high)];
        const outside = node.negated !== negated;
        const isOfTimes = [low, high].some(
          (one) => one !== null && this.#mayBeNoTime(node.operand, '<', one),
        );
        if (outside && isOfTimes) return TRUE_LITERAL;
        const bounds = [
          low === null ? TRUE_LITERAL : this.#compared(node.operand, outside ? '<' : '>=', low, depth),
          high === null ? TRUE_LITERAL : this.#compared(node.operand, outside ? '>' : '<=', high, depth),
        ];
        return outside ? either(bounds) : all(bounds);
      }
      case 'InList': {
        if (node.negated !== negated || node.values.length > TURN_AROUND_VALUES_MAX) return TRUE_LITERAL;
        const values = node.values.map(constantValue);
        if (values.some((value) => value === null))
          return node.negated ? TRUE_LITERAL : this.#condition(node, depth);
        return either(values.map((value) => this.#compared(node.operand, '=', value as LiteralValue, depth)));
      }
      case 'IsNull':
        return this.#isNull(node, node.negated !== negated);
      case 'Literal':
        return negated ? TRUE_LITERAL : node;
      default:
        return negated ? TRUE_LITERAL : this.#condition(node, depth);
    }
  }

  /** All hold: what one says that a text begins with helps to tell what the others say of it. */
  #allOf(
    operands: readonly Expression[],
    inner: (operand: Expression) => Expression,
    negated: boolean,
  ): Expression {
    const asked = this.asksForBeginnings;
    this.asksForBeginnings = false;
    const alone = operands.map((operand) => inner(operand));
    const asksNow = this.asksForBeginnings;
    this.asksForBeginnings = asked;
    if (!asksNow) return all(alone);
    const outside = this.#beginnings;
    this.#beginnings = new Map([...outside, ...beginningsIn(negated ? alone : [...operands, ...alone])]);
    // Where these do not say it, what is outside may.
    const together = operands.map((operand) => inner(operand));
    this.#beginnings = outside;
    return all(together);
  }

  #beginningsOf({ id }: Column): readonly Beginning[] | null {
    const known = this.#beginnings.get(id) ?? null;
    if (known === null) this.asksForBeginnings = true;
    return known;
  }

  /** A text that is no time is neither before another nor after it: where one is denied, the other need not hold. */
  #mayBeNoTime(operand: Expression, operator: Operator, value: LiteralValue): boolean {
    // What is made a time of it is NULL or fails, and then nothing is true.
    if (operator === '=' || value.type !== 'temporal' || isTime(operand)) return false;
    let isText = false;
    walkExpression(operand, (node) => {
      if (node.kind === 'ColumnReference' && this.#context.keyType(node) !== 'number') isText = true;
    });
    return isText;
  }

  #compared(operand: Expression, operator: Operator, value: LiteralValue, depth: number): Expression {
    // Compared with NULL, nothing is true.
    if (value.type === 'null') return FALSE_LITERAL;
    // Of a long list, each value may become many conditions.
    if (this.#steps > TURN_AROUND_STEPS_MAX) return TRUE_LITERAL;
    if (operand.kind === 'ColumnReference') {
      if (this.#context.keyType(operand) === null) return TRUE_LITERAL;
      if (isPlain(value)) return comparison(operator, operand, literal(value));
    }
    for (const { comparison: turn } of TURN_AROUND_RULES) {
      const found = turn?.({ operand, operator, value }, this.#context) ?? null;
      if (found !== null) return this.#again(found, depth);
    }
    return TRUE_LITERAL;
  }

  /** The table's own keys are in every item. */
  #isNull({ operand }: Extract<Expression, { kind: 'IsNull' }>, negated: boolean): Expression {
    if (operand.kind !== 'ColumnReference' || this.#context.keyType(operand) === null) return TRUE_LITERAL;
    if (this.#required.has(operand.column.id)) return negated ? TRUE_LITERAL : FALSE_LITERAL;
    return Object.freeze({ kind: 'IsNull', operand, negated });
  }

  #condition(node: Expression, depth: number): Expression {
    if (node.kind === 'Like' && node.operand.kind === 'ColumnReference') return node;
    for (const { condition: turn } of TURN_AROUND_RULES) {
      const found = turn?.(node, this.#context) ?? null;
      if (found !== null) return this.#again(found, depth);
    }
    return TRUE_LITERAL;
  }

  #again(found: Expression, depth: number): Expression {
    this.hasTurned = true;
    return this.implied(found, false, depth + 1);
  }
}

/** A value that attributes may have; of others, a rule knows what they say of a key. */
function isPlain(value: LiteralValue): boolean {
  return value.type === 'number'
    ? value.approximate !== true
    : value.type !== 'temporal' && value.type !== 'interval';
}

/** What a comparison asks, or what it asks where it is denied; undefined where rules are not given that. */
function operatorOf(operator: ComparisonOperator, negated: boolean): Operator | undefined {
  if (operator === 'IS DISTINCT FROM' || operator === 'IS NOT DISTINCT FROM') return undefined;
  const asked = negated ? NEGATED[operator] : operator;
  return asked === '<>' ? undefined : asked;
}

function all(operands: readonly Expression[]): Expression {
  return and(operands.filter((operand) => !isTrue(operand)));
}

function either(operands: readonly Expression[]): Expression {
  if (operands.some(isTrue)) return TRUE_LITERAL;
  const possible = operands.filter((operand) => !isNeverTrue(operand));
  const [only] = possible;
  if (possible.length === 1 && only !== undefined) return only;
  return possible.length === 0
    ? FALSE_LITERAL
    : Object.freeze({ kind: 'Or', operands: Object.freeze(possible) });
}
