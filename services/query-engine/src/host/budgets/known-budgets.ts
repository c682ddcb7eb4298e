/** The budgets that there are, as auth has them: looked at every few seconds, so that no query has to ask. */
import { BUDGETS_LOOK_MS, BUDGETS_WHOLE_LOOK_EVERY } from '../limits.ts';
import type { Budget } from './limits-of.ts';

/** Null: they are still those of that version. */
export type FetchBudgets = (
  knownVersion: string,
) => Promise<{ readonly version: string; readonly budgets: readonly Budget[] } | null>;

export interface KnownBudgets {
  /** Of the tenant, and of its client. */
  of(tenantId: string, clientId: string | null): readonly Budget[];
  readonly isKnown: boolean;
  /** Resolves once they are known. */
  readonly first: Promise<void>;
}

const NONE: readonly Budget[] = Object.freeze([]);

const nameOf = (tenantId: string, clientId: string | null): string => JSON.stringify([tenantId, clientId]);

/**
 * While auth is away those known last count. `onFailure`: told once each time that it goes away. `lookMs`: between two
 * looks at them.
 */
export function watchBudgets(
  fetch: FetchBudgets,
  onFailure: (error: unknown) => void = () => undefined,
  lookMs: number = BUDGETS_LOOK_MS,
): KnownBudgets & { close(): void } {
  const first = Promise.withResolvers<void>();
  let budgets: ReadonlyMap<string, Budget> | null = null;
  let version = '';
  let looks = 0;
  let isAway = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;

  const look = async (): Promise<void> => {
    try {
      // Now and then all of them: a version may have been written without what it stands for.
      const found = await fetch(looks++ % BUDGETS_WHOLE_LOOK_EVERY === 0 ? '' : version);
      if (found !== null) {
        budgets = new Map(found.budgets.map((budget) => [nameOf(budget.tenantId, budget.clientId), budget]));
        ({ version } = found);
      }
      first.resolve();
      isAway = false;
    } catch (error) {
      if (!isAway) onFailure(error);
      isAway = true;
    }
    if (isClosed) return;
    timer = setTimeout(() => void look(), lookMs);
    timer.unref();
  };
  void look();

  return {
    of(tenantId, clientId) {
      if (budgets === null || budgets.size === 0) return NONE;
      const found = [budgets.get(nameOf(tenantId, null))];
      if (clientId !== null) found.push(budgets.get(nameOf(tenantId, clientId)));
      return found.filter((budget) => budget !== undefined);
    },
    get isKnown() {
      return budgets !== null;
    },
    first: first.promise,
    close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
