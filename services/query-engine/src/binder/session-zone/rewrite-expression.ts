/**
 * Expressions over times with a zone, by the session's zone: dates, parts and texts of what clocks show there, days that are as
 * long as they are there. What cannot be told is refused by name. Children come first.
 */
import { castTo, functionCall } from '../../logical/build-expression.ts';
import type { Expression } from '../../logical/expression.ts';
import { argumentKind } from '../../logical/functions/definition.ts';
import { scalarNamed } from '../../logical/functions/list.ts';
import { outputColumns } from '../../logical/output.ts';
import { withFields, type OfKind } from '../../logical/visit.ts';
import { asInstant, type Clocks } from './clocks.ts';
import { intervalKind, lacksOffset } from './constants.ts';
import { CHOICES, type ColumnKinds } from './time-kind.ts';
import { withArguments, withChoices } from './parts.ts';

type Node<K extends Expression['kind']> = OfKind<Expression, K>;
type Call = Node<'FunctionCall'>;
type CallRule = (node: Call, clocks: Clocks) => Expression;

/** Parts that are the same wherever the clock hangs. */
const ANYWHERE: ReadonlySet<string> = new Set(['EPOCH']);
const OF_ZONES = /^TIMEZONE/;
const OF_CLOCKS: ReadonlySet<string> = new Set(['DATE', 'TIME', 'TIMESTAMP']);

const now = (node: Expression): Expression => functionCall('CURRENT_TIMESTAMP', [], node.pos);

/** The operand of a part of a time, as clocks show it where the part depends on that. */
function partOf(part: string, operand: Expression, clocks: Clocks): Expression {
  if (clocks.kind(operand) !== 'zoned' || ANYWHERE.has(part)) return operand;
  if (OF_ZONES.test(part)) throw clocks.refused(operand, `The part ${part} of a time`);
  return clocks.shown(operand);
}

/** A time and an interval. */
function shifted(
  time: Expression,
  interval: Expression,
  clocks: Clocks,
  make: (time: Expression) => Expression,
): Expression {
  switch (intervalKind(interval)) {
    case 'clock':
      return make(time);
    case 'calendar':
      return clocks.when(make(clocks.shown(time)));
    case 'untold':
      throw clocks.refused(
        interval,
        'A time with a zone and an interval of which the statement does not tell whether it is of days or of hours',
        `write an interval such as INTERVAL '7 days' or n * INTERVAL '1 hour'`,
      );
  }
}

const addition: CallRule = (node, clocks) => {
  const [time, interval] = node.arguments;
  if (time === undefined || interval === undefined || clocks.kind(time) !== 'zoned') return node;
  return shifted(time, interval, clocks, (shown) => withArguments(node, [shown, interval]));
};

const alikeArguments: CallRule = (node, clocks) => withArguments(node, clocks.alike(node.arguments));

const CALLS: ReadonlyMap<string, CallRule> = new Map<string, CallRule>([
  ['CURRENT_TIMESTAMP', (node) => node],
  ['CURRENT_DATE', (node, clocks) => castTo(clocks.shown(now(node)), 'DATE', node.pos)],
  ['LOCALTIMESTAMP', (node, clocks) => clocks.shown(now(node))],
  [
    'CURRENT_TIME',
    (node, clocks) => {
      throw clocks.refused(node, 'CURRENT_TIME', 'LOCALTIMESTAMP::time is the time that clocks show');
    },
  ],
  // By a format it is read as what clocks show.
  ['TO_TIMESTAMP', (node, clocks) => (node.arguments.length === 1 ? node : clocks.when(node))],
  [
    'TIMEZONE',
    (node, clocks) => {
      const [zone, time] = node.arguments;
      if (zone === undefined || time === undefined) return node;
      if (lacksOffset(time)) return withArguments(node, [zone, clocks.when(time)]);
      return clocks.kind(time) === 'zoned' ? withArguments(node, [zone, asInstant(time)]) : node;
    },
  ],
  [
    'DATE_TRUNC',
    (node, clocks) => {
      const [unit, time] = node.arguments;
      if (unit === undefined || time === undefined) return node;
      if (lacksOffset(time)) return clocks.when(node);
      return clocks.kind(time) === 'zoned'
        ? clocks.when(withArguments(node, [unit, clocks.shown(time)]))
        : node;
    },
  ],
  [
    'DATE_PART',
    (node, clocks) => {
      const [part, time] = node.arguments;
      if (part?.kind !== 'Literal' || part.value.type !== 'text' || time === undefined) return node;
      return withArguments(node, [part, partOf(part.value.value.toUpperCase(), time, clocks)]);
    },
  ],
  ['DATE_ADD', addition],
  ['DATE_SUB', addition],
  [
    'DATE_BIN',
    (node, clocks) => {
      const [stride, ...times] = node.arguments;
      return stride === undefined ? node : withArguments(node, [stride, ...clocks.alike(times)]);
    },
  ],
  ['NULLIF', alikeArguments],
  ['EPOCH', (node) => node],
  ['EPOCH_MS', (node) => node],
  ...[...CHOICES].map((name): [string, CallRule] => [name, alikeArguments]),
]);

/** Any other function: what takes a time gets what clocks show. */
const ofClocks: CallRule = (node, clocks) => {
  const definition = scalarNamed(node.name);
  const values = node.arguments.map((value, i) => {
    if (clocks.kind(value) !== 'zoned') return value;
    if (argumentKind(definition, i) !== 'instant')
      throw clocks.refused(value, `${node.name} of a time with a zone`);
    return clocks.shown(value);
  });
  return withArguments(node, values);
};

function cast(node: Node<'Cast'>, clocks: Clocks): Expression {
  const { operand, sqlType } = node;
  const kind = clocks.kind(operand);
  if (sqlType === 'TIMESTAMPTZ')
    return kind === 'local' || lacksOffset(operand) ? clocks.when(operand) : node;
  if (kind !== 'zoned') return node;
  if (OF_CLOCKS.has(sqlType)) return withFields(node, { operand: clocks.shown(operand) });
  throw clocks.refused(
    node,
    'A time with a zone as text',
    `write TO_CHAR(x, 'YYYY-MM-DD HH24:MI:SS'), which is what clocks show`,
  );
}

function arithmetic(node: Node<'Arithmetic'>, clocks: Clocks): Expression {
  const { operator, left, right } = node;
  const [of, by] = [clocks.kind(left), clocks.kind(right)];
  if (of !== 'zoned' && by !== 'zoned') return node;
  if (operator !== '+' && operator !== '-') throw clocks.refused(node, `'${operator}' of a time with a zone`);
  if (of !== null && by !== null) {
    const [first = left, second = right] = clocks.alike([left, right]);
    return withFields(node, { left: first, right: second });
  }
  return of === 'zoned'
    ? shifted(left, right, clocks, (time) => withFields(node, { left: time }))
    : shifted(right, left, clocks, (time) => withFields(node, { right: time }));
}

/** Values that are compared; of rows each with the one at its place. */
function compared(nodes: readonly Expression[], clocks: Clocks): readonly Expression[] {
  const rows = nodes.filter((node) => node.kind === 'Row');
  if (rows.length !== nodes.length) return clocks.alike(nodes);
  const places = (rows[0]?.values ?? []).map((_, i) =>
    clocks.alike(rows.flatMap(({ values }) => values[i] ?? [])),
  );
  return rows.map((row, r) =>
    withFields(row, { values: Object.freeze(row.values.map((value, i) => places[i]?.[r] ?? value)) }),
  );
}

function ofCase(node: Node<'Case'>, clocks: Clocks): Expression {
  const { operand, branches } = node;
  const tested = branches.map(({ when }) => when);
  const [of, ...whens] = operand === null ? [null, ...tested] : compared([operand, ...tested], clocks);
  const made = branches.map((branch, i) => withFields(branch, { when: whens[i] ?? branch.when }));
  const isSame = of === operand && made.every((branch, i) => branch === branches[i]);
  return withChoices(
    isSame ? node : withFields(node, { operand: of ?? null, branches: Object.freeze(made) }),
    clocks.alike,
  );
}

/** A value among those of a subquery: both have a zone, or none has. */
function amongRows(
  node: Node<'InSubquery'> | Node<'QuantifiedComparison'>,
  columns: ColumnKinds,
  clocks: Clocks,
): Expression {
  const values = node.operand.kind === 'Row' ? node.operand.values : [node.operand];
  const of = outputColumns(node.plan).map(({ id }) => columns.get(id) ?? null);
  const isMixed = values.some((value, i) => (clocks.kind(value) === 'zoned') !== (of[i] === 'zoned'));
  if (isMixed) throw clocks.refused(node, 'A time with a zone among others without one', 'cast one of them');
  return node;
}

/** The node by the session's zone, its children being so already. @throws PenstockError UNSUPPORTED_SQL */
export function inSessionZone(node: Expression, columns: ColumnKinds, clocks: Clocks): Expression {
  switch (node.kind) {
    case 'Literal':
      return node.value.type === 'temporal' && lacksOffset(node)
        ? clocks.when({ ...node, value: { ...node.value, sqlType: 'TIMESTAMP' } })
        : node;
    case 'Cast':
      return cast(node, clocks);
    case 'Extract':
      return withFields(node, { operand: partOf(node.field, node.operand, clocks) });
    case 'FunctionCall':
      return (CALLS.get(node.name) ?? ofClocks)(node, clocks);
    case 'Arithmetic':
      return arithmetic(node, clocks);
    case 'Comparison': {
      const [left = node.left, right = node.right] = compared([node.left, node.right], clocks);
      return withFields(node, { left, right });
    }
    case 'Between': {
      const [operand = node.operand, low = node.low, high = node.high] = clocks.alike([
        node.operand,
        node.low,
        node.high,
      ]);
      return withFields(node, { operand, low, high });
    }
    case 'InList': {
      const [operand = node.operand, ...values] = compared([node.operand, ...node.values], clocks);
      return withFields(node, { operand, values: Object.freeze(values) });
    }
    case 'Case':
      return ofCase(node, clocks);
    case 'InSubquery':
    case 'QuantifiedComparison':
      return amongRows(node, columns, clocks);
    default:
      return node;
  }
}
