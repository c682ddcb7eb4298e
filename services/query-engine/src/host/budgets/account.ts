/**
 * One counter as this engine has it: what its pages have cost and Redis does not know yet, and what to do where Redis lost
 * the counter. Nothing is reserved of a counter while it is uncertain what Redis has of it, so that what was spent is never
 * overlooked.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SETTLE_AGAIN_MS } from '../limits.ts';
import type { BudgetCounters, PageCost, Settlement } from './counters.ts';

/** A query that spends. What it spent of a counter is not in the usage counters before it ends. */
export interface Spender {
  spentOf(key: string): number;
}

export interface Account {
  /** Resolves once Redis has all that it has to know before more is reserved. */
  settled(): Promise<void>;
  /** A reservation is under way, until one of the next three is called. */
  asking(): void;
  reserved(page: PageCost, life: string): void;
  refused(): void;
  /** Nobody knows whether it was made. */
  lost(): void;
  /** A page has come for which that was reserved. */
  spend(halfUnits: number, page: PageCost): void;
}

const NOTHING: PageCost = Object.freeze({ least: 0, most: 0 });
const added = (a: PageCost, b: PageCost): PageCost => ({ least: a.least + b.least, most: a.most + b.most });
const taken = (a: PageCost, b: PageCost): PageCost => ({ least: a.least - b.least, most: a.most - b.most });

export interface AccountParts {
  readonly key: string;
  readonly counters: Pick<BudgetCounters, 'settle'>;
  readonly spenders: () => Iterable<Spender>;
  /** Makes the counter again; its life. Rejects where that is not possible now. */
  readonly seed: () => Promise<string>;
}

export function createAccount({ key, counters, spenders, seed }: AccountParts): Account {
  let life: string | null = null;
  let reserved = NOTHING;
  let cost = 0;
  let released = NOTHING;
  let number = 0;
  /** Reservations under way. */
  let asked = 0;
  /** How often something happened since Redis was last told what is reserved all together. */
  let doubts = 0;
  let settling: Promise<void> | null = null;
  let wake: (() => void) | null = null;

  /** Where the counter is a new one, it lacks what queries spent that are still running, but for `counted`. */
  const meet = (now: string, counted: number): void => {
    if (life !== null && life !== now) {
      cost = -counted;
      for (const spender of spenders()) cost += spender.spentOf(key);
      doubts++;
    }
    life = now;
  };
  const sendUntilTaken = async (settlement: Omit<Settlement, 'reserved'>): Promise<void> => {
    for (;;) {
      // What is reserved all together is known where no reservation is under way.
      while (doubts > 0 && asked > 0) await new Promise<void>((resolve) => (wake = resolve));
      const seen = doubts;
      // What is not reserved any more is not in what is reserved all together.
      if (seen > 0) released = NOTHING;
      try {
        const found = await counters.settle(key, {
          ...settlement,
          reserved: seen > 0 ? reserved : null,
        });
        if (found === null) {
          // Of the settlement nothing is counted, and what it says is among what the spenders spent.
          meet(await seed(), 0);
          return;
        }
        doubts -= seen;
        meet(found, settlement.cost);
        return;
      } catch {
        doubts++;
        await sleep(SETTLE_AGAIN_MS, undefined, { ref: false });
      }
    }
  };
  const settleAll = async (): Promise<void> => {
    while (cost !== 0 || released.most !== 0 || doubts > 0) {
      const settlement = { number: ++number, cost, released };
      cost = 0;
      released = NOTHING;
      await sendUntilTaken(settlement);
    }
    settling = null;
  };
  const settle = (): Promise<void> => (settling ??= settleAll());
  const answered = (): void => {
    asked--;
    if (asked === 0) wake?.();
  };

  return {
    async settled() {
      if (doubts > 0) await settle();
    },
    asking: () => void asked++,
    reserved(page, now) {
      reserved = added(reserved, page);
      meet(now, 0);
      answered();
      if (doubts > 0) void settle();
    },
    refused: answered,
    lost() {
      doubts++;
      answered();
      void settle();
    },
    spend(halfUnits, page) {
      reserved = taken(reserved, page);
      cost += halfUnits;
      released = added(released, page);
      void settle();
    },
  };
}
