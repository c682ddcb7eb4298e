/** Roles of the clients that use a server. */
import { DatabaseError } from 'pg';
import { PgError } from '../errors/pg-error.ts';
import { OWNER } from './owner-connection.ts';
import type { RunningServer } from './server.ts';
import { cutName, isNoName } from './tables/names.ts';
import { quoteIdent } from './tables/quote.ts';

export interface ServerRoles {
  /** See Place. */
  role(name: string): Promise<void>;
}

/** PostgreSQL's own, words that are no names of roles, and those that are not clients'. */
const isReserved = (name: string): boolean =>
  isNoName(name) || name.startsWith('pg_') || ['public', 'none', OWNER, 'penstock_planner'].includes(name);

const DUPLICATE_OBJECT = '42710';

export function createServerRoles(server: RunningServer): ServerRoles {
  const roles = new Map<string, Promise<void>>();
  const create = async (name: string): Promise<void> => {
    const owner = await server.owner();
    try {
      // Nothing else: no member of another role, and none that makes databases or roles.
      await owner.run(`CREATE ROLE ${quoteIdent(name)} LOGIN`);
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === DUPLICATE_OBJECT)) throw error;
    } finally {
      await owner.close();
    }
  };
  return {
    async role(name) {
      const cut = cutName(name);
      if (isReserved(cut)) throw new PgError({ code: '42939', message: `role name "${cut}" is reserved` });
      let created = roles.get(cut);
      if (created === undefined) {
        created = create(cut);
        roles.set(cut, created);
        created.catch(() => roles.delete(cut));
      }
      await created.catch((error: unknown) => {
        throw server.ended.aborted ? server.ended.reason : error;
      });
    },
  };
}
