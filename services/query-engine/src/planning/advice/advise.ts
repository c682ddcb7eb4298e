/**
 * What a statement could say, or a table have, so that the statement costs less. Each change is planned as everything else
 * is. It is told only where the statement would cost half of what it does, and where what it would cost is known well
 * enough to be told: no advice is better than one that does not keep its word.
 */
import { relationName } from '../../catalog/index-relation.ts';
import { isCounted } from '../../dynamodb/access-path/estimate.ts';
import { knownColumns } from '../../dynamodb/access-path/keyed-candidates.ts';
import { scanConditions } from '../../dynamodb/access-path/scan-conditions.ts';
import type { UnitBounds } from '../../dynamodb/access-path/unit-bounds.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { TableScan } from '../../logical/plan.ts';
import { walkExpression } from '../../logical/visit.ts';
import type { PhysicalPlan } from '../physical-plan.ts';
import type { ChooseRead } from '../share-reads.ts';
import type { Change } from './change.ts';
import { NEW_INDEX, shownName, withSize } from './changed-scan.ts';
import { hiddenKeyChanges } from './hidden-keys.ts';
import { indexChanges } from './index-changes.ts';
import { keyChanges } from './key-changes.ts';
import {
  ADVICE_FACTOR,
  ADVICE_UNITS_MIN,
  ADVISED_NODES_MAX,
  ADVISED_READS_MAX,
  CHANGES_MAX,
  PROMISE_SPREAD_MAX,
  SIMPLER_PART,
} from './limits.ts';
import { promisedUnits } from './promised-units.ts';
import { statementChanges } from './statement-changes.ts';

/** What a read saw that was made to its end. */
export interface SeenRead {
  readonly units: number;
  /** Its items, before and after the filter that was sent. */
  readonly scanned: number;
  readonly passed: number;
}

/** Null where the read was not made to its end, or nothing is known of it. */
export type SeenOf = (read: TableRead) => SeenRead | null;

export interface Advice {
  readonly read: TableRead;
  readonly text: string;
}

/** Of a plan by its estimates; nothing was read. */
export function adviceForPlan(plan: PhysicalPlan, chooseRead: ChooseRead): readonly Advice[] {
  const total = plan.reads.reduce((sum, { estimate }) => sum + estimate.units, 0);
  return advice(plan, chooseRead, total, (read) =>
    isCounted(read.table) ? { units: read.estimate.units, seen: null } : null,
  );
}

/** Of a statement that has been executed, and `total` is what it cost. */
export function adviceForExecuted(
  plan: PhysicalPlan,
  chooseRead: ChooseRead,
  total: number,
  seenOf: SeenOf,
): readonly Advice[] {
  return advice(plan, chooseRead, total, (read) => {
    const seen = seenOf(read);
    return seen === null ? null : { units: seen.units, seen };
  });
}

interface Cost {
  readonly units: number;
  readonly seen: SeenRead | null;
}

function advice(
  plan: PhysicalPlan,
  chooseRead: ChooseRead,
  total: number,
  costOf: (read: TableRead) => Cost | null,
): readonly Advice[] {
  if (total <= ADVICE_UNITS_MIN) return [];
  return [...plan.reads.entries()]
    .filter(([at]) => !plan.filteredScans.has(at) && !plan.tries.has(at))
    .flatMap(([at, read]) => {
      const [scan, cost] = [onlyScanOf(plan, at), costOf(read)];
      // What costs less cannot be halved by half of the total.
      const isWorth = cost !== null && cost.units >= total / ADVICE_FACTOR;
      return scan === null || !isWorth || isLong(scan) ? [] : [{ read, scan, cost }];
    })
    .sort((a, b) => b.cost.units - a.cost.units)
    .slice(0, ADVISED_READS_MAX)
    .flatMap(({ read, scan, cost }) => {
      // With the change, the statement costs half at most.
      const unitsMax = cost.units - total * (1 - 1 / ADVICE_FACTOR);
      const text = bestFor(asSeen(scan, read, cost), chooseRead, cost, unitsMax);
      return text === null ? [] : [{ read, text: `${relationName(scan.table)}: ${text}` }];
    });
}

/** The scan that a read is for; null where several share it, which a change of one of them would not help. */
function onlyScanOf(plan: PhysicalPlan, read: number): TableScan | null {
  const scans = [...plan.bindings].filter(([, binding]) => binding.read === read).map(([scan]) => scan);
  const [scan, ...others] = scans;
  return scan === undefined || others.length > 0 ? null : scan;
}

/** Whether planning the scan again for each change would take long. */
function isLong({ filter }: TableScan): boolean {
  let nodes = 0;
  for (const conjunct of filter) walkExpression(conjunct, () => void nodes++);
  return nodes > ADVISED_NODES_MAX;
}

/** A table that was read whole has the size that was seen, whatever was counted hours ago. */
function asSeen(scan: TableScan, { path, consistent }: TableRead, { units, seen }: Cost): TableScan {
  const isWhole = path.kind === 'Scan' && path.index === null && seen !== null && seen.scanned > 0;
  return isWhole ? withSize(scan, seen.scanned, (units * UNIT_BYTES) / (consistent ? 1 : 0.5)) : scan;
}

/** What a unit reads consistently. */
const UNIT_BYTES = 4096;

/** What can be written comes before what has to be made, and that before what may not be known. */
function bestFor(
  scan: TableScan,
  chooseRead: ChooseRead,
  { units, seen }: Cost,
  unitsMax: number,
): string | null {
  const conjuncts = scanConditions(scan, knownColumns(scan)).filter(({ kind }) => kind !== 'Always');
  const before = { conjuncts, passed: seen?.passed ?? null };
  let tried = 0;
  for (const changesOf of [hiddenKeyChanges, statementChanges, indexChanges, keyChanges]) {
    let best: { readonly change: Change; readonly promise: Promised } | null = null;
    for (const change of changesOf(scan, conjuncts)) {
      if (++tried > CHANGES_MAX) break;
      const read = chooseRead(change.scan);
      if (!isBy(read, change.by)) continue;
      const known = change.isMeant === true ? { ...before, passed: null } : before;
      const bounds = promisedUnits(change, read, known);
      if (bounds === null || bounds.high > unitsMax) continue;
      const promise = promiseOf(bounds);
      if (best === null || promise.units <= best.promise.units * SIMPLER_PART) best = { change, promise };
    }
    if (best !== null) return shown(best.change, best.promise, units, seen !== null);
  }
  return null;
}

function isBy({ path }: TableRead, by: string | null): boolean {
  if (path.kind === 'IndexUnion') return by === NEW_INDEX && path.arms.some((arm) => isBy(arm, by));
  const index = 'index' in path ? path.index : null;
  if (by === NEW_INDEX) return index?.startsWith(NEW_INDEX) === true;
  return index === by && (by !== null || path.kind !== 'Scan');
}

interface Promised {
  readonly units: number;
  /** Known to be no more, and not how much less. */
  readonly isMost: boolean;
}

/** A figure within a factor of two of both bounds, in half units; or the upper one, where they are further apart. */
function promiseOf({ low, high }: UnitBounds): Promised {
  if (high > PROMISE_SPREAD_MAX * low) return { units: high, isMost: true };
  const middle = Math.round(Math.sqrt(low * high) * 2) / 2;
  return { units: Math.max(high / 2, Math.min(middle, 2 * low)), isMost: false };
}

/** A value that is not said yet costs what values cost on average; so does one whose items were not read yet. */
function shown({ what, added }: Change, promise: Promised, now: number, isSeen: boolean): string {
  const isAverage = !isSeen || added.some(({ asks }) => asks === 'value');
  const about = promise.isMost ? 'at most about' : 'about';
  const average = isAverage ? ' on average' : '';
  return `${what}: ${about} ${halves(promise.units)} read units${average} for ${halves(now)}${withoutRows(added)}`;
}

/** Which rows would not come any more: whoever follows the advice without reading on has to see it there. */
function withoutRows(added: Change['added']): string {
  const names = added.flatMap(({ attribute, asks }) =>
    asks === 'present' ? [shownName(attribute.name)] : [],
  );
  return names.length === 0 ? '' : `, without the rows where ${names.join(' or ')} is NULL`;
}

function halves(units: number): string {
  return String(Math.ceil(units * 2) / 2);
}
