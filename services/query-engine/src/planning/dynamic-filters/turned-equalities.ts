/**
 * Equalities of expressions of a column, turned around: `SUBSTR(o.pk, 10) = c.id` where `o.pk` begins with 'CUSTOMER#' says that
 * `o.pk` is 'CUSTOMER#' || c.id, and `'CUSTOMER#' || c.id = o.pk` says what `c.id` is. As with constants, a text that is joined
 * or cut is one: of a value of another type nothing can be said, since it equals several texts.
 */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { requiredAttributes } from '../../catalog/index-relation.ts';
import {
  and,
  comparison,
  expression,
  functionCall,
  literal,
  NULL_LITERAL,
  TRUE_LITERAL,
} from '../../logical/build-expression.ts';
import type { ColumnId, Expression } from '../../logical/expression.ts';
import type { LogicalPlan } from '../../logical/plan.ts';
import { beginningsIn, type Beginnings } from '../../optimizer/turned-around/beginnings.ts';
import {
  joinedWithConstants,
  type JoinedWithConstants,
} from '../../optimizer/turned-around/rules/concatenation.ts';
import type { TurnAroundContext } from '../../optimizer/turned-around/rule.ts';
import { isText } from '../../optimizer/turned-around/value-kind.ts';
import { constantCount } from '../../optimizer/turned-around/rules/text-conditions.ts';
import { turnedAround } from '../../optimizer/turned-around/turned-around.ts';
import { scansIn } from './build-side.ts';
import { equalitiesOf, type ColumnEquality } from './equalities.ts';

/** Joins with constants that are peeled off: each names the value several times. */
const JOINS_MAX = 2;

/** What the texts of columns begin with in a part of the plan, by the filters of its scans. */
const beginningsBelow = remembered((plan: LogicalPlan): Beginnings => {
  const all = scansIn(plan).map(({ filter, columns, table }) =>
    beginningsIn([...filter, ...turnedAround(filter, columns, table)]),
  );
  return new Map(all.flatMap((one) => [...one]));
});

/** Columns whose every value is a text: keys of the tables that are read. Items may hold anything in others. */
const textColumns = remembered(
  (plan: LogicalPlan): ReadonlySet<ColumnId> =>
    new Set(
      scansIn(plan).flatMap(({ table, columns }) => {
        const names = requiredAttributes(table).flatMap(({ name, type }) => (type === 'S' ? [name] : []));
        return columns
          .filter(({ path }) => path.length === 1 && names.includes(String(path[0])))
          .map(({ id }) => id);
      }),
    ),
);

/** The part of the plan whose columns are looked for, and the one that gives the values. */
interface Sides {
  readonly below: LogicalPlan;
  readonly buildSide: LogicalPlan;
}

/** What a conjunct says of columns below it that it does not name by themselves. */
export function turnedEqualities(conjunct: Expression, sides: Sides): readonly ColumnEquality[] {
  return equalitiesOf(conjunct).flatMap(([side, value]) =>
    side.kind === 'ColumnReference' ? [] : equalColumns(side, value, sides),
  );
}

/** What columns equal, where an expression of one of them equals a value; none where that cannot be told. */
export function equalColumns(side: Expression, value: Expression, sides: Sides): readonly ColumnEquality[] {
  return peeled(side, value, sides, 0);
}

function peeled(side: Expression, value: Expression, sides: Sides, joins: number): readonly ColumnEquality[] {
  if (side.kind === 'ColumnReference') return [{ column: side.column, value }];
  // What equals the text of a value equals the value.
  if (side.kind === 'Cast' && side.sqlType === 'VARCHAR') return peeled(side.operand, value, sides, joins);
  const joined = joinedWithConstants(side);
  if (joined !== null) {
    if (joins >= JOINS_MAX) return [];
    const left = ofText(value, between(joined, value), sides.buildSide);
    return peeled(joined.operand, left, sides, joins + 1);
  }
  if (side.kind !== 'FunctionCall' || side.name !== 'SUBSTRING' || side.arguments.length !== 2) return [];
  const [whole, from] = side.arguments;
  const place = constantCount(from);
  if (whole?.kind !== 'ColumnReference' || place === null) return [];
  const [beginning, ...others] = beginningsBelow(sides.below).get(whole.column.id) ?? [];
  const before = [...(beginning?.text ?? '')].slice(0, place - 1);
  if (before.length < place - 1 || beginning?.isWhole !== false || others.length > 0) return [];
  const joint = expression({ kind: 'Arithmetic', operator: '||', left: text(before.join('')), right: value });
  return [{ column: whole.column, value: ofText(value, joint, sides.buildSide) }];
}

/** What remains of a text between constants; NULL, which nothing equals, where it does not begin and end so. */
function between({ before, after, isNullEmpty }: JoinedWithConstants, value: Expression): Expression {
  const cut = before === '' ? value : functionCall('SUBSTRING', [value, number([...before].length + 1)]);
  const left = after === '' ? cut : functionCall('LEFT', [cut, number(-[...after].length)]);
  const hasBoth = and([
    ...(before === '' ? [] : [functionCall('STARTS_WITH', [value, text(before)])]),
    ...(after === '' ? [] : [functionCall('ENDS_WITH', [value, text(after)])]),
  ]);
  // NULL counts as empty there.
  const unknown = { when: comparison('=', value, text(before + after)), then: TRUE_LITERAL };
  const branches = [...(isNullEmpty ? [unknown] : []), { when: hasBoth, then: left }];
  return expression({ kind: 'Case', operand: null, branches, otherwise: null });
}

/** What is made of a text; of any other value a truth value, by which no key is found, so that none is left out. */
function ofText(value: Expression, made: Expression, buildSide: LogicalPlan): Expression {
  const keyType: TurnAroundContext['keyType'] = ({ column }) =>
    textColumns(buildSide).has(column.id) ? 'text' : null;
  if (isText(value, { keyType, isPartitionKey: () => false, beginnings: () => null })) return made;
  return expression({
    kind: 'Case',
    operand: null,
    branches: [
      { when: expression({ kind: 'IsNull', operand: value, negated: false }), then: NULL_LITERAL },
      { when: comparison('=', functionCall('TYPEOF', [value]), text('VARCHAR')), then: made },
    ],
    otherwise: TRUE_LITERAL,
  });
}

const text = (value: string): Expression => literal({ type: 'text', value });
const number = (value: number): Expression => literal({ type: 'number', text: String(value) });
