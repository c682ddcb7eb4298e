/**
 * The least units that a query can cost, for one who knows the data. It tries every path of ../../../../../README.md, "Access
 * paths": scans of the table and of each index, keys, ranges, an index with items by key, lookups of either side of a join
 * in every order of its tables, reads in order that end with the last row. What a path costs is counted from the items. It
 * takes no path whose rows could be wrong; and where a side of a join turns out empty, it reads no more.
 */
import type { TestItem } from '../../../engine-table.ts';
import {
  columnsOf,
  valueOf,
  type JoinEdge,
  type Occurrence,
  type Predicate,
  type WorkloadQuery,
} from '../query.ts';
import { leastOfFirstRows } from './first-rows.ts';
import { certainUnits, leastByKeys, leastUnits, passing, type Need, type Order } from './one-table.ts';
import { unitsOfPages } from './pages.ts';
import type { TableData } from './table-data.ts';

export interface Minima {
  readonly least: number;
  /** What a plan costs that takes no guess: each table by itself. */
  readonly certain: number;
}

/** The tables by name. */
export type Tables = ReadonlyMap<string, TableData>;

type Rows = ReadonlyMap<string, readonly TestItem[]>;

export function clairvoyant(query: WorkloadQuery, tables: Tables): Minima {
  const dataOf = ({ table }: Occurrence): TableData => {
    const data = tables.get(table);
    if (data === undefined) throw new Error(`the workload has no table ${table}`);
    return data;
  };
  const needOf = (occurrence: Occurrence): Need => ({
    predicates: [...occurrence.predicates, ...impliedPresent(query, occurrence)],
    columns: columnsOf(query, occurrence),
  });
  const certain = query.occurrences.reduce((sum, one) => sum + certainUnits(dataOf(one), needOf(one)), 0);
  const [only, ...others] = query.occurrences;
  if (only === undefined || others.length > 0) return { certain, least: leastOfJoin(query, dataOf, needOf) };
  const [data, need] = [dataOf(only), needOf(only)];
  const first = firstRows(query);
  const inOrder = first === null ? Infinity : leastOfFirstRows(data, need, first.order, first.count);
  return { certain, least: Math.min(leastUnits(data, need), inOrder) };
}

/** Columns that have a value in every item that counts: those of a join, and of an aggregate that ignores NULL. */
function impliedPresent(
  { edges, outputs, groupBy }: WorkloadQuery,
  { alias }: Occurrence,
): readonly Predicate[] {
  const joined = edges.flatMap(({ kind, left, right }) => (kind === 'left' ? [right] : [left, right]));
  const [output, ...others] = outputs;
  const isLone = output !== undefined && others.length === 0 && groupBy.length === 0;
  const ignored = isLone && output.call !== null && output.of !== null ? [[output.alias, output.of]] : [];
  return [...joined, ...ignored].flatMap(([of, column]) =>
    of === alias && column !== undefined ? [{ kind: 'present' as const, column }] : [],
  );
}

/** The rows that a LIMIT, or a lone MIN or MAX, takes; null where all count. */
function firstRows({
  limit,
  order,
  outputs,
  groupBy,
}: WorkloadQuery): { readonly order: Order; readonly count: number } | null {
  if (limit !== null) return { order, count: limit };
  const [output, ...others] = outputs;
  if (others.length > 0 || groupBy.length > 0 || output === undefined || output.of === null) return null;
  if (output.call !== 'MIN' && output.call !== 'MAX') return null;
  return { order: { column: output.of, descending: output.call === 'MAX' }, count: 1 };
}

const leadsFromLeft = ({ kind }: JoinEdge): boolean => kind === 'left';

/** Rows of what has been read that may still be in the answer: those with a partner along every edge. */
function reduce(rows: Rows, edges: readonly JoinEdge[]): Rows {
  const left = new Map(rows);
  for (let changed = true; changed;) {
    changed = false;
    for (const edge of edges) {
      for (const [[from, fromColumn], [to, toColumn], isPreserved] of [
        [edge.left, edge.right, false],
        [edge.right, edge.left, leadsFromLeft(edge)],
      ] as const) {
        const [driving, driven] = [left.get(from), left.get(to)];
        if (driving === undefined || driven === undefined || isPreserved) continue;
        const values = new Set(driving.map((item) => valueOf(item, fromColumn)));
        const kept = driven.filter((item) => {
          const value = valueOf(item, toColumn);
          return value !== null && values.has(value);
        });
        changed ||= kept.length < driven.length;
        left.set(to, kept);
      }
    }
  }
  return left;
}

/** Whether nothing can be in the answer: a side that must have rows has none. */
function isEmpty(rows: Rows, edges: readonly JoinEdge[]): boolean {
  const optional = new Set(edges.filter(leadsFromLeft).map(({ right }) => right[0]));
  return [...rows].some(([alias, items]) => items.length === 0 && !optional.has(alias));
}

/** The keys that what has been read gives to a table, by each edge that may lead there. */
function keysFor(alias: string, rows: Rows, edges: readonly JoinEdge[]): readonly Predicate[] {
  return edges.flatMap((edge): readonly Predicate[] => {
    const ways = [
      [edge.left, edge.right],
      ...(leadsFromLeft(edge) ? [] : [[edge.right, edge.left] as const]),
    ] as const;
    return ways.flatMap(([[from, fromColumn], [to, column]]) => {
      const driving = rows.get(from);
      if (to !== alias || driving === undefined) return [];
      const values = driving.map((item) => valueOf(item, fromColumn)).filter((value) => value !== null);
      return [{ kind: 'in' as const, column, values: [...new Set(values)] }];
    });
  });
}

function leastOfJoin(
  query: WorkloadQuery,
  dataOf: (one: Occurrence) => TableData,
  needOf: (one: Occurrence) => Need,
): number {
  const { occurrences, edges } = query;
  const own = new Map(occurrences.map((one) => [one, leastUnits(dataOf(one), needOf(one))]));
  const scanned = new Map(occurrences.map((one) => [one, unitsOfPages(dataOf(one).table.all)]));
  const found = new Map(
    occurrences.map((one) => [
      one,
      passing(
        dataOf(one).table.all.map(({ item }) => item),
        one.predicates,
      ),
    ]),
  );
  let best = Infinity;
  const walk = (rows: Rows, whole: ReadonlySet<string>, units: number): void => {
    if (units >= best) return;
    const left = occurrences.filter(({ alias }) => !rows.has(alias));
    if (left.length === 0 || isEmpty(rows, edges)) {
      best = units;
      return;
    }
    for (const one of left) {
      const next = reduce(new Map([...rows, [one.alias, found.get(one)!]]), edges);
      if (whole.has(one.table)) {
        walk(next, whole, units);
        continue;
      }
      const need = needOf(one);
      const byKeys = keysFor(one.alias, rows, edges).map((keys) =>
        leastByKeys(dataOf(one), { ...need, predicates: [...need.predicates, keys] }),
      );
      walk(next, whole, units + Math.min(own.get(one)!, ...byKeys));
      const readWhole = units + scanned.get(one)!;
      if (left.some((other) => other !== one && other.table === one.table))
        walk(next, new Set([...whole, one.table]), readWhole);
    }
  };
  walk(new Map(), new Set(), 0);
  return best;
}
