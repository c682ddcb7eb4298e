import { allKeyAttributes, keyNames } from '../../catalog/table.ts';
import type { ScanColumn, TableScan } from '../../logical/plan.ts';
import type { TableRead } from '../table-read.ts';
import type { Candidate } from './candidate.ts';
import { conjunctsOf, type Condition } from './condition.ts';
import { isContradiction } from './contradiction.ts';
import { followedOrs } from './followed-ors.ts';
import { unionBranchesMax, unionLooksMax } from './limits.ts';

/** A branch of an OR with what it shares with the others, and how it is read by keys. */
export interface Arm {
  readonly conjuncts: readonly Condition[];
  readonly candidate: Candidate;
}

/** What choosing a read knows to do. */
export interface ArmPlanner {
  /** The cheapest read of the scan by keys of the table or of an index; null where the conjuncts bind none. */
  readonly byKeys: (scan: TableScan, conjuncts: readonly Condition[]) => Candidate | null;
  readonly readOf: (scan: TableScan, arm: Arm) => TableRead;
}

/**
 * The branches of an OR, each by a key of its own (`owner = 'o1' OR customer = 'c1'` by two indexes). None where a branch
 * binds no key.
 */
export function unionCandidates(
  scan: TableScan,
  conjuncts: readonly Condition[],
  planner: ArmPlanner,
): readonly Candidate[] {
  const { table } = scan;
  const names = allKeyAttributes(table).map(({ name }) => name);
  const followed = followedOrs(conjuncts, [...new Set(names)], {
    branchesMax: unionBranchesMax,
    looksMax: unionLooksMax / (table.indexes.length + 1),
  });
  return [...followed].flatMap(({ or, rest }) => {
    const arms = armsOf(scanWithKeys(scan), or.operands, rest, planner);
    return arms === null || !isOfSeveralKeys(arms) ? [] : [unionOf(scan, conjuncts, arms, planner)];
  });
}

/** Of one key alone, ranges of it do the same without reading anything twice. */
function isOfSeveralKeys(arms: readonly Arm[]): boolean {
  return new Set(arms.map(({ candidate }) => candidate.index?.name ?? null)).size > 1;
}

function armsOf(
  scan: TableScan,
  branches: readonly Condition[],
  rest: readonly Condition[],
  planner: ArmPlanner,
): readonly Arm[] | null {
  const arms: Arm[] = [];
  for (const branch of branches) {
    const conjuncts = [...rest, ...conjunctsOf(branch)];
    if (isContradiction(conjuncts, scan.table)) continue;
    const candidate = planner.byKeys(scan, conjuncts);
    if (candidate === null) return null;
    if (candidate.path.kind !== 'Nothing') arms.push({ conjuncts, candidate });
  }
  return arms;
}

/** The arms must tell their items apart: the table's keys come as their last columns. */
function scanWithKeys(scan: TableScan): TableScan {
  const keys = keyNames(scan.table.key).map((name, i): ScanColumn => ({ id: -1 - i, name, path: [name] }));
  const { topOfEach: _, ...whole } = scan;
  return { ...whole, columns: [...scan.columns, ...keys], orderHint: [] };
}

function unionOf(
  scan: TableScan,
  conjuncts: readonly Condition[],
  arms: readonly Arm[],
  planner: ArmPlanner,
): Candidate {
  const withKeys = scanWithKeys(scan);
  const isExact = arms.every(({ conjuncts: own, candidate }) => own.every((one) => candidate.exact.has(one)));
  return {
    path: { kind: 'IndexUnion', arms: arms.map((arm) => planner.readOf(withKeys, arm)) },
    index: null,
    items: arms.reduce((sum, { candidate }) => sum + candidate.items, 0),
    units: arms.reduce((sum, { candidate }) => sum + candidate.units, 0),
    exact: new Set(isExact ? conjuncts : []),
    ordered: scan.orderHint.length === 0,
    sideBySide: 1,
    reason: 'each branch of an OR binds a key of its own',
  };
}
