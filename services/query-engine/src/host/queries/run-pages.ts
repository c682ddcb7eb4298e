/** The pages that a run asks for: each is read under its limits, and settled however the run ends. */
import type { PageQuestion } from '../../pipe/messages.ts';
import type { RunBudget, Spend } from '../budgets/budgets.ts';
import type { PageMessage } from '../processes/run.ts';
import type { Allowed } from '../read-limits/lease.ts';
import type { RateLimits } from '../read-limits/rate-limits.ts';

/** A page that waits, or is being read. */
interface Page {
  readonly ending: AbortController;
  allowed: Allowed | null;
  spend: Spend | null;
}

export interface RunPages {
  /** Waits until the page may be read. Throws where it is not wanted any more, or where a budget does not allow it. */
  enter(question: PageQuestion): Promise<void>;
  settle(message: Pick<PageMessage, 'page' | 'halfUnits' | 'holdMs'>): void;
  /** Nothing more is read. `halfUnits`: what all pages cost together; what was not settled by then is now. */
  end(halfUnits: number): void;
}

/** Made once: an abort without a reason makes an error with a stack each time. */
const OVER = Object.freeze({ reason: 'the page is not wanted any more' });

/** `budget` null: whoever asks has none. */
export function createRunPages(tenantId: string, rateLimits: RateLimits, budget: RunBudget | null): RunPages {
  const pages = new Map<number, Page>();
  let settled = 0;
  const finish = (number: number, page: Page, halfUnits: number, holdMs: number): void => {
    pages.delete(number);
    page.ending.abort(OVER);
    page.allowed?.settle(halfUnits, holdMs);
    page.spend?.(halfUnits);
    settled += halfUnits;
  };
  return {
    async enter({ page: number, bucket, least, most }) {
      if (bucket === null && budget === null) return;
      const page: Page = { ending: new AbortController(), allowed: null, spend: null };
      const { signal } = page.ending;
      pages.set(number, page);
      // It may have been given up at the very moment that it was let through.
      const isWanted = (): boolean => pages.get(number) === page;
      if (bucket !== null) {
        const allowed = await rateLimits.enter(tenantId, bucket, { most }, signal);
        if (isWanted()) page.allowed = allowed;
        else allowed.settle(0, 0);
      }
      if (budget === null || !isWanted()) return;
      try {
        const spend = await budget.reserve({ least, most }, signal);
        if (isWanted()) page.spend = spend;
        else spend(0);
      } catch (error) {
        if (isWanted()) finish(number, page, 0, 0);
        throw error;
      }
    },
    settle({ page: number, halfUnits, holdMs }) {
      const page = pages.get(number);
      if (page !== undefined) finish(number, page, halfUnits, holdMs);
    },
    end(halfUnits) {
      for (const [number, page] of pages) {
        const isRead = budget === null ? page.allowed !== null : page.spend !== null;
        finish(number, page, isRead ? Math.max(0, halfUnits - settled) : 0, 0);
      }
      budget?.end();
    },
  };
}
