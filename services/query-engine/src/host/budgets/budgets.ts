/** Budgets of tenants and clients: each page of a query that has any is reserved for before it is read. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSingleFlight } from '@penstock/common/concurrency/single-flight.ts';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import { within } from '@penstock/common/time/within.ts';
import {
  BUDGET_AGAIN_MS,
  BUDGET_COUNTERS_KEPT,
  BUDGET_STALLED_MS_MAX,
  BUDGET_TURN_MS,
  BUDGET_WAIT_MS_MAX,
  SPENDER_KEPT_MS,
} from '../limits.ts';
import { createAccount, type Account, type Spender } from './account.ts';
import { budgetExceeded, budgetUnknown } from './budget-errors.ts';
import type { BudgetCounters, PageCost } from './counters.ts';
import type { KnownBudgets } from './known-budgets.ts';
import { limitsOf, type BudgetLimit } from './limits-of.ts';
import { createTurns } from './turns.ts';

/** Who reads. `token`: to ask for what was used. */
export interface BudgetCall {
  readonly tenantId: string;
  /** Null: no API client. */
  readonly clientId: string | null;
  readonly token: string;
  readonly requestId: string;
}

/** Once: what the page cost, half units. */
export type Spend = (halfUnits: number) => void;

export interface RunBudget {
  /**
   * Before a page. It begins at once where enough is left for all that it may cost, else it waits for pages under way, so
   * that a budget is exceeded by one page at most. Throws BUDGET_EXCEEDED where not even the least that it costs is left, UNAVAILABLE where nobody knows what is left, or the
   * signal's reason.
   */
  reserve(cost: PageCost, signal: AbortSignal): Promise<Spend>;
  /** Nothing more is read, and what was read is recorded soon. */
  end(): void;
}

export interface Budgets {
  /** Null: whoever calls has no budget. Throws UNAVAILABLE where that is not known. */
  forRun(call: BudgetCall): RunBudget | null | Promise<RunBudget | null>;
}

/** What was consumed in the period of a limit by its tenant, or client, as far as it is recorded: half units. */
export type Consumed = (limit: BudgetLimit, call: BudgetCall) => Promise<number>;

export interface BudgetParts {
  readonly known: KnownBudgets;
  readonly counters: BudgetCounters;
  readonly consumed: Consumed;
  readonly onRefusal?: (limit: BudgetLimit) => void;
  readonly clock?: Clock;
}

/** Pages under way may leave enough of this limit, or not. */
interface Busy {
  readonly limit: BudgetLimit;
  readonly spent: number;
  readonly reserved: number;
}

const nothing: Spend = () => undefined;

export function createBudgets(parts: BudgetParts): Budgets {
  const { known, counters, consumed, onRefusal, clock = systemClock } = parts;
  const accounts = boundedCache<Account>(BUDGET_COUNTERS_KEPT);
  const spenders = new Set<Spender>();
  const seeding = createSingleFlight<string>();
  const turns = createTurns();

  const seed = (limit: BudgetLimit, call: BudgetCall): Promise<string> =>
    seeding.run(limit.key, async () => counters.seed(limit, await consumed(limit, call), randomUUID()));
  const accountOf = (limit: BudgetLimit, call: BudgetCall): Account => {
    const { key } = limit;
    const account =
      accounts.get(key) ??
      createAccount({ key, counters, spenders: () => spenders, seed: () => seed(limit, call) });
    accounts.set(key, account);
    return account;
  };

  const refused = (limit: BudgetLimit, used: { spent: number; reserved: number }, least: number): Error => {
    onRefusal?.(limit);
    return budgetExceeded(limit, { ...used, least });
  };

  /** Null: a counter had to be made first. */
  const reserveOnce = async (
    limits: readonly BudgetLimit[],
    call: BudgetCall,
    cost: PageCost,
  ): Promise<Spend | Busy | null> => {
    const own = limits.map((limit) => accountOf(limit, call));
    await within(BUDGET_WAIT_MS_MAX, Promise.all(own.map((account) => account.settled())));
    for (const account of own) account.asking();
    let made;
    try {
      made = await counters.reserve(limits, cost);
    } catch (error) {
      for (const account of own) account.lost();
      throw error;
    }
    if (made.kind === 'reserved') {
      const { lives } = made;
      own.forEach((account, i) => account.reserved(cost, lives[i] ?? ''));
      return (halfUnits) => {
        for (const account of own) account.spend(halfUnits, cost);
      };
    }
    for (const account of own) account.refused();
    const limit = limits[made.limit]!;
    if (made.kind === 'exceeded') throw refused(limit, made, cost.least);
    if (made.kind === 'busy') return { limit, spent: made.spent, reserved: made.reserved };
    await seed(limit, call);
    return null;
  };

  const forKnown = (call: BudgetCall): RunBudget | null => {
    if (known.of(call.tenantId, call.clientId).length === 0) return null;
    const spent = new Map<string, number>();
    const spender: Spender = { spentOf: (key) => spent.get(key) ?? 0 };
    spenders.add(spender);
    return {
      async reserve(cost, signal) {
        const own = turns.taker(signal);
        let until = performance.now() + BUDGET_WAIT_MS_MAX;
        try {
          for (;;) {
            if (signal.aborted) throw signal.reason;
            const limits = limitsOf(known.of(call.tenantId, call.clientId), clock.now());
            if (limits.length === 0) return nothing;
            const before = own.key() === null ? limits.find(({ key }) => turns.isTaken(key)) : undefined;
            if (before !== undefined) {
              await own.take(before.key);
              until = performance.now() + BUDGET_WAIT_MS_MAX;
            }
            let made;
            try {
              made = await reserveOnce(limits, call, cost);
            } catch (error) {
              if (error instanceof PenstockError && error.code === 'BUDGET_EXCEEDED') throw error;
              if (performance.now() > until) throw budgetUnknown(error);
              await sleep(BUDGET_AGAIN_MS);
              continue;
            }
            if (typeof made === 'function') {
              const settle = made;
              return (halfUnits) => {
                for (const { key } of limits) spent.set(key, (spent.get(key) ?? 0) + halfUnits);
                settle(halfUnits);
              };
            }
            until = performance.now() + BUDGET_WAIT_MS_MAX;
            if (made === null) continue;
            const { key } = made.limit;
            if (own.key() !== key) await own.take(key);
            else if (own.unchangedMs(`${made.spent} ${made.reserved}`) > BUDGET_STALLED_MS_MAX)
              throw refused(made.limit, made, cost.least);
            else await sleep(BUDGET_TURN_MS);
          }
        } finally {
          own.leave();
        }
      },
      end() {
        // Until it is in the usage counters.
        setTimeout(() => spenders.delete(spender), SPENDER_KEPT_MS).unref();
      },
    };
  };

  return {
    forRun: (call) =>
      known.isKnown
        ? forKnown(call)
        : within(BUDGET_WAIT_MS_MAX, known.first).then(
            () => forKnown(call),
            (error: unknown) => {
              throw budgetUnknown(error);
            },
          ),
  };
}

/** Nobody has a budget. */
export const NO_BUDGETS: Budgets = Object.freeze({ forRun: () => null });
