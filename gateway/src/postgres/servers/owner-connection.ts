/** Connections of a server's owner, who may do everything there: for what we do ourselves, and short. */
import { Client } from 'pg';

export const OWNER = 'penstock';
/** The database of the template. */
export const FIRST_DATABASE = 'postgres';
/** Part of the name of the socket's file. */
export const SOCKET_PORT = 5432;

export interface OwnerConnection {
  /** Statements one after the other, without parameters; rows of the last. Rejects with DatabaseError of `pg`. */
  run(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

/** Rejects where the server takes no connection (yet). */
export async function connectOwner(socketFolder: string, database: string): Promise<OwnerConnection> {
  const client = new Client({
    host: socketFolder,
    port: SOCKET_PORT,
    user: OWNER,
    database,
    // pg would take what is not given from our environment.
    password: '',
    ssl: false,
    application_name: '',
    options: '-c default_transaction_read_only=off -c search_path=pg_catalog',
  });
  // A server that ends meanwhile: whatever runs rejects.
  client.on('error', () => undefined);
  await client.connect();
  return {
    async run(sql) {
      const result: unknown = await client.query(sql);
      const last: unknown = Array.isArray(result) ? result.at(-1) : result;
      return (last as { readonly rows: readonly Readonly<Record<string, unknown>>[] }).rows;
    },
    close: () => client.end().catch(() => undefined),
  };
}
