/**
 * Conditions on expressions of a key column, turned around: `left(sk, 2) = 'A#'` says that `sk` begins with 'A#'. Such a
 * conclusion is for reads by key; rows are checked by what is written, so it may be wider, and is never narrower.
 */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { requiredAttributes } from '../../catalog/index-relation.ts';
import { allKeyAttributes, allPartitionKeys, type CatalogTable } from '../../catalog/table.ts';
import {
  and,
  comparison,
  FALSE_LITERAL,
  isNeverTrue,
  isTrue,
  literal,
  TRUE_LITERAL,
  or,
} from '../../logical/build-expression.ts';
import { FLIPPED, NEGATED } from '../../logical/comparison-operators.ts';
import { constantValue, isApproximate } from '../../logical/constant-value.ts';
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
import { datesTogether } from './dates-together.ts';
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

/** A key column: its type, and whether every row has a value of it. */
interface KeyColumn {
  readonly type: OperandType;
  readonly isRequired: boolean;
  /** Whether it is a partition key, of the table or of an index. */
  readonly isPartition: boolean;
}

type KeyColumns = ReadonlyMap<ColumnId, KeyColumn>;

/** Findings about one table's columns, kept as long as the table is known. */
type ByTable<V> = WeakMap<CatalogTable, V>;

/** Conclusions are asked for again with each access path that is tried, from the same conjuncts in lists of many kinds. */
const ofOne = remembered((_: Expression): ByTable<Conclusions> => new WeakMap());
const ofAll = remembered((_: readonly Expression[]): ByTable<readonly Expression[]> => new WeakMap());

function kept<V>(byTable: ByTable<V>, table: CatalogTable, find: () => V): V {
  const before = byTable.get(table);
  if (before !== undefined) return before;
  const now = find();
  byTable.set(table, now);
  return now;
}

/** What conjuncts imply of key columns, where rules say so; nothing where they speak of them as it is. */
export function turnedAround(
  conjuncts: readonly Expression[],
  columns: readonly ScanColumn[],
  table: CatalogTable,
): readonly Expression[] {
  return kept(ofAll(conjuncts), table, () => {
    const keys = keyColumns(columns, table);
    const each = conjuncts.map((conjunct) =>
      kept(ofOne(conjunct), table, () => conclude(conjunct, keys, NO_BEGINNINGS)),
    );
    const together = concludeTogether(conjuncts, keys);
    const implied = [...each.flatMap((one) => one.implied), ...together];
    if (!each.some(({ asksForBeginnings }) => asksForBeginnings)) return implied;
    const beginnings = beginningsIn([...conjuncts, ...implied]);
    if (beginnings.size === 0) return implied;
    const known = conjuncts.flatMap((conjunct, i) =>
      each[i]?.asksForBeginnings === true
        ? conclude(conjunct, keys, beginnings).implied
        : (each[i]?.implied ?? []),
    );
    return [...known, ...together];
  });
}

function keyColumns(columns: readonly ScanColumn[], table: CatalogTable): KeyColumns {
  const types = new Map(allKeyAttributes(table).map(({ name, type }) => [name, TYPES[type] ?? 'other']));
  const required = new Set(requiredAttributes(table).map(({ name }) => name));
  const partitionKeys = new Set(allPartitionKeys(table).map(({ name }) => name));
  const keys = new Map<ColumnId, KeyColumn>();
  for (const { id, path } of columns) {
    const name = String(path[0]);
    const type = path.length === 1 ? types.get(name) : undefined;
    if (type !== undefined)
      keys.set(id, { type, isRequired: required.has(name), isPartition: partitionKeys.has(name) });
  }
  return keys;
}

const NO_BEGINNINGS: Beginnings = new Map();
const NOTHING: Conclusions = Object.freeze({ implied: [], asksForBeginnings: false });

function conclude(conjunct: Expression, keys: KeyColumns, beginnings: Beginnings): Conclusions {
  if ([...usedColumns(conjunct)].every((id) => !keys.has(id))) return NOTHING;
  const turning = new Turning(keys, beginnings);
  const implied = turning.implied(conjunct, false, 0);
  return {
    implied: turning.hasTurned && !isTrue(implied) ? [implied] : [],
    asksForBeginnings: turning.asksForBeginnings,
  };
}

/** Conclusions from conjuncts together, which none allows by itself. */
function concludeTogether(conjuncts: readonly Expression[], keys: KeyColumns): readonly Expression[] {
  const turning = new Turning(keys, NO_BEGINNINGS);
  return turning.together(conjuncts, 0).filter((implied) => !isTrue(implied));
}

/** One conjunct's turning around. */
class Turning {
  hasTurned = false;
  asksForBeginnings = false;
  #steps = 0;
  #beginnings: Beginnings;
  readonly #context: TurnAroundContext;
  readonly #keys: KeyColumns;

  constructor(keys: KeyColumns, beginnings: Beginnings) {
    this.#keys = keys;
    this.#beginnings = beginnings;
    this.#context = {
      keyType: ({ column }) => keys.get(column.id)?.type ?? null,
      isPartitionKey: ({ id }) => keys.get(id)?.isPartition === true,
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
        if ((node.kind === 'And') === negated) {
          const found = either(node.operands.map((operand) => inner(operand)));
          return node.isGap === true && found.kind === 'Or'
            ? Object.freeze({ ...found, isGap: true })
            : found;
        }
        return this.#allOf(node.operands, inner, negated, depth);
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
    depth: number,
  ): Expression {
    const asked = this.asksForBeginnings;
    this.asksForBeginnings = false;
    const beside = negated ? [] : this.together(operands, depth);
    const alone = [...operands.map((operand) => inner(operand)), ...beside];
    const asksNow = this.asksForBeginnings;
    this.asksForBeginnings = asked;
    if (!asksNow) return all(alone);
    const outside = this.#beginnings;
    this.#beginnings = new Map([...outside, ...beginningsIn(negated ? alone : [...operands, ...alone])]);
    // Where these do not say it, what is outside may.
    const known = operands.map((operand) => inner(operand));
    this.#beginnings = outside;
    return all([...known, ...beside]);
  }

  /** Conclusions from conditions that all hold, which none allows by itself. */
  together(conditions: readonly Expression[], depth: number): readonly Expression[] {
    return datesTogether(conditions, this.#context).map((found) => this.#again(found, depth));
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
    const key = operand.kind === 'ColumnReference' ? this.#keys.get(operand.column.id) : undefined;
    if (key === undefined) return TRUE_LITERAL;
    if (key.isRequired) return negated ? TRUE_LITERAL : FALSE_LITERAL;
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
  return value.type !== 'temporal' && value.type !== 'interval' && !isApproximate(value);
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
  return possible.length === 0 ? FALSE_LITERAL : or(possible);
}
