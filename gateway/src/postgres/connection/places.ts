/** How many connections there may be: in all, of those that have not signed in, and of one tenant. */
import { throttleKeyOf } from '@penstock/common/net/throttle-key.ts';
import { PgError } from '../errors/pg-error.ts';
import { HALF_OPEN_MAX, SESSIONS_MAX, SESSIONS_PER_TENANT_MAX } from '../limits.ts';

export interface Place {
  /** The connection is from here, as its balancer says. */
  isOf(address: string): void;
  /** The connection has signed in. @throws PgError FATAL where its tenant has too many */
  signedIn(tenantId: string): void;
  leave(): void;
}

export interface Places {
  /**
   * A place for a connection that has not signed in yet; null where there are too many sessions. Where too many have not
   * signed in, one of them is told to `leave`.
   */
  enter(address: string, leave: () => void): Place | null;
  readonly sessions: number;
  readonly halfOpen: number;
}

export const tooMany = (what: string): PgError =>
  new PgError({
    code: '53300',
    message: `sorry, too many ${what} already`,
    hint: 'close those that are not needed, or share a few in a pool',
    severity: 'FATAL',
  });

/** Those that have not signed in, by address, the longest waiting first. */
function createHalfOpen() {
  const byAddress = new Map<string, Set<() => void>>();
  let count = 0;
  const remove = (address: string, leave: () => void): void => {
    const ofAddress = byAddress.get(address);
    if (ofAddress?.delete(leave) !== true) return;
    count--;
    if (ofAddress.size === 0) byAddress.delete(address);
  };
  /** Whoever opens many makes room first. */
  const makeRoom = (): void => {
    const [address, most] = [...byAddress].reduce((a, b) => (b[1].size > a[1].size ? b : a));
    const [longest] = most;
    if (longest === undefined) return;
    remove(address, longest);
    longest();
  };
  return {
    get count() {
      return count;
    },
    add(address: string, leave: () => void): () => void {
      if (count >= HALF_OPEN_MAX) makeRoom();
      const ofAddress = byAddress.get(address) ?? new Set();
      byAddress.set(address, ofAddress.add(leave));
      count++;
      return () => remove(address, leave);
    },
  };
}

export function createPlaces(): Places {
  const byTenant = new Map<string, number>();
  const halfOpen = createHalfOpen();
  let sessions = 0;
  return {
    enter(address, leave) {
      if (sessions >= SESSIONS_MAX) return null;
      let from = throttleKeyOf(address);
      let signIn = halfOpen.add(from, leave);
      let tenant: string | null = null;
      return {
        isOf(said) {
          const key = throttleKeyOf(said);
          if (key === from) return;
          signIn();
          from = key;
          signIn = halfOpen.add(from, leave);
        },
        signedIn(tenantId) {
          if (sessions >= SESSIONS_MAX) throw tooMany('connections');
          const others = byTenant.get(tenantId) ?? 0;
          if (others >= SESSIONS_PER_TENANT_MAX) throw tooMany('connections of this tenant');
          byTenant.set(tenantId, others + 1);
          tenant = tenantId;
          signIn();
          sessions++;
        },
        leave() {
          signIn();
          if (tenant === null) return;
          sessions--;
          const others = (byTenant.get(tenant) ?? 1) - 1;
          if (others === 0) byTenant.delete(tenant);
          else byTenant.set(tenant, others);
          tenant = null;
        },
      };
    },
    get sessions() {
      return sessions;
    },
    get halfOpen() {
      return halfOpen.count;
    },
  };
}
