/** A statement's plan by its session's zone: kinds of times are handed up from node to node, and expressions go by them. */
import { columnReference } from '../../logical/build-expression.ts';
import { project } from '../../logical/build-plan.ts';
import type {
  AggregateCall,
  Column,
  ColumnId,
  Expression,
  WindowSpecification,
} from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type { Cte, LogicalPlan, Recursion, Series, SetOperation, Values } from '../../logical/plan.ts';
import { mapExpressions, mapInputs, mapList, transformExpression, withFields } from '../../logical/visit.ts';
import { clocksIn } from './clocks.ts';
import { intervalKind, withInterval } from './constants.ts';
import { inUtc } from './in-utc.ts';
import { inSessionZone } from './rewrite-expression.ts';
import { commonKind, type TimeKind } from './time-kind.ts';

export interface SessionZone {
  /** An IANA name. */
  readonly zone: string;
  /** The statement's text, for errors. */
  readonly sql: string;
  readonly newColumn: (name: string) => Column;
}

/** Calls whose value is one of their first argument's. */
const CHOSEN: ReadonlySet<string> = new Set(
  'MIN MAX ANY_VALUE ARG_MIN ARG_MAX LAG LEAD FIRST_VALUE LAST_VALUE NTH_VALUE'.split(' '),
);
/** The same, of what their rows are sorted by. */
const CHOSEN_BY_ORDER: ReadonlySet<string> = new Set(['MODE', 'PERCENTILE_DISC']);

/** @throws PenstockError UNSUPPORTED_SQL where something cannot be done in the zone */
export function planInZone(root: LogicalPlan, { zone, sql, newColumn }: SessionZone): LogicalPlan {
  const isUtc = zone === 'UTC';
  const kinds = new Map<ColumnId, TimeKind>();
  const byQuery = new Map<number, readonly TimeKind[]>();
  const clocks = clocksIn(zone, kinds, sql);

  const kindsOf = (plan: LogicalPlan): readonly TimeKind[] =>
    outputColumns(plan).map(({ id }) => kinds.get(id) ?? null);
  const learn = (columns: readonly Column[], of: readonly TimeKind[]): void => {
    for (const [i, { id }] of columns.entries()) kinds.set(id, of[i] ?? null);
  };
  const rewritten = (root: Expression): Expression =>
    transformExpression(
      root,
      (written) => {
        const node = withInterval(written, clocks.kind);
        return isUtc ? inUtc(node, clocks) : inSessionZone(node, kinds, clocks);
      },
      walk,
    );

  function ofCall(call: AggregateCall): TimeKind {
    const [first] = call.arguments;
    const key = call.withinGroup[0]?.expression;
    if (CHOSEN_BY_ORDER.has(call.name) && key !== undefined) return clocks.kind(key);
    const zoned = call.arguments.find((value) => clocks.kind(value) === 'zoned');
    if (!CHOSEN.has(call.name)) {
      if (!isUtc && zoned !== undefined && call.name !== 'COUNT')
        throw clocks.refused(zoned, `${call.name} of a time with a zone`);
      return null;
    }
    const isMixed = call.arguments.some((value) => clocks.kind(value) === 'local');
    if (!isUtc && zoned !== undefined && isMixed && !/^ARG_/.test(call.name))
      throw clocks.refused(zoned, `${call.name} of times with a zone and without one`);
    return first === undefined ? null : clocks.kind(first);
  }

  /** Distances of days from a time with a zone are not as long everywhere. */
  function checkFrame({ frame, orderBy }: WindowSpecification): void {
    if (isUtc || frame?.unit !== 'RANGE') return;
    const distances = [frame.start.offset, frame.end.offset].filter((offset) => offset !== null);
    const key = orderBy.find(({ expression }) => clocks.kind(expression) === 'zoned')?.expression;
    if (key !== undefined && distances.some((distance) => intervalKind(distance) !== 'clock'))
      throw clocks.refused(key, 'A frame of days by a time with a zone');
  }

  /** Both sides have a zone, or none has. */
  function sameKinds(node: SetOperation | Recursion, first: LogicalPlan, second: LogicalPlan): void {
    const [left, right] = [kindsOf(first), kindsOf(second)];
    const at = left.findIndex(
      (kind, i) => commonKind([kind, right[i] ?? null]) === 'zoned' && kind !== right[i],
    );
    if (isUtc || at === -1 || left[at] === null || right[at] === null) return;
    throw clocks.refused(
      columnReference(node.columns[at] ?? { id: 0, name: '' }),
      'A column of times with a zone and without one',
      'cast one of them',
    );
  }

  function ofValues(node: Values): Values {
    const columns = node.columns.map((_, i) => clocks.alike(node.rows.flatMap((row) => row[i] ?? [])));
    learn(
      node.columns,
      columns.map((column) => commonKind(column.map(clocks.kind))),
    );
    if (isUtc) return node;
    const rows = node.rows.map((row, r) => Object.freeze(row.map((value, i) => columns[i]?.[r] ?? value)));
    return withFields(node, { rows: Object.freeze(rows) });
  }

  /** Steps of days are taken by what clocks show, and the instants are when they show it. */
  function ofSeries(node: Series): LogicalPlan {
    const [start, stop, step] = node.arguments;
    const kind = commonKind(node.arguments.map(clocks.kind));
    if (isUtc || kind !== 'zoned' || start === undefined || stop === undefined) {
      learn([node.column], [kind]);
      return node;
    }
    const ends = clocks.alike([start, stop]);
    learn([node.column], ['zoned']);
    const how = step === undefined ? 'untold' : intervalKind(step);
    if (how === 'untold' || step === undefined)
      throw clocks.refused(
        start,
        'A series of times with a zone whose step is not told',
        `for example INTERVAL '1 day'`,
      );
    if (how === 'clock') return withFields(node, { arguments: Object.freeze([...ends, step]) });
    const shown = newColumn(node.column.name);
    learn([shown], ['local']);
    const series = withFields(node, {
      arguments: Object.freeze([...ends.map(clocks.shown), step]),
      column: shown,
    });
    const { column, ordinality } = node;
    return project(series, [
      { column, expression: clocks.when(columnReference(shown)) },
      ...(ordinality === null ? [] : [{ column: ordinality, expression: columnReference(ordinality) }]),
    ]);
  }

  /** What a node hands up beside the columns of its inputs. */
  function learned(node: LogicalPlan): LogicalPlan {
    switch (node.kind) {
      case 'Values':
        return ofValues(node);
      case 'Series':
        return ofSeries(node);
      case 'Project':
        for (const { column, expression } of node.columns) kinds.set(column.id, clocks.kind(expression));
        return node;
      case 'Aggregate':
        for (const { column, expression } of node.groupBy) kinds.set(column.id, clocks.kind(expression));
        for (const { column, call } of node.aggregates) kinds.set(column.id, ofCall(call));
        return node;
      case 'Window':
        for (const { column, call, window } of node.functions) {
          kinds.set(column.id, ofCall(call));
          checkFrame(window);
        }
        return node;
      case 'SetOperation':
        sameKinds(node, node.left, node.right);
        learn(
          node.columns,
          kindsOf(node.left).map((kind, i) => commonKind([kind, kindsOf(node.right)[i] ?? null])),
        );
        return node;
      case 'CteScan':
        learn(node.columns, byQuery.get(node.cteId) ?? []);
        return node;
      case 'RecursionScan':
        learn(node.columns, byQuery.get(node.recursionId) ?? []);
        return node;
      default:
        return node;
    }
  }

  function walk(plan: LogicalPlan): LogicalPlan {
    if (plan.kind === 'With') {
      const ctes = mapList(plan.ctes, (cte: Cte): Cte => {
        const made = walk(cte.plan);
        byQuery.set(cte.id, kindsOf(made));
        return withFields(cte, { plan: made });
      });
      return withFields(plan, { ctes, body: walk(plan.body) });
    }
    if (plan.kind === 'Recursion') {
      const base = walk(plan.base);
      byQuery.set(plan.id, kindsOf(base));
      learn(plan.columns, kindsOf(base));
      const step = walk(plan.step);
      sameKinds(plan, base, step);
      return withFields(plan, { base, step });
    }
    return learned(mapExpressions(mapInputs(plan, walk), rewritten));
  }
  return walk(root);
}
