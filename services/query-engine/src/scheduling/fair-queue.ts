/** Places that tenants share: who waits is served by tenant, the one with the fewest places first. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';

export interface FairQueueBounds {
  readonly places: number;
  /** Places that one tenant may have, also while nobody else wants any: what is left is there at once for the next. */
  readonly perTenant: number;
  /** Who may wait, over all tenants. */
  readonly waiting: number;
  /** What a caller who is refused is told to wait, seconds. */
  readonly retryAfterS: number;
}

export interface FairQueue {
  /**
   * Resolves with what to call when the place is free again. Throws UNAVAILABLE when too many wait already, or the
   * signal's reason.
   */
  enter(tenantId: string, signal: AbortSignal): Promise<() => void>;
  /**
   * The same for what has begun and gave its place back for a while: it comes before what its tenant has yet to begin, and
   * is never refused.
   */
  enterAgain(tenantId: string, signal: AbortSignal): Promise<() => void>;
  readonly taken: number;
  readonly waiting: number;
}

interface Waiter {
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

/** A tenant that has places or waits for some. */
interface Tenant {
  taken: number;
  /** When it was last given a place, counted in places given. */
  servedAt: number;
  /** In the order in which they came. */
  readonly waiters: Set<Waiter>;
  /** Likewise: of what has begun already. */
  readonly returning: Set<Waiter>;
}

const isIdle = ({ taken, waiters, returning }: Tenant): boolean =>
  taken === 0 && waiters.size === 0 && returning.size === 0;

export function createFairQueue(bounds: FairQueueBounds): FairQueue {
  const tenants = new Map<string, Tenant>();
  let taken = 0;
  let waiting = 0;
  let served = 0;

  const tenantOf = (tenantId: string): Tenant => {
    const known = tenants.get(tenantId) ?? {
      taken: 0,
      servedAt: 0,
      waiters: new Set(),
      returning: new Set(),
    };
    tenants.set(tenantId, known);
    return known;
  };
  const isServable = ({ taken: own }: Tenant): boolean => taken < bounds.places && own < bounds.perTenant;
  const take = (tenant: Tenant): void => {
    taken++;
    tenant.taken++;
    tenant.servedAt = ++served;
  };
  const comesBefore = (a: Tenant, b: Tenant): boolean =>
    a.taken === b.taken ? a.servedAt < b.servedAt : a.taken < b.taken;

  /** Whose turn it is; null where nobody who waits may have a place. */
  const nextTenant = (): Tenant | null => {
    let next: Tenant | null = null;
    for (const tenant of tenants.values()) {
      if (tenant.waiters.size + tenant.returning.size === 0 || !isServable(tenant)) continue;
      if (next === null || comesBefore(tenant, next)) next = tenant;
    }
    return next;
  };
  const remove = (tenant: Tenant, waiter: Waiter): void => {
    if (tenant.returning.delete(waiter)) return;
    if (tenant.waiters.delete(waiter)) waiting--;
  };
  const leaveOnce = (tenantId: string, tenant: Tenant): (() => void) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      taken--;
      tenant.taken--;
      const next = nextTenant();
      const [waiter] = next === null ? [] : [...next.returning, ...next.waiters];
      if (next !== null && waiter !== undefined) {
        remove(next, waiter);
        take(next);
        waiter.admit();
      }
      if (isIdle(tenant)) tenants.delete(tenantId);
    };
  };
  const refusal = (): PenstockError =>
    new PenstockError('UNAVAILABLE', 'Too many queries are running; try again', {
      retryAfterS: bounds.retryAfterS,
    });

  /** Room for one more: whoever has most waiting gives up its last, so that nobody fills the queue for the others. */
  const makeRoom = (newcomer: Tenant): void => {
    if (waiting < bounds.waiting) return;
    let most = newcomer;
    for (const tenant of tenants.values()) if (tenant.waiters.size > most.waiters.size) most = tenant;
    const last = [...most.waiters].at(-1);
    if (last === undefined || most.waiters.size <= newcomer.waiters.size + 1) throw refusal();
    remove(most, last);
    last.refuse(refusal());
  };

  const wait = (tenant: Tenant, signal: AbortSignal, isAgain: boolean): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        remove(tenant, waiter);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        admit: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
        refuse: (reason) => {
          signal.removeEventListener('abort', giveUp);
          reject(reason);
        },
      };
      if (isAgain) tenant.returning.add(waiter);
      else {
        tenant.waiters.add(waiter);
        waiting++;
      }
      signal.addEventListener('abort', giveUp, { once: true });
    });

  const enter = async (tenantId: string, signal: AbortSignal, isAgain: boolean): Promise<() => void> => {
    if (signal.aborted) throw signal.reason;
    const tenant = tenantOf(tenantId);
    try {
      if (isServable(tenant)) take(tenant);
      else {
        if (!isAgain) makeRoom(tenant);
        await wait(tenant, signal, isAgain);
      }
    } catch (error) {
      if (isIdle(tenant)) tenants.delete(tenantId);
      throw error;
    }
    return leaveOnce(tenantId, tenant);
  };

  return {
    enter: (tenantId, signal) => enter(tenantId, signal, false),
    enterAgain: (tenantId, signal) => enter(tenantId, signal, true),
    get taken() {
      return taken;
    },
    get waiting() {
      return waiting;
    },
  };
}
