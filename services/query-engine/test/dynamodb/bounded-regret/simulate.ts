/** Lookups of played partitions, priced as DynamoDB does, with the chooser's own decisions and rounds. */
import { decideAfter, decideBefore } from '../../../src/dynamodb/bounded-regret/choose-lookups.ts';
import { enterRound, openLedger, type LookupLedger } from '../../../src/dynamodb/bounded-regret/ledger.ts';
import { planRound } from '../../../src/dynamodb/bounded-regret/plan-round.ts';

const STEP_BYTES = 4096;
const PAGE_BYTES = 1024 * 1024;
const HALF_UNIT = 0.5;

export const unitsOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / STEP_BYTES)) * HALF_UNIT;

/** Bytes of a scan as units, page by page. */
export const unitsOfScan = (bytes: number): number =>
  Math.floor(bytes / PAGE_BYTES) * unitsOf(PAGE_BYTES) + unitsOf(bytes % PAGE_BYTES);

export interface Lookups {
  /** Bytes that each key leads to, in items of so many. */
  readonly partitions: readonly number[];
  readonly itemBytes: number;
  /** All that the path could read. */
  readonly tableBytes: number;
  readonly certain: number;
  readonly prior: LookupLedger['prior'];
}

export interface Outcome {
  readonly units: number;
  readonly fellBack: boolean;
  /** Of all keys, without a certain path. */
  readonly lookups: number;
  /** Units of the dearest round. */
  readonly roundMax: number;
  readonly rounds: number;
  readonly pages: number;
}

export function lookUp({ partitions, itemBytes, tableBytes, certain, prior }: Lookups): Outcome {
  const price = { keys: partitions.length, floor: HALF_UNIT, scan: unitsOfScan(tableBytes) };
  const lookups = partitions.reduce((sum, bytes) => sum + unitsOfScan(bytes), 0);
  let ledger = openLedger(price, prior);
  let decision = decideBefore([ledger], certain);
  const unstarted = partitions.map((bytes) => ({ left: bytes, spent: 0 })).reverse();
  let open: { left: number; spent: number }[] = [];
  let roundMax = 0;
  while (decision !== 'certainPath' && unstarted.length + open.length > 0) {
    const { requests, pageUnits } = planRound(ledger, certain, decision);
    const asked = unstarted.splice(-requests).reverse();
    asked.push(...open.splice(0, requests - asked.length));
    const pageBytes =
      pageUnits === null
        ? PAGE_BYTES
        : Math.max(1, Math.floor((pageUnits * 2 * STEP_BYTES) / itemBytes)) * itemBytes;
    let units = 0;
    for (const partition of asked) {
      const bytes = Math.min(partition.left, pageBytes, PAGE_BYTES);
      partition.left -= bytes;
      partition.spent += unitsOf(bytes);
      units += unitsOf(bytes);
    }
    const done = asked.filter(({ left }) => left === 0).length;
    open = [...open, ...asked.filter(({ left }) => left > 0)];
    roundMax = Math.max(roundMax, units);
    ledger = enterRound(ledger, { pages: asked.length, units, done, open: open.map(({ spent }) => spent) });
    decision = decideAfter([ledger], certain);
  }
  const fellBack = unstarted.length + open.length > 0;
  const units = ledger.spent + (fellBack ? certain : 0);
  return { units, fellBack, lookups, roundMax, rounds: ledger.rounds, pages: ledger.pages };
}
