/** Portals of a session, and cursors, which are portals that SQL speaks of. */
import { PgError } from '../errors/pg-error.ts';
import { PORTALS_MAX } from '../limits.ts';
import { portalClosed, type Portal } from './portal.ts';

export interface Portals {
  /** @throws PgError where there are too many, or one of that name */
  add(portal: Portal): Promise<void>;
  find(name: string): Portal | undefined;
  close(name: string, reason?: Error): Promise<boolean>;
  /** Those that hold stay unless all are meant. */
  closeAll(all?: boolean): Promise<void>;
}

export function createPortals(): Portals {
  const portals = new Map<string, Portal>();
  const close = async (name: string, reason: Error = portalClosed()): Promise<boolean> => {
    const portal = portals.get(name);
    portals.delete(name);
    await portal?.close(reason);
    return portal !== undefined;
  };
  return {
    async add(portal) {
      const { name } = portal;
      if (name === '') await close('');
      if (portals.has(name)) throw new PgError({ code: '42P03', message: `cursor "${name}" already exists` });
      if (portals.size >= PORTALS_MAX)
        throw new PgError({
          code: '53400',
          message: `a session has at most ${PORTALS_MAX} portals open`,
          hint: 'close those that are not needed: CLOSE, or CLOSE ALL',
        });
      portals.set(name, portal);
    },
    find: (name) => portals.get(name),
    close,
    async closeAll(all = false) {
      if (portals.size === 0) return;
      for (const [name, portal] of [...portals]) if (all || !portal.holds) await close(name);
    },
  };
}
