/**
 * What a statement could say, or a table have, so that the statement costs less. Each change is planned as everything else is
 * and told only where the statement would cost half of what it does.
 */
import { relationName } from '../../catalog/index-relation.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { TableScan } from '../../logical/plan.ts';
import type { PhysicalPlan } from '../physical-plan.ts';
import type { ChooseRead } from '../share-reads.ts';
import { NEW_INDEX } from './changed-scan.ts';
import { indexChanges, keyChanges, statementChanges, type Change } from './changes.ts';
import { ADVICE_FACTOR, ADVICE_UNITS_MIN, ADVISED_READS_MAX, CHANGES_MAX } from './limits.ts';

/** `spent`: what the statement consumed; null where it was planned only, so that its estimate counts. */
export function adviceFor(
  plan: PhysicalPlan,
  chooseRead: ChooseRead,
  spent: number | null,
): readonly string[] {
  const total = spent ?? plan.reads.reduce((sum, { estimate }) => sum + estimate.units, 0);
  if (total <= ADVICE_UNITS_MIN) return [];
  const single = plan.reads.length === 1;
  return [...plan.reads.entries()]
    .filter(([read]) => !plan.filteredScans.has(read))
    .map(([read, { estimate }]) => ({ read, units: single ? total : Math.min(total, estimate.units) }))
    .filter(({ units }) => units >= total / ADVICE_FACTOR)
    .sort((a, b) => b.units - a.units)
    .slice(0, ADVISED_READS_MAX)
    .flatMap(({ read, units }) => {
      const scan = onlyScanOf(plan, read);
      // With the change, the statement costs half at most.
      const unitsMax = units - total * (1 - 1 / ADVICE_FACTOR);
      const advice = scan === null ? null : bestOf(scan, chooseRead, unitsMax);
      return advice === null || scan === null
        ? []
        : [`${relationName(scan.table)} costs about ${rounded(units)} read units: ${advice}`];
    });
}

/** The scan that a read is for; null where several share it, which a change of one of them would not help. */
function onlyScanOf(plan: PhysicalPlan, read: number): TableScan | null {
  const scans = [...plan.bindings].filter(([, binding]) => binding.read === read).map(([scan]) => scan);
  const [scan, ...others] = scans;
  return scan === undefined || others.length > 0 ? null : scan;
}

/** What can be written comes before what has to be made, and that before what may not be known. */
function bestOf(scan: TableScan, chooseRead: ChooseRead, unitsMax: number): string | null {
  let tried = 0;
  for (const changes of [statementChanges, indexChanges, keyChanges]) {
    let best: { readonly change: Change; readonly units: number } | null = null;
    for (const change of changes(scan)) {
      if (tried++ === CHANGES_MAX) return best === null ? null : best.change.say(rounded(best.units));
      const read = chooseRead(change.scan);
      const { units } = read.estimate;
      if (units <= unitsMax && isBy(read, change.by) && (best === null || units < best.units))
        best = { change, units };
    }
    if (best !== null) return best.change.say(rounded(best.units));
  }
  return null;
}

function isBy({ path }: TableRead, by: string | null): boolean {
  if (path.kind === 'Nothing') return false;
  if (path.kind === 'IndexUnion') return by === NEW_INDEX;
  const index = 'index' in path ? path.index : null;
  return by === NEW_INDEX ? index?.startsWith(NEW_INDEX) === true : index === by;
}

function rounded(units: number): string {
  return String(Math.ceil(units * 2) / 2);
}
