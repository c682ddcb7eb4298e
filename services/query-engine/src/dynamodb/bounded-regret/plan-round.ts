/** How much is asked for at once: little, until it is known what keys cost. Pure. */
import type { LookupLedger } from './ledger.ts';
import type { LookupDecision } from './choose-lookups.ts';
import {
  LARGE_PAGES_MAX,
  LARGE_PAGE_UNITS,
  PAGE_PART_MAX,
  PROBE_PAGES_MAX,
  PROBE_PAGE_FLOORS,
  PROBE_PAGE_PART_MAX,
  PROBE_REQUESTS_MIN,
  REGRET_MAX,
  ROUND_PART_MAX,
  ROUND_REQUESTS_MAX,
} from './limits.ts';

export interface Round {
  readonly requests: number;
  /** What a page may cost; null: as much as DynamoDB gives. */
  readonly pageUnits: number | null;
}

/** The next round of a read that goes on. `scans`: what all may read that weigh the certain path together, of each a scan. */
export function planRound(
  ledger: LookupLedger,
  certain: number,
  decision: LookupDecision,
  scans = ledger.price.scan,
): Round {
  if (certain === Infinity) return { requests: ROUND_REQUESTS_MAX, pageUnits: null };
  const trying = REGRET_MAX * certain;
  if (decision === 'goOn' && ledger.pages < PROBE_PAGES_MAX && ledger.spent < trying)
    return planProbe(ledger, trying);
  const { price, prior, spent, done, open } = ledger;
  const keys = done + open.length;
  const each = keys > 0 ? spent / keys : prior.units;
  const requests = each > LARGE_PAGE_UNITS ? LARGE_PAGES_MAX : ROUND_REQUESTS_MAX;
  // What is there to be read is no more than the certain path reads.
  if (decision === 'all' || scans <= certain) return { requests, pageUnits: null };
  const pageUnits = Math.max(PROBE_PAGE_FLOORS * price.floor, PAGE_PART_MAX * certain);
  return { requests: clamped((ROUND_PART_MAX * certain) / pageUnits, requests), pageUnits };
}

/** So much that the round costs no more than what trying may. */
function planProbe({ price, prior, spent, pages }: LookupLedger, trying: number): Round {
  const share = trying / Math.min(PROBE_PAGES_MAX, price.keys);
  // A page that holds what is expected of a key spares another one.
  const hoped = prior.weight > 0 ? Math.min(2 * prior.units, PROBE_PAGE_PART_MAX * trying) : 0;
  const pageUnits = Math.max(PROBE_PAGE_FLOORS * price.floor, share, hoped);
  const each = pages > 0 ? spent / pages : pageUnits;
  return { requests: clamped((trying - spent) / each, ROUND_REQUESTS_MAX), pageUnits };
}

function clamped(requests: number, most: number): number {
  return Math.max(PROBE_REQUESTS_MIN, Math.min(most, Math.floor(requests)));
}
