/** Real clients of PostgreSQL, connected to a stack. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import type { Credentials } from '../support/tenant.ts';
import { findPsql } from './psql.ts';

/** What a client that is to reach the stack needs to know. */
export function connectionUrl(
  stack: RunningStack,
  { clientId, clientSecret }: Credentials,
  parameters = '',
): string {
  const url = new URL(stack.postgresUrl);
  return `postgresql://${clientId}:${clientSecret}@${url.host}${url.pathname}${parameters}`;
}

/** Every value as the text that came. */
export const AS_TEXT = Object.freeze({
  getTypeParser: () => (value: unknown) => value,
}) as unknown as pg.CustomTypesConfig;

/** node-postgres, every value as the text that came: no driver's own reading of numbers and dates. */
export async function connected(
  stack: RunningStack,
  credentials: Credentials,
  more: pg.ClientConfig = {},
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: connectionUrl(stack, credentials),
    types: AS_TEXT,
    ...more,
  });
  // An end that the test asks for is seen where it waits for it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Ends clients, those too that the endpoint has ended. */
export async function ended(...clients: readonly pg.Client[]): Promise<void> {
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
}

/** The error that a statement ends with. */
export async function errorOf(work: Promise<unknown>): Promise<pg.DatabaseError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error;
    throw error;
  }
  throw new Error('it was answered');
}

export interface PsqlAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** psql, fed with a script. */
export async function psql(
  url: string,
  script: string,
  args: readonly string[] = [],
  onStart?: (kill: (signal: NodeJS.Signals) => void) => void,
): Promise<PsqlAnswer> {
  const { path, env } = await findPsql();
  const child = spawn(path, ['--no-psqlrc', '--dbname', url, ...args], {
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', ...env },
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
  child.stdin.end(script);
  onStart?.((signal) => void child.kill(signal));
  const [code] = (await once(child, 'close')) as [number | null];
  return { stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString(), code };
}
