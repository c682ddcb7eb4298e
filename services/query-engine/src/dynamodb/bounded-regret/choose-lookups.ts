/**
 * Decides whether keys are looked up or the certain path is taken, before the first of them and after each round of answers.
 * Pure.
 *
 * What is spent is gone: what is left is weighed against the certain path's units. That path is taken only while what is
 * left may cost more than it does. So where lookups read no more than it, all costs no more than C + max(ε C, n/2) and the
 * pages of one round, for n keys; with one key as dear as all, too. Otherwise no more than (1 + SPENT_MAX) C and a round.
 */
import { leftOf, tellingKeys, type LookupLedger } from './ledger.ts';
import {
  PROBE_PAGES_MAX,
  PROBE_PAGE_FLOORS,
  PROBE_REQUESTS_MIN,
  REGRET_MAX,
  SPENT_LEFT_MAX,
  SPENT_MAX,
  TELLING_FACTOR,
  TELLING_KEYS_MIN,
  WORTHWHILE_PART,
} from './limits.ts';
import { mostUnits } from './price-range.ts';

/** `all`: whatever the keys turn out to cost, the certain path would be hardly cheaper. */
export type LookupDecision = 'all' | 'goOn' | 'certainPath';

/**
 * Of keys that nothing was asked for yet: a few units more than trying may cost are no reason to try, since that rounds up
 * more often. Reads that fall back on one certain path are decided on together.
 */
export function decideBefore(ledgers: readonly LookupLedger[], certain: number): LookupDecision {
  const total = (units: (ledger: LookupLedger) => number): number =>
    ledgers.reduce((sum, ledger) => sum + units(ledger), 0);
  const probes = total(({ price }) => PROBE_REQUESTS_MIN * PROBE_PAGE_FLOORS * price.floor);
  if (total(({ price }) => mostUnits(price, price.keys)) <= (1 + REGRET_MAX) * certain + probes) return 'all';
  if (total(({ price }) => price.keys * price.floor) > WORTHWHILE_PART * certain) return 'certainPath';
  return 'goOn';
}

/** After answers. `ledgers`: of all reads that fall back on the path, those at their end included. */
export function decideAfter(ledgers: readonly LookupLedger[], certain: number): LookupDecision {
  let [least, most, expected, spent, telling, pages] = [0, 0, 0, 0, 0, 0];
  for (const ledger of ledgers) {
    const left = leftOf(ledger);
    least += left.least;
    most += left.most;
    expected += left.expected ?? left.least;
    spent += ledger.spent;
    telling += tellingKeys(ledger);
    pages += ledger.pages;
  }
  // What is left costs no more than the certain path, come what may.
  if (most <= certain) return 'all';
  if (least >= certain) return 'certainPath';
  const probed = spent >= REGRET_MAX * certain || pages >= PROBE_PAGES_MAX;
  if (probed && expected > certain) return 'certainPath';
  if (expected > TELLING_FACTOR * certain && telling >= TELLING_KEYS_MIN) return 'certainPath';
  if (spent >= SPENT_MAX * certain) return 'certainPath';
  return spent >= certain && expected > SPENT_LEFT_MAX * certain ? 'certainPath' : 'goOn';
}
