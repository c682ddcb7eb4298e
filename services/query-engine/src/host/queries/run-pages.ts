/** The pages that a run asks for: each is read under its limits, and settled however the run ends. */
import type { PageQuestion } from '../../pipe/messages.ts';
import type { PageMessage } from '../processes/run.ts';
import type { Allowed } from '../read-limits/lease.ts';
import type { RateLimits } from '../read-limits/rate-limits.ts';

/** A page that waits, or is being read. */
interface Page {
  readonly ending: AbortController;
  allowed: Allowed | null;
}

export interface RunPages {
  /** Waits until the page may be read. Throws where it is not wanted any more. */
  enter(question: PageQuestion): Promise<void>;
  settle(message: Pick<PageMessage, 'page' | 'halfUnits' | 'holdMs'>): void;
  /** Nothing more is read. `halfUnits`: what all pages cost together; what was not settled by then is now. */
  end(halfUnits: number): void;
}

/** Made once: an abort without a reason makes an error with a stack each time. */
const OVER = Object.freeze({ reason: 'the page is not wanted any more' });

export function createRunPages(tenantId: string, rateLimits: RateLimits): RunPages {
  const pages = new Map<number, Page>();
  let settled = 0;
  const finish = (number: number, page: Page, halfUnits: number, holdMs: number): void => {
    pages.delete(number);
    page.ending.abort(OVER);
    page.allowed?.settle(halfUnits, holdMs);
    settled += halfUnits;
  };
  return {
    async enter({ page: number, bucket, most }) {
      if (bucket === null) return;
      const page: Page = { ending: new AbortController(), allowed: null };
      pages.set(number, page);
      const allowed = await rateLimits.enter(tenantId, bucket, { most }, page.ending.signal);
      // It may have been given up at the very moment.
      if (pages.get(number) === page) page.allowed = allowed;
      else allowed.settle(0, 0);
    },
    settle({ page: number, halfUnits, holdMs }) {
      const page = pages.get(number);
      if (page !== undefined) finish(number, page, halfUnits, holdMs);
    },
    end(halfUnits) {
      for (const [number, page] of pages)
        finish(number, page, page.allowed === null ? 0 : Math.max(0, halfUnits - settled), 0);
    },
  };
}
