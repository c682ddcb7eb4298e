/** Reads a point by a prepared statement again and again, in a thread of its own: no test keeps it from its time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Credentials } from '../../../e2e/support/tenant.ts';
import { bind, execute, parse, SYNC } from './frames.ts';
import { signedIn, summaryOf } from './raw-client.ts';

export interface BesideRead {
  readonly ms: number;
  readonly answers: readonly string[];
}

const PAUSE_MS = 100;

const { port, credentials } = workerData as { readonly port: number; readonly credentials: Credentials };
const client = await signedIn(credentials, { port });
client.send(parse('read', 'SELECT name FROM shop.customers WHERE id = $1', [25]), SYNC);
await client.until('Z');
while (!client.isClosed) {
  const from = performance.now();
  client.send(bind('', 'read', ['c1']), execute(''), SYNC);
  const answers = (await client.until('Z')).map(summaryOf);
  const read: BesideRead = { ms: performance.now() - from, answers };
  parentPort?.postMessage(read);
  // Sleeps: as an application of good will, ten reads a second.
  await sleep(PAUSE_MS);
}
