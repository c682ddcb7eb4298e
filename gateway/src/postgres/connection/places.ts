/** How many connections there may be: in all, of those that have not signed in, and of one tenant. */
import { PgError } from '../errors/pg-error.ts';
import { HALF_OPEN_MAX, SESSIONS_MAX, SESSIONS_PER_TENANT_MAX } from '../limits.ts';

export interface Place {
  /** The connection has signed in. @throws PgError FATAL where its tenant has too many */
  signedIn(tenantId: string): void;
  leave(): void;
}

export interface Places {
  /** Null where there are too many. */
  enter(): Place | null;
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

export function createPlaces(): Places {
  const byTenant = new Map<string, number>();
  let halfOpen = 0;
  let sessions = 0;
  return {
    enter() {
      if (halfOpen >= HALF_OPEN_MAX || sessions + halfOpen >= SESSIONS_MAX) return null;
      halfOpen++;
      let tenant: string | null = null;
      let isIn = true;
      return {
        signedIn(tenantId) {
          const others = byTenant.get(tenantId) ?? 0;
          if (others >= SESSIONS_PER_TENANT_MAX) throw tooMany('connections of this tenant');
          byTenant.set(tenantId, others + 1);
          tenant = tenantId;
          halfOpen--;
          sessions++;
        },
        leave() {
          if (!isIn) return;
          isIn = false;
          if (tenant === null) {
            halfOpen--;
            return;
          }
          sessions--;
          const others = (byTenant.get(tenant) ?? 1) - 1;
          if (others === 0) byTenant.delete(tenant);
          else byTenant.set(tenant, others);
        },
      };
    },
    get sessions() {
      return sessions;
    },
    get halfOpen() {
      return halfOpen;
    },
  };
}
