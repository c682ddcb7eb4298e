/** Chooses between lookups and the certain path while the lookups run: keeps what they cost, and asks the chooser. */
import { decideAfter, type LookupDecision } from '../../dynamodb/bounded-regret/choose-lookups.ts';
import { enterRound, type LookupLedger } from '../../dynamodb/bounded-regret/ledger.ts';
import { planRound } from '../../dynamodb/bounded-regret/plan-round.ts';
import type { RoundControl } from '../../dynamodb/reader/lookup-rounds.ts';

export interface LookupChoice extends RoundControl {
  readonly ledger: LookupLedger;
  /** True once what was read is to be left for the certain path. */
  readonly fellBack: boolean;
}

/** Of reads that fall back on the same certain path: they weigh its units together, and leave for it together. */
export type LookupChoices = (ledger: LookupLedger, unitsPerRow?: number) => LookupChoice;

/**
 * `certain`: units of the certain path; Infinity where it is none, since the statement may not consume as much.
 * `isFallbackRead`: whether the certain path is being read already: then it has the rows for all.
 */
export function createLookupChoices(
  certain: number,
  isFallbackRead: () => boolean,
  decide: typeof decideAfter = decideAfter,
): LookupChoices {
  const ledgers: LookupLedger[] = [];
  return (opened, unitsPerRow = 0) => {
    const own = ledgers.push(opened) - 1;
    const ledger = (): LookupLedger => ledgers[own] ?? opened;
    let fellBack = false;
    const decideNow = (): LookupDecision => {
      if (certain === Infinity) return 'all';
      return ledger().rounds === 0 ? 'goOn' : decide(ledgers, certain);
    };
    return {
      unitsPerRow,
      get ledger() {
        return ledger();
      },
      get fellBack() {
        return fellBack;
      },
      next() {
        const decision = decideNow();
        fellBack ||= decision === 'certainPath' || isFallbackRead();
        const scans = ledgers.reduce((sum, { price }) => sum + price.scan, 0);
        return fellBack ? null : planRound(ledger(), certain, decision, scans);
      },
      answered(answer) {
        ledgers[own] = enterRound(ledger(), answer);
      },
    };
  };
}
