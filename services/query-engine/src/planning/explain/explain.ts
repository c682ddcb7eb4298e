/** EXPLAIN: what plan mode shows. */
import { relationName } from '../../catalog/index-relation.ts';
import type { Column, Expression } from '../../logical/expression.ts';
import type { LogicalPlan, TableScan } from '../../logical/plan.ts';
import { outputColumns } from '../../logical/output.ts';
import {
  expressionsOf,
  inputsOf,
  subqueryOf,
  visitPlan,
  walkDeep,
  walkExpression,
  type PlanVisitor,
} from '../../logical/visit.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { UnitBounds } from '../../dynamodb/access-path/unit-bounds.ts';
import { certainReadUnits } from '../certain-units.ts';
import { likelyReadUnits } from '../likely-units.ts';
import { scansIn } from '../dynamic-filters/build-side.ts';
import type { Advice } from '../advice/advise.ts';
import type { PhysicalPlan } from '../physical-plan.ts';
import { printCall, printExpression, printSortKey, type NameOf } from './print-expression.ts';
import { printCounted, printFallback } from './print-fallback.ts';
import { printRead, type KeySources } from './print-read.ts';
import { printTry } from './print-try.ts';

export interface Explanation {
  /** Lines, indented by two spaces a level. */
  readonly text: string;
  /** Estimated read units and a little for each row handled; 0 when nothing is read. */
  readonly weight: number;
  /** What it will probably cost. */
  readonly estimatedReadUnits: UnitBounds;
  /** What it costs at least, and at most. */
  readonly certainReadUnits: UnitBounds;
}

/** What handling a row weighs, in read units: a million rows weigh as much as a hundred units. */
const WEIGHT_PER_ROW = 0.0001;

/** Columns as `alias.name` where several tables are read, so that equal names are told apart. */
function namer(plan: LogicalPlan): NameOf {
  const scans: TableScan[] = [];
  const given = new Map<number, string>();
  walkDeep(plan, {
    plan: (node) => {
      if (node.kind === 'TableScan') scans.push(node);
      else for (const { id, name } of outputColumns(node)) if (!given.has(id)) given.set(id, name);
    },
  });
  for (const scan of scans) {
    for (const { id, name } of scan.columns) given.set(id, scans.length > 1 ? `${scan.alias}.${name}` : name);
  }
  return (column) => given.get(column.id) ?? column.name;
}

/** What a column of a build side was below the projections that only name it anew. */
function underNames(source: Expression, plan: LogicalPlan): Expression {
  if (source.kind !== 'ColumnReference') return source;
  const { id } = source.column;
  switch (plan.kind) {
    case 'Project': {
      const below = plan.columns.find(({ column }) => column.id === id)?.expression;
      return below?.kind === 'ColumnReference' ? underNames(below, plan.input) : source;
    }
    case 'Filter':
    case 'Sort':
    case 'Limit':
    case 'Distinct':
      return underNames(source, plan.input);
    case 'With':
      return underNames(source, plan.body);
    default:
      return source;
  }
}

function isEquality(conjunct: Expression): boolean {
  return conjunct.kind === 'Comparison' && conjunct.operator === '=';
}

/** The line of a node, and more lines about it. */
function describe(plan: PhysicalPlan, nameOf: NameOf): PlanVisitor<readonly string[]> {
  const print = (expression: Expression): string => printExpression(expression, nameOf);
  /** What gives a dynamically filtered scan its keys; where several do, all have to. */
  const sourcesOf = (read: number): KeySources => {
    const sources = new Map<string, string>();
    for (const filter of plan.filteredScans.get(read)?.filters ?? []) {
      filter.columns.forEach(({ path }, i) => {
        const source = filter.sources[i];
        if (source === undefined) return;
        const [buildSide] = inputsOf(filter.query);
        const shown = print(buildSide === undefined ? source : underNames(source, buildSide));
        const name = String(path[0]);
        const before = sources.get(name);
        sources.set(name, before === undefined ? shown : `${before} and ${shown}`);
      });
    }
    return sources;
  };
  const fallbackOf = (index: number, read: TableRead): readonly string[] => {
    const [filtered, counted] = [plan.filteredScans.get(index), plan.lookups.get(index)];
    if (filtered !== undefined) return printFallback(read, filtered);
    return counted === undefined ? [] : [printCounted(counted)];
  };
  /** What has to have rows for the read to be made. */
  const emptySidesOf = (read: number): readonly string[] =>
    (plan.emptySides.get(read) ?? []).map(({ query }) => {
      const aliases = scansIn(query).map(({ alias }) => alias);
      return `not read where there are no rows of: ${[...new Set(aliases)].join(', ')}`;
    });
  const lookups = new Set(
    [...plan.filteredScans.values()].flatMap(({ filters }) => filters.map(({ at }) => at)),
  );
  const named = ({ name }: Column, value: string): string => (value === name ? value : `${value} AS ${name}`);
  return {
    TableScan: (scan) => {
      const binding = plan.bindings.get(scan);
      const read = binding === undefined ? undefined : plan.reads[binding.read];
      if (binding === undefined || read === undefined) return [`Scan ${scan.alias}`];
      const first = [...plan.bindings].find(([, other]) => other.read === binding.read)?.[0];
      if (first !== scan) return [`Same read as above of ${relationName(scan.table)} as ${scan.alias}`];
      const attempt = plan.tries.get(binding.read);
      return [
        ...printRead(read, sourcesOf(binding.read), fallbackOf(binding.read, read)),
        ...(attempt === undefined ? [] : printTry(attempt)),
        ...emptySidesOf(binding.read),
      ];
    },
    Values: ({ rows }) => [
      rows.length === 0
        ? 'Values: no rows, a contradiction'
        : `Values: ${rows.length} row${rows.length === 1 ? '' : 's'}`,
    ],
    Filter: ({ predicates }) => [`Filter: ${predicates.map(print).join(' AND ')}`],
    Project: ({ columns }) => [
      `Project: ${columns.map(({ column, expression }) => named(column, print(expression))).join(', ')}`,
    ],
    Join: (node) => {
      const { join, on } = node;
      const hashed = join !== 'cross' && on.some(isEquality);
      const name = node.lateral
        ? 'LateralJoin'
        : lookups.has(node)
          ? 'LookupJoin'
          : hashed
            ? 'HashJoin'
            : 'NestedLoopJoin';
      return [`${name} (${join})${on.length === 0 ? '' : `: ${on.map(print).join(' AND ')}`}`];
    },
    Unnest: ({ list, outer, column }) => [`Unnest${outer ? ' (left)' : ''}: ${named(column, print(list))}`],
    Series: ({ arguments: given, column }) => [`Series: ${named(column, given.map(print).join(', '))}`],
    Aggregate: ({ groupBy, aggregates }) => {
      const calls = aggregates.map(({ column, call }) => named(column, printCall(call, nameOf)));
      const keys = groupBy.map(({ expression }) => print(expression));
      return [`Aggregate: ${[...calls, ...(keys.length === 0 ? [] : [`by ${keys.join(', ')}`])].join(' ')}`];
    },
    Window: ({ functions }) => [
      `Window: ${functions.map(({ column, call }) => named(column, `${printCall(call, nameOf)} OVER (…)`)).join(', ')}`,
    ],
    Distinct: ({ on }) => [on === null ? 'Distinct' : `Distinct on ${on.map(print).join(', ')}`],
    SetOperation: ({ operator, all }) => [
      `${{ union: 'Union', intersect: 'Intersect', except: 'Except' }[operator]}${all ? ' all' : ''}`,
    ],
    Sort: ({ keys }) => [`Sort: ${keys.map((key) => printSortKey(key, nameOf)).join(', ')}`],
    Limit: ({ count, offset }) => [`Limit: ${limitText(count, offset)}`],
    With: ({ ctes }) => [`With: ${ctes.map(({ name }) => name).join(', ')}`],
    CteScan: ({ name }) => [`CteScan: ${name}`],
    Recursion: ({ name, all }) => [`Recursion${all ? ' (all)' : ''}: ${name}`],
    RecursionScan: ({ name }) => [`RecursionScan: ${name}`],
  };
}

function limitText(count: number | null, offset: number): string {
  return [count === null ? '' : `${count} rows`, offset === 0 ? '' : `from row ${offset}`]
    .filter((part) => part !== '')
    .join(' ');
}

/** The plans of subqueries in a node's own expressions. */
function subqueries(node: LogicalPlan): readonly LogicalPlan[] {
  const found: LogicalPlan[] = [];
  for (const root of expressionsOf(node)) {
    walkExpression(root, (expression) => {
      const plan = subqueryOf(expression);
      if (plan !== null) found.push(plan);
    });
  }
  return found;
}

const HOW: Readonly<Record<PhysicalPlan['execution']['kind'], string>> = Object.freeze({
  lookup: 'rows as they are read, no more than are wanted',
  pageByPage: 'computed page by page, reading stops when enough rows are there',
  full: 'computed when everything is read',
});

export function explain(plan: PhysicalPlan): Explanation {
  const describer = describe(plan, namer(plan.statement.plan));
  const lines: string[] = [];
  const show = (node: LogicalPlan, depth: number): void => {
    const [head = '', ...details] = visitPlan(describer, node);
    lines.push('  '.repeat(depth) + head, ...details.map((line) => '  '.repeat(depth + 2) + line));
    for (const subquery of subqueries(node)) {
      lines.push(`${'  '.repeat(depth + 1)}Subquery`);
      show(subquery, depth + 2);
    }
    for (const input of inputsOf(node)) show(input, depth + 1);
  };
  const { firstRowIdx, maxRows } = plan.page;
  const wanted = maxRows === Infinity ? 'Whole result' : `Page: ${limitText(maxRows, firstRowIdx)}`;
  lines.push(`${wanted} (${HOW[plan.execution.kind]})`);
  show(plan.statement.plan, 1);
  const rows = plan.reads.reduce((sum, { estimate }) => sum + estimate.rows, 0);
  const units = plan.reads.reduce((sum, { estimate }) => sum + estimate.units, 0);
  return {
    text: lines.join('\n'),
    weight: Math.round((units + rows * WEIGHT_PER_ROW) * 10_000) / 10_000,
    estimatedReadUnits: likelyReadUnits(plan),
    certainReadUnits: certainReadUnits(plan),
  };
}

/**
 * What the caller should know of the statement and its reads, each thing once. What advice says of a read comes in place of
 * the read's own warnings.
 */
export function warningsOf(plan: PhysicalPlan, advice: readonly Advice[]): readonly string[] {
  const advised = new Map(advice.map(({ read, text }) => [read, text]));
  const ofReads = plan.reads.flatMap((read) => {
    const text = advised.get(read);
    return text === undefined ? read.warnings : [text];
  });
  return [...new Set([...plan.statement.warnings, ...ofReads])];
}
