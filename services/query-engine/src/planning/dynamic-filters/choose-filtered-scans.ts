/**
 * Chooses which scans wait for other reads and are filtered by the values that these returned.
 *
 * The choice is greedy. Scans that nothing can filter are decided first. Then the cheapest scan is taken that its keys are
 * expected to spare something, and whose build side needs only decided reads, again and again. Where there is none, the scan
 * is decided that saves the others most; where either of two may give the other its keys, the smaller one. So no two reads
 * ever wait for each other.
 *
 * Whatever build side is cheap enough to be read first may give keys, filtered or not: they are counted before any is looked
 * up, and looked up only while that costs less than the plain read (`../../dynamodb/bounded-regret/`).
 */
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { LogicalPlan, TableScan } from '../../logical/plan.ts';
import type { ChooseRead } from '../share-reads.ts';
import { FilterChooser, type Candidate, type ChosenFilteredScan, type Decided } from './filter-chooser.ts';
import { findCandidates } from './find-candidates.ts';
import { LOOKAHEAD_SCANS_MAX, UNITS_MIN } from './limits.ts';
import { lookupShape } from './lookup-shape.ts';

/**
 * Dynamically filtered scans, each after the scans of its build sides. Empty where every read is as cheap by itself. Yields
 * where other work may have its turn.
 */
export function* chooseFilteredScans(
  root: LogicalPlan,
  scans: readonly TableScan[],
  chooseRead: ChooseRead,
): Generator<void, readonly ChosenFilteredScan[]> {
  const plain = new Map(scans.map((scan) => [scan, chooseRead(scan)]));
  if (![...plain.values()].some(({ estimate }) => estimate.units > UNITS_MIN)) return [];
  const implied = findCandidates(root);
  yield;
  const waiting = new Map<TableScan, readonly Candidate[]>();
  const decided = new Map<TableScan, TableRead>();
  for (const [scan, read] of plain) {
    const candidates: Candidate[] = [];
    for (const candidate of read.estimate.units <= UNITS_MIN ? [] : (implied.get(scan) ?? [])) {
      const shape = lookupShape(scan, candidate, chooseRead);
      if (shape !== null) candidates.push({ candidate, shape });
      yield;
    }
    if (candidates.length === 0) decided.set(scan, read);
    else waiting.set(scan, candidates);
  }
  const chooser = new FilterChooser(root, plain);
  const filtered: ChosenFilteredScan[] = [];
  while (waiting.size > 0) {
    const choices: (ChosenFilteredScan | null)[] = [];
    for (const [scan, candidates] of waiting) {
      choices.push(chooser.best(scan, candidates, decided));
      yield;
    }
    const sparing = cheapest(choices.filter((choice) => choice !== null && spares(choice, chooser)));
    const scan = sparing?.scan ?? firstToRead(waiting, decided, chooser);
    const next = sparing ?? choices.find((choice) => choice?.scan === scan) ?? null;
    if (next !== null) filtered.push(next);
    decided.set(scan, next?.read ?? chooser.plainOf(scan));
    waiting.delete(scan);
    yield;
  }
  return filtered;
}

function cheapest(choices: readonly (ChosenFilteredScan | null)[]): ChosenFilteredScan | null {
  let best: ChosenFilteredScan | null = null;
  for (const choice of choices) {
    if (choice === null) continue;
    if (best === null || choice.read.estimate.units < best.read.estimate.units) best = choice;
  }
  return best;
}

/** Whether it is expected to cost less than the plain read. */
function spares({ scan, read }: ChosenFilteredScan, chooser: FilterChooser): boolean {
  return read.estimate.units < chooser.plainOf(scan).estimate.units;
}

interface FirstRead {
  readonly scan: TableScan;
  readonly own: number;
  /** What it and the others cost then, by their estimates. */
  readonly units: number;
  /** The scans that it may give keys to. */
  readonly filters: ReadonlySet<TableScan>;
}

/**
 * The scan to decide next though nothing is expected to spare it anything: the one after which the others cost least, by
 * their estimates; those that a smaller one may give keys to, and that may give it keys, wait for that. Of these orders the
 * estimate could choose the one whose first read alone costs many times what the other does.
 */
function firstToRead(
  waiting: ReadonlyMap<TableScan, readonly Candidate[]>,
  decided: Decided,
  chooser: FilterChooser,
): TableScan {
  const firsts = [...waiting.keys()].map((scan) => firstRead(scan, waiting, decided, chooser));
  const waitsForSmaller = (one: FirstRead): boolean =>
    firsts.some((other) => other.own < one.own && other.filters.has(one.scan) && one.filters.has(other.scan));
  const [best] = firsts
    .filter((one) => !waitsForSmaller(one))
    .sort((a, b) => a.units - b.units || b.filters.size - a.filters.size);
  if (best === undefined) throw new Error('no scan is waiting');
  return best.scan;
}

function firstRead(
  scan: TableScan,
  waiting: ReadonlyMap<TableScan, readonly Candidate[]>,
  decided: Decided,
  chooser: FilterChooser,
): FirstRead {
  const plain = chooser.plainOf(scan);
  const own = plain.estimate.units;
  let units = own;
  const filters = new Set<TableScan>();
  if (waiting.size <= LOOKAHEAD_SCANS_MAX) {
    const then = new Map([...decided, [scan, plain]]);
    for (const [other, candidates] of waiting) {
      if (other === scan) continue;
      const filtered = chooser.best(other, candidates, then);
      if (filtered !== null) filters.add(other);
      units += (filtered?.read ?? chooser.plainOf(other)).estimate.units;
    }
  }
  return { scan, own, units, filters };
}
