/**
 * Whole results of several tenants at once, in all formats, while a part is killed at a random moment; round after round.
 * After each, what was metered of each tenant is held against its account's own log, to the half unit.
 *
 * A page that DynamoDB was asked for and had not answered when its reader was killed is in that log, and nobody can know of
 * it: so many half units may be missing, for each stream that was cut.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { clearRequests } from '../../e2e/support/request-log.ts';
import { seedWide } from '../../e2e/support/shop.ts';
import { openMeter, type Metered } from '../metered.ts';
import type { Random } from '../random.ts';
import { recovers } from '../recovers.ts';
import { seedTenant, type ChaosTenant } from '../tenants.ts';
import { FORMATS, takeStream, type Format, type Outcome } from './take-stream.ts';

const SQL = 'SELECT id, n, filler FROM shop.wide';
const ONE = "SELECT id FROM shop.wide WHERE id = 'k000001'";
const ITEMS = 60;
const ITEM_BYTES = 100_000;
/** Some six pages, of which each takes a quarter of a second. */
const UNITS_PER_SECOND = 512;
/** Eventually consistent, of a megabyte and what the last item has more. */
const PAGE_HALF_UNITS = 2 * 141;
/** Engines hear of a schema's limits within five seconds. */
const LIMITS_KNOWN_MS = 6_000;
/** A stream begins, and a part is killed, at random within so long. */
const BEGIN_MS = 400;
const KILL_MS = 2_500;

export interface StreamsReport {
  /** How many streams, by part killed, format and outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Half units that are in the log and were not metered, by part killed: pages in flight. */
  readonly inFlight: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
}

export interface Streams {
  /** As many rounds as it takes; each kills a part. */
  run(streams: number, parts: readonly string[], random: Random): Promise<StreamsReport>;
  close(): void;
}

/** Files that results were copied to, and folders of dead engines: what should not be there once all is over. */
async function leftBehind(stack: RunningStack): Promise<readonly string[]> {
  const services = join(stack.dataDir, 'services');
  const engines = (await readdir(services)).filter((name) => name.startsWith('query-engine-'));
  const found = engines.map(async (engine) => {
    const names = await readdir(join(services, engine, 'spill'), { recursive: true }).catch(() => []);
    const dead = names.filter(
      (name) => /^engine-\d+-[^/]*$/.test(name) && !name.startsWith(`engine-${stack.pid(engine)}-`),
    );
    return [...dead, ...names.filter((name) => /\.(?:parquet|tmp|block)$/.test(name))];
  });
  return (await Promise.all(found)).flat();
}

const kill = (stack: RunningStack, part: string): void => {
  const pid = stack.pid(part);
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
};

/** Seeds so many tenants in a stack, which may be used otherwise before and after, but not meanwhile. */
export async function prepareStreams(stack: RunningStack, tenantCount: number): Promise<Streams> {
  const tenants: ChaosTenant[] = [];
  for (let i = 0; i < tenantCount; i++) {
    const seeded = await seedTenant(stack, `stream${i}`);
    await seedWide(seeded.account, 'wide', ITEMS, ITEM_BYTES);
    tenants.push(seeded);
  }
  const works = ({ tenant }: ChaosTenant): Promise<void> =>
    recovers(async () => (await tenant.query(ONE)).body.success);
  for (const one of tenants) {
    await works(one);
    const json = { readLimits: { unitsPerSecond: UNITS_PER_SECOND } };
    await one.tenant.call('PATCH', '/v1/schemas/shop', { json });
  }
  await pause(LIMITS_KNOWN_MS);
  const ids = Array.from({ length: ITEMS }, (_, i) => `k${String(i).padStart(6, '0')}`);
  const meter = openMeter(stack);

  const stream = async ({ tenant }: ChaosTenant, format: Format, beginMs: number): Promise<Outcome> => {
    await pause(beginMs);
    return takeStream({ url: `${stack.baseUrl}/v1/query`, token: tenant.token, sql: SQL, format, ids });
  };

  return {
    async run(streams, parts, random) {
      const outcomes: Record<string, number> = {};
      const inFlight: Record<string, number> = {};
      const wrong: string[] = [];
      let before: ReadonlyMap<ChaosTenant, Metered> = await meter.settled(tenants);
      for (let done = 0, round = 0; done < streams; done += tenants.length, round++) {
        const part = parts[round % parts.length] ?? '';
        for (const { account } of tenants) await clearRequests(stack, account);
        const taken = tenants.map(async (one) => {
          const format = random.pick(Object.keys(FORMATS) as Format[]);
          return { one, format, outcome: await stream(one, format, random.below(BEGIN_MS)) };
        });
        await pause(random.below(KILL_MS));
        kill(stack, part);
        const all = await Promise.all(taken);
        // Who was killed is there again; what is asked here is in the log, too.
        for (const one of tenants) await works(one);
        const after = await meter.settled(tenants);
        for (const { one, format, outcome } of all) {
          const key = `${part} killed, ${format}: ${outcome.kind}`;
          outcomes[key] = (outcomes[key] ?? 0) + 1;
          if (outcome.kind === 'wrong') wrong.push(`round ${round}, ${key}: ${outcome.why}`);
          const { consumedHalfUnits = 0, halfUnits = 0 } = after.get(one) ?? {};
          const missing = consumedHalfUnits - (halfUnits - (before.get(one)?.halfUnits ?? 0));
          inFlight[part] = (inFlight[part] ?? 0) + missing;
          const allowed = outcome.kind === 'whole' ? 0 : PAGE_HALF_UNITS;
          if (missing < 0 || missing > allowed)
            wrong.push(`round ${round}, ${key}: ${missing} half units of ${consumedHalfUnits} not metered`);
        }
        before = after;
      }
      // Whoever looks for what the dead left behind does so every second.
      await recovers(async () => (await leftBehind(stack)).length === 0).catch(async () => {
        wrong.push(`left behind: ${(await leftBehind(stack)).join(', ')}`);
      });
      return { outcomes: Object.fromEntries(Object.entries(outcomes).sort()), inFlight, wrong };
    },
    close() {
      meter.close();
      for (const { account } of tenants) account.close();
    },
  };
}
