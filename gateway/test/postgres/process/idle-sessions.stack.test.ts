/** What sessions cost that say nothing: `make check-hostile` measures 200 and 500 of them. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { processStat } from '@penstock/common/process/process-stat.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../../e2e/support/stack.ts';
import { newTenant } from '../../e2e/support/tenant.ts';
import { startEndpoint, type Endpoint } from './support/endpoint.ts';
import { query } from './support/frames.ts';
import { signedIn, type SignedIn } from './support/raw-client.ts';

const SESSIONS = Number(process.env['IDLE_SESSIONS'] ?? 60);
const SESSION_KB_MAX = 200;
/** Of one core, while nobody says anything: revocations are looked at each second. */
const CPU_SHARE_MAX = 0.1;
const REST_MS = 4_000;

describe('idle sessions of PostgreSQL clients', function () {
  this.timeout(2 * STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let endpoint: Endpoint;
  const clients: SignedIn[] = [];

  before(async () => {
    stack = await sharedStack();
    endpoint = await startEndpoint(stack);
  });
  after(async () => {
    for (const client of clients) client.destroy();
    await endpoint?.close();
  });

  /** Its own share of memory, once it has settled. */
  const settledKb = async (): Promise<number> => {
    let least = Infinity;
    for (let i = 0; i < 6; i++) {
      // Sleeps: memory is given back bit by bit.
      await sleep(500);
      const rollup = await readFile(`/proc/${endpoint.pid}/smaps_rollup`, 'utf8');
      least = Math.min(least, Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]));
    }
    return least;
  };

  it(`take at most ${SESSION_KB_MAX} KB each, and hardly any time`, async () => {
    // One may have no more than 500.
    const tenants = [await newTenant(stack), await newTenant(stack)];
    let entered = 0;
    const enter = async (): Promise<void> => {
      const { credentials } = tenants[entered++ % tenants.length]!;
      const client = await signedIn(credentials, { port: endpoint.port });
      clients.push(client);
      client.send(query('SELECT 1'));
      await client.until('Z');
    };
    for (let i = 0; i < 10; i++) await enter();
    const before = await settledKb();
    while (clients.length < SESSIONS + 10) await Promise.all(Array.from({ length: 5 }, enter));
    const eachKb = ((await settledKb()) - before) / SESSIONS;
    const cpuMs = (): number => processStat(endpoint.pid)?.cpuMs ?? NaN;
    const cpuBefore = cpuMs();
    // Sleeps: what it costs is measured over a time.
    await sleep(REST_MS);
    const share = (cpuMs() - cpuBefore) / REST_MS;
    process.stdout.write(
      `      ${eachKb.toFixed(0)} KB a session of ${SESSIONS}, ${(100 * share).toFixed(1)} % of a core\n`,
    );
    expect(eachKb).to.be.lessThan(SESSION_KB_MAX);
    expect(share).to.be.lessThan(CPU_SHARE_MAX);
  });
});
