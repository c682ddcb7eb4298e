/** Turns of a tenant's statements over the catalogs: so many at once, the others in the order in which they came. */
import { CATALOG_STATEMENTS_PER_TENANT_MAX } from '../limits.ts';

/** Resolves when it is the tenant's turn; what it gives ends that. Rejects with the signal's reason. */
export type TurnOf = (tenantId: string, signal: AbortSignal) => Promise<() => void>;

interface Turns {
  running: number;
  readonly waiting: (() => void)[];
}

export function createTurns(most: number = CATALOG_STATEMENTS_PER_TENANT_MAX): TurnOf {
  const tenants = new Map<string, Turns>();

  return async (tenantId, signal) => {
    const turns: Turns = tenants.get(tenantId) ?? { running: 0, waiting: [] };
    tenants.set(tenantId, turns);
    const leave = (): void => {
      const next = turns.waiting.shift();
      if (next !== undefined) return next();
      turns.running--;
      if (turns.running === 0) tenants.delete(tenantId);
    };
    if (turns.running < most) {
      turns.running++;
      return leave;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        turns.waiting.splice(turns.waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      turns.waiting.push(enter);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
    });
    return leave;
  };
}
