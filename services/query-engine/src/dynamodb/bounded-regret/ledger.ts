/**
 * What keys have cost so far, and what the rest may: the figures that decide whether looking up goes on. Frozen data, made
 * anew with each answer; nothing is sent here.
 */
import type { PriceRange } from './price-range.ts';

/** One read by keys, of those that fall back on the same certain path. */
export interface LookupLedger {
  readonly kind: 'LookupLedger';
  readonly price: PriceRange;
  /** What a key is expected to cost, and for how many keys that counts; 0: nothing is known. */
  readonly prior: { readonly units: number; readonly weight: number };
  readonly rounds: number;
  readonly pages: number;
  /** Keys of which no page is left. */
  readonly done: number;
  /** What each key costs so far of which pages are left, with what is owed. */
  readonly open: readonly number[];
  readonly spent: number;
  /** What must be spent yet for what was found: items of entries that an index gave. */
  readonly owed: number;
}

export function openLedger(price: PriceRange, prior: LookupLedger['prior']): LookupLedger {
  const nothing = { rounds: 0, pages: 0, done: 0, open: [], spent: 0, owed: 0 };
  return Object.freeze({ kind: 'LookupLedger', price, prior, ...nothing });
}

/** What a round of requests gave. */
export interface RoundAnswer {
  readonly pages: number;
  readonly units: number;
  /** Keys that are looked up whole now. */
  readonly done: number;
  /** What each key of which pages are left costs so far. */
  readonly open: readonly number[];
  readonly owed?: number;
}

export function enterRound(
  ledger: LookupLedger,
  { pages, units, done, open, owed = 0 }: RoundAnswer,
): LookupLedger {
  return Object.freeze({
    ...ledger,
    rounds: ledger.rounds + 1,
    pages: ledger.pages + pages,
    done: ledger.done + done,
    open: Object.freeze([...open]),
    spent: ledger.spent + units,
    owed: ledger.owed + owed,
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Units of what is left. */
export interface LeftUnits {
  /** The least, and the most: what has been read cannot come again. */
  readonly least: number;
  readonly most: number;
  /** By what the keys so far have cost; null where none was looked up and nothing was known. */
  readonly expected: number | null;
}

function keysLeft({ price, done }: LookupLedger): number {
  return Math.max(0, price.keys - done);
}

/** What a key is expected to cost: those with pages left count as what they have cost already. */
function unitsOfEach({ prior, done, open, spent, owed }: LookupLedger): number | null {
  const keys = prior.weight + done + open.length;
  return keys === 0 ? null : (prior.weight * prior.units + spent + owed) / keys;
}

/** Of a key with pages left, half is taken to be read. */
export function leftOf(ledger: LookupLedger): LeftUnits {
  const { price, open, pages, spent, owed } = ledger;
  const left = keysLeft(ledger);
  const least = left * price.floor + owed;
  // Each page may have been rounded up by almost a step.
  const read = Math.max(0, spent - pages * price.floor);
  const most = left === 0 ? owed : Math.max(0, price.scan - read) + left * price.floor + owed;
  const each = unitsOfEach(ledger);
  if (each === null) return { least, most, expected: null };
  const ofOpen = sum(open.map((cost) => Math.max(cost, each - cost)));
  const projected = (left - open.length) * each + ofOpen + owed;
  return { least, most, expected: Math.min(most, Math.max(least, projected)) };
}

/** Keys that tell what others cost. */
export function tellingKeys({ prior, done, open }: LookupLedger): number {
  return prior.weight + done + open.length;
}
