/**
 * Whole results of several tenants at once, in all formats, while a part is killed at a random moment; round after round.
 * In every second turn it is killed once rows have come of all of them, so that each format is cut behind its first byte.
 * After each, what was metered of each tenant is held against its account's own log, to the half unit.
 *
 * A page that DynamoDB was asked for, and whose answer had not all come when its reader was killed, is in that log, too, and
 * nobody can know what it cost. The log tells these apart; all others have to be metered.
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
/** Some 15 MB: four row groups of Parquet. */
const ITEMS = 150;
const ITEM_BYTES = 100_000;
/** Some 15 pages, of which each takes an eighth of a second. */
const UNITS_PER_SECOND = 1_024;
/** A stream begins, and a part is killed, at random within so long. */
const BEGIN_MS = 400;
const KILL_MS = 2_500;
/** Or within so long of the last one's first rows. */
const AMID_MS = 1_000;

export interface StreamsReport {
  /** How many streams, by part killed, format and outcome; whether one that broke had begun. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Half units of pages in flight when their reader was killed, by part killed: nobody can know of them. */
  readonly inFlight: Readonly<Record<string, number>>;
  /** Half units that were read otherwise, of which each has to be metered. */
  readonly answered: number;
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
    // Before an engine sees the schema: one that knows it hears of a change only after seconds.
    const json = { readLimits: { unitsPerSecond: UNITS_PER_SECOND } };
    await seeded.tenant.call('PATCH', '/v1/schemas/shop', { json });
    tenants.push(seeded);
  }
  const works = ({ tenant }: ChaosTenant): Promise<void> =>
    recovers(async () => (await tenant.query(ONE)).body.success);
  for (const one of tenants) await works(one);
  const ids = Array.from({ length: ITEMS }, (_, i) => `k${String(i).padStart(6, '0')}`);
  const meter = openMeter(stack);

  const stream = async (
    { tenant }: ChaosTenant,
    format: Format,
    beginMs: number,
    onRows: () => void,
  ): Promise<Outcome> => {
    // Sleeps: the moment is what is random.
    await pause(beginMs);
    const url = `${stack.baseUrl}/v1/query`;
    return takeStream({ url, token: tenant.token, sql: SQL, format, ids }, onRows);
  };

  return {
    async run(streams, parts, random) {
      const outcomes: Record<string, number> = {};
      const inFlight: Record<string, number> = {};
      let answered = 0;
      const wrong: string[] = [];
      let before: ReadonlyMap<ChaosTenant, Metered> = await meter.settled(tenants);
      for (let done = 0, round = 0; done < streams; done += tenants.length, round++) {
        const part = parts[round % parts.length] ?? '';
        for (const { account } of tenants) await clearRequests(stack, account);
        const begun = tenants.map(() => Promise.withResolvers<void>());
        const taken = tenants.map(async (one, i) => {
          const format = random.pick(Object.keys(FORMATS) as Format[]);
          const hasBegun = begun[i]!.resolve;
          const outcome = await stream(one, format, random.below(BEGIN_MS), hasBegun);
          // It may be over without a row.
          hasBegun();
          return { one, format, outcome };
        });
        const isAmid = round % (2 * parts.length) >= parts.length;
        const killMs = random.below(isAmid ? AMID_MS : KILL_MS);
        if (isAmid) await Promise.all(begun.map(({ promise }) => promise));
        // Sleeps: the moment is what is random.
        await pause(killMs);
        kill(stack, part);
        const all = await Promise.all(taken);
        // Who was killed is there again; what is asked here is in the log, too.
        for (const one of tenants) await works(one);
        const after = await meter.settled(tenants);
        for (const { one, format, outcome } of all) {
          const how = outcome.kind === 'broken' && outcome.hasRows ? 'broken amid rows' : outcome.kind;
          const key = `${part} killed, ${format}: ${how}`;
          outcomes[key] = (outcomes[key] ?? 0) + 1;
          if (outcome.kind === 'wrong') wrong.push(`round ${round}, ${key}: ${outcome.why}`);
          const { consumedHalfUnits = 0, unansweredHalfUnits = 0, halfUnits = 0 } = after.get(one) ?? {};
          const known = consumedHalfUnits - unansweredHalfUnits;
          const metered = halfUnits - (before.get(one)?.halfUnits ?? 0);
          inFlight[part] = (inFlight[part] ?? 0) + unansweredHalfUnits;
          answered += known;
          if (metered !== known)
            wrong.push(
              `round ${round}, ${key}: ${metered} half units metered of ${known}, and ${unansweredHalfUnits} in flight`,
            );
        }
        before = after;
      }
      // Whoever looks for what the dead left behind does so every second.
      await recovers(async () => (await leftBehind(stack)).length === 0).catch(async () => {
        wrong.push(`left behind: ${(await leftBehind(stack)).join(', ')}`);
      });
      return { outcomes: Object.fromEntries(Object.entries(outcomes).sort()), inFlight, answered, wrong };
    },
    close() {
      meter.close();
      for (const { account } of tenants) account.close();
    },
  };
}
