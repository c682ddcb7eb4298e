/** A million rows through pgjdbc with a fetch size: what the processes hold meanwhile, and what it costs. */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from '../../../../deploy/local/src/stack/ports.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { ITEM_BYTES, PAGE_ITEMS } from '../../../../services/query-engine/bench/canned/items.ts';
import { startCannedEndpoint } from '../../../../services/query-engine/bench/canned/start.ts';
import { peakResidentMb, residentMb } from '../../../../services/query-engine/bench/process-use.ts';
import { discardStack, startTestStack } from '../../e2e/support/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from '../../e2e/support/tenant.ts';
import type { Program } from './installed.ts';
import { variablesOf, type Tried } from './programs.ts';
import { targetOf } from './target.ts';

const run = promisify(execFile);

const FETCH_SIZE = 1_000;
const [TABLE, SMALL_TABLE] = ['canned_1m', 'canned_40k'];
const PAGES = Math.ceil(1_000_000 / PAGE_ITEMS);
/** One scan, eventually consistent. */
const SCAN_UNITS = (PAGES * Math.ceil((PAGE_ITEMS * ITEM_BYTES) / 4096)) / 2;
/** What a process may hold beyond what it held before: some pages and batches, not a million rows (400 MB). */
const GROWTH_MB_MAX = 250;

interface Taken {
  readonly rows: number;
  readonly sum: string;
  readonly firstMs: number;
  readonly ms: number;
}

async function take(java: Program, stack: RunningStack, tenant: TestTenant, table: string): Promise<Taken> {
  const args = [...java.args, 'Large', `SELECT * FROM bench.${table}`, String(FETCH_SIZE)];
  const env = { ...variablesOf(targetOf(stack, tenant.credentials)), ...java.env };
  const { stdout } = await run(java.path, args, { env });
  return JSON.parse(stdout) as Taken;
}

async function unitsOf(tenant: TestTenant): Promise<number> {
  const { body } = await tenant.call('GET', '/v1/usage/summary');
  return (body.data?.['totals'] as { readonly ddbReadUnits: number }).ddbReadUnits;
}

/** Usage is added up a moment later. */
async function settledUnits(tenant: TestTenant): Promise<number> {
  for (let last = await unitsOf(tenant); ;) {
    // Sleeps: what was not added up by then would have been seen.
    await sleep(2_000);
    const now = await unitsOf(tenant);
    if (now === last) return now;
    last = now;
  }
}

const pidOf = (stack: RunningStack, name: string): number => {
  const pid = stack.pid(name);
  if (pid === undefined) throw new Error(`${name} does not run`);
  return pid;
};

/** `say`: the figures. */
export async function tryLarge(java: Program, say: (text: string) => void): Promise<readonly Tried[]> {
  const [awsPort = 0, cannedPort = 0] = await freePorts(2);
  const canned = await startCannedEndpoint(cannedPort, awsPort);
  try {
    const stack = await startTestStack({ awsPort, awsEndpoint: canned.url });
    try {
      const tenant = await newTenant(stack);
      const account = newAccount(stack);
      await registerSchema(stack, tenant, account, { schemaName: 'bench' });
      account.close();
      // What a process takes for the first statement it keeps.
      await take(java, stack, tenant, SMALL_TABLE);
      const units = await settledUnits(tenant);
      const [gateway, engine] = [pidOf(stack, 'postgres'), pidOf(stack, 'query-engine-1')];
      const before = { gateway: await residentMb(gateway), engine: await residentMb(engine) };
      let taken: Taken | null = null;
      const peak = { gateway: 0, engine: 0 };
      peak.engine = await peakResidentMb(engine, async () => {
        peak.gateway = await peakResidentMb(gateway, async () => {
          taken = await take(java, stack, tenant, TABLE);
        });
      });
      const read = (await settledUnits(tenant)) - units;
      const { rows, firstMs, ms } = taken as unknown as Taken;
      const growth = { gateway: peak.gateway - before.gateway, engine: peak.engine - before.engine };
      say(
        `${rows} rows, fetch size ${FETCH_SIZE}: first after ${firstMs} ms, all after ${ms} ms (${Math.round((rows / ms) * 1000)} a second)`,
      );
      for (const name of ['gateway', 'engine'] as const)
        say(
          `${name} process: ${before[name].toFixed(0)} MB before, ${peak[name].toFixed(0)} MB at most meanwhile`,
        );
      say(`${read} read units, one scan is ${SCAN_UNITS}`);
      const held = (name: string, isSo: boolean, why: string): Tried => ({
        name,
        failure: isSo ? null : why,
      });
      return [
        held('all rows came', rows === PAGES * PAGE_ITEMS, `${rows} of ${PAGES * PAGE_ITEMS}`),
        held('they cost one scan', read === SCAN_UNITS, `${read} instead of ${SCAN_UNITS}`),
        held('the endpoint holds a few batches', growth.gateway < GROWTH_MB_MAX, `${growth.gateway} MB more`),
        held('the engine holds a few pages', growth.engine < GROWTH_MB_MAX, `${growth.engine} MB more`),
      ];
    } finally {
      await discardStack(stack);
    }
  } finally {
    await canned.stop();
  }
}
