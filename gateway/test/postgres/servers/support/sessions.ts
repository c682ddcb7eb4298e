/** Sessions with a tenant's server as clients have them, and what a test needs around. */
import { Client, DatabaseError } from 'pg';
import type { Logger } from '@penstock/common/logging/logger.ts';
import {
  createTenantServers,
  type Place,
  type TenantServers,
} from '../../../../src/postgres/servers/tenant-servers.ts';

export const CLIENT = 'ck_client';

export interface Logged {
  readonly logger: Logger;
  readonly lines: readonly string[];
}

/** Keeps what is said. */
export function quietLogger(): Logged {
  const lines: string[] = [];
  const say = (first: unknown, text?: string): void =>
    void lines.push(text ?? (typeof first === 'string' ? first : JSON.stringify(first)));
  const logger = { debug: say, info: say, warn: say, error: say } as unknown as Logger;
  return { logger, lines };
}

export const startServers = (
  limits: Parameters<typeof createTenantServers>[0]['limits'] = {},
): TenantServers => createTenantServers({ logger: quietLogger().logger, limits });

export interface Session {
  readonly pid: number;
  /** Rows as arrays. Rejects with DatabaseError. */
  query(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Settled when it has ended. */
  readonly gone: Promise<void>;
  close(): Promise<void>;
}

export async function session(place: Place, user = CLIENT, options = ''): Promise<Session> {
  const client = new Client({
    ...{ host: place.socketFolder, user, database: place.database, password: '', options },
  });
  const gone = new Promise<void>((resolve) => client.once('end', resolve));
  client.on('error', () => undefined);
  await client.connect();
  const query = async (sql: string): Promise<readonly (readonly unknown[])[]> => {
    const answer: unknown = await client.query({ text: sql, rowMode: 'array' });
    const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer;
    return (last as { readonly rows: readonly (readonly unknown[])[] }).rows;
  };
  const [[pid] = []] = await query('SELECT pg_backend_pid()');
  return { pid: Number(pid), query, gone, close: () => client.end() };
}

/** A place with the client's role. */
export async function enter(servers: TenantServers, tenantId: string, database = 'penstock'): Promise<Place> {
  const place = await servers.enter({ tenantId, seesTables: true, database });
  await place.role(CLIENT);
  return place;
}

/** `ok`, the SQLSTATE of an error, or `gone` where the session ended with it. */
export async function outcome(of: Promise<unknown>): Promise<string> {
  try {
    await of;
    return 'ok';
  } catch (error) {
    return error instanceof DatabaseError && error.code !== undefined ? error.code : 'gone';
  }
}
