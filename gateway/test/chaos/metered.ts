/** What was metered, read where it is kept, and what was really consumed, by the account's own request log. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { Redis } from 'ioredis';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { clearRequests, requestsOf } from '../e2e/support/request-log.ts';
import type { ChaosTenant } from './tenants.ts';

export interface Metered {
  readonly requests: number;
  readonly rows: number;
  readonly halfUnits: number;
  /** What the account's tables were charged, times two. */
  readonly consumedHalfUnits: number;
  /** Of these, what nobody can know: whoever asked was gone before the whole answer had come. */
  readonly unansweredHalfUnits: number;
}

const STREAM = 'penstock:usage';
const TABLE = 'penstock-usage';
const SETTLE_MS_MAX = 45_000;
/** Nothing moved for this long, with stream and spools empty and nothing left of dead engines: all is counted. */
const QUIET_MS = 700;
/** Where there may be usage that neither Redis nor the disk took: it is in memory alone, and offered again each second. */
export const OWED_QUIET_MS = 1_500;
const STEP_MS = 100;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Reads from the control plane, as an operator could. */
export function openMeter(stack: RunningStack) {
  const dynamodb = new DynamoDBClient({
    endpoint: stack.awsEndpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: stack.serviceAccountId, secretAccessKey: 'test' },
  });
  const redis = new Redis(stack.redisUrl, { maxRetriesPerRequest: 1 });
  // Redis is killed on purpose; whoever waits for it hears of it by its command.
  redis.on('error', () => undefined);

  async function read({ tenant, account }: ChaosTenant): Promise<Metered> {
    const answer = await dynamodb.send(
      new QueryCommand({
        TableName: TABLE,
        ConsistentRead: true,
        KeyConditionExpression: 'tenantId = :tenant',
        ExpressionAttributeValues: { ':tenant': { S: tenant.tenantId } },
      }),
    );
    const sum = (name: string): number =>
      (answer.Items ?? []).reduce((total, item) => total + Number(item[name]?.N ?? 0), 0);
    const log = await requestsOf(stack, account);
    const halfUnitsOf = (some: typeof log): number =>
      some.reduce((total, { consumedUnits }) => total + (consumedUnits ?? 0) * 2, 0);
    return {
      requests: sum('requests'),
      rows: sum('rowsReturned'),
      halfUnits: sum('readHalfUnits'),
      consumedHalfUnits: halfUnitsOf(log),
      unansweredHalfUnits: halfUnitsOf(log.filter(({ wasAnswered }) => !wasAnswered)),
    };
  }

  async function waiting(): Promise<number> {
    const parts = await readdir(join(stack.dataDir, 'services')).catch(() => []);
    const spools = parts.map((part) => join(stack.dataDir, 'services', part, 'usage-spool'));
    const files = await Promise.all(spools.map((dir) => readdir(dir).catch(() => [])));
    const engines = parts.map((part) => join(stack.dataDir, 'services', part, 'spill'));
    const folders = await Promise.all(engines.map((dir) => readdir(dir).catch(() => [])));
    const dead = folders.flat().filter((name) => !isAlive(Number(/^engine-(\d+)-/.exec(name)?.[1])));
    return (await redis.xlen(STREAM)) + files.flat().length + dead.length;
  }

  return {
    /** @throws Error when usage is still on its way after a while: it would never arrive */
    async settled(
      tenants: readonly ChaosTenant[],
      quietMs = QUIET_MS,
    ): Promise<ReadonlyMap<ChaosTenant, Metered>> {
      const deadline = Date.now() + SETTLE_MS_MAX;
      let last = '';
      let quietSince = Date.now();
      for (;;) {
        const left = await waiting().catch(() => -1);
        const all = await Promise.all(tenants.map(async (tenant) => [tenant, await read(tenant)] as const));
        const now = JSON.stringify(all.map(([, metered]) => metered));
        if (now !== last || left !== 0) quietSince = Date.now();
        last = now;
        if (Date.now() - quietSince >= quietMs) return new Map(all);
        if (Date.now() > deadline) throw new Error(`usage does not settle: ${left} events wait`);
        // Sleeps: a look reads whole logs, and usage is added up once a second.
        await pause(STEP_MS);
      }
    },
    /** How many entries cannot be counted. */
    deadLetters: () => redis.xlen(`${STREAM}:dead`),
    close: () => {
      redis.disconnect();
      dynamodb.destroy();
    },
  };
}

/** What is metered of some work; it may not begin before all parts have found each other. */
export async function meteredOf(
  stack: RunningStack,
  tenant: ChaosTenant,
  work: () => Promise<void>,
  quietMs?: number,
): Promise<Metered> {
  const meter = openMeter(stack);
  try {
    const before = (await meter.settled([tenant], quietMs)).get(tenant)!;
    await clearRequests(stack, tenant.account);
    await work();
    const after = (await meter.settled([tenant], quietMs)).get(tenant)!;
    return {
      requests: after.requests - before.requests,
      rows: after.rows - before.rows,
      halfUnits: after.halfUnits - before.halfUnits,
      consumedHalfUnits: after.consumedHalfUnits,
      unansweredHalfUnits: after.unansweredHalfUnits,
    };
  } finally {
    meter.close();
  }
}
