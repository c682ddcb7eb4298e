/** Two engines, one Redis and one table with a limit: what the endpoint's log says was read. */
import { mkdtemp, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startRedis, type RunningRedis } from '../../../../../deploy/local/src/stack/redis.ts';
import { BUCKET_REST_MS, LEASE_KEPT_MS } from '../../../src/host/limits.ts';
import { createSharedBuckets, type SharedBuckets } from '../../../src/host/read-limits/shared-buckets.ts';
import { toHostTable } from '../../../src/clients/host-tables.ts';
import { startTestAws, type TestAws } from '../../dynamodb/aws.ts';
import { keySchema } from '../../dynamodb/fixtures.ts';
import { createTable } from '../../engine/create-table.ts';
import { engineTable } from '../../engine/shop.ts';
import type { TestItem } from '../../engine/engine-table.ts';
import { tableMessage } from '../table-message.ts';
import { startTestHost, type TestHost } from '../test-host.ts';

/** READ_LIMIT_SECONDS=60 for the long form. */
const SECONDS = Number(process.env['READ_LIMIT_SECONDS'] ?? 8);
const UNITS_PER_SECOND = 50;
const ENGINES = 2;
/** A megabyte, eventually consistent. */
const PAGE_UNITS = 128;
/** Pages are logged when they are answered. */
const ANSWER_S = 0.3;

interface Logged {
  readonly units: number;
  readonly atS: number;
}

/** Most units beyond `UNITS_PER_SECOND` in any stretch of the log. */
function excessOf(log: readonly Logged[]): number {
  let most = 0;
  for (let from = 0; from < log.length; from++) {
    let units = 0;
    for (let to = from; to < log.length; to++) {
      units += log[to]!.units;
      most = Math.max(most, units - UNITS_PER_SECOND * (log[to]!.atS - log[from]!.atS));
    }
  }
  return most;
}

describe('units a second of a table, over all engines', function () {
  this.timeout(60_000 + SECONDS * 2_000);
  let dataDir: string;
  let aws: TestAws;
  let redis: RunningRedis;
  let client: Redis;
  let asked: string[] = [];
  const hosts: TestHost[] = [];

  const items = Array.from({ length: 160 }, (_, i): TestItem => {
    const filler = { S: 'x'.repeat(16_000) };
    return { id: { S: `i${i}` }, filler };
  });
  const limited = engineTable('limited', keySchema('id'), items, 16_010);
  const free = engineTable('free', keySchema('id'), items.slice(0, 5), 16_010);
  const tables = [
    { ...limited.catalog, readLimits: { unitsPerSecond: UNITS_PER_SECOND, unitsPerQuery: null } },
    free.catalog,
    { ...free.catalog, tableName: 'narrow', readLimits: { unitsPerSecond: null, unitsPerQuery: 2 } },
    { ...free.catalog, tableName: 'provisioned', readCapacity: 10 },
  ];

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'read-limits-'));
    [aws, redis] = await Promise.all([startTestAws(), startRedis({ dataDir, port: 0 })]);
    client = new Redis(redis.url);
    await createTable(aws.client, limited.catalog, limited.items);
    for (const table of tables.slice(1)) await createTable(aws.client, table, free.items);
    const shared = createSharedBuckets(client);
    const buckets: SharedBuckets = {
      take: (taking) => {
        asked.push(JSON.stringify(taking));
        return shared.take(taking);
      },
    };
    for (let i = 0; i < ENGINES; i++)
      hosts.push(
        await startTestHost({
          endpoint: aws.endpoint,
          accountOf: () => aws.accountId,
          buckets,
          resolve: async (_, references) =>
            references.map(({ table }) => {
              const found = tables.find(({ tableName }) => tableName === table)!;
              return { kind: 'table', table: toHostTable(tableMessage(found)) };
            }),
        }),
      );
  });
  after(async () => {
    for (const host of hosts) await host.close();
    client.disconnect();
    await redis.close();
    await aws.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const logged = async (): Promise<readonly Logged[]> =>
    (await aws.requests()).map(({ consumedUnits, at }) => ({
      units: consumedUnits,
      atS: Date.parse(at) / 1000,
    }));

  it(`are never more than ${UNITS_PER_SECOND} and a page an engine: four scans at once for ${SECONDS} s`, async () => {
    await aws.clear();
    const ending = AbortSignal.timeout(SECONDS * 1000);
    const scanning = async (host: TestHost): Promise<void> => {
      while (!ending.aborted)
        await host.run('SELECT count(filler) FROM shop.limited', { signal: ending }).catch(() => undefined);
    };
    await Promise.all([...hosts, ...hosts].map(scanning));
    const log = await logged();
    expect(excessOf(log)).to.be.at.most(UNITS_PER_SECOND * ANSWER_S + ENGINES * PAGE_UNITS);
    const units = log.reduce((sum, page) => sum + page.units, 0);
    // What there is may be used.
    expect(units).to.be.at.least(UNITS_PER_SECOND * SECONDS * 0.8);
    expect(units).to.be.at.most(UNITS_PER_SECOND * (SECONDS + ANSWER_S) + ENGINES * PAGE_UNITS);
  });

  it('hold for key reads on both engines together', async () => {
    await aws.clear();
    const started = performance.now();
    const reading = async (host: TestHost): Promise<void> => {
      for (let i = 0; performance.now() - started < 3_000; i++)
        await host.run(`SELECT id FROM shop.limited WHERE id = 'none${i}'`);
    };
    await Promise.all([...hosts, ...hosts, ...hosts, ...hosts].map(reading));
    const log = await logged();
    expect(excessOf(log)).to.be.at.most(UNITS_PER_SECOND * ANSWER_S + 5);
  });

  it('end a query that waits too long with an error that says which limit', async () => {
    // Sleeps: what the engines have leased is forgotten by then.
    await sleep(LEASE_KEPT_MS + 500);
    const bucket = 'penstock:read-limit:["tenant-1","[\\"shop\\",\\"limited\\"]"]';
    // The bucket of the tests before may be about to expire, as a full one.
    await client.multi().hset(bucket, { tokens: '-100000' }).persist(bucket).exec();
    const attempt = (): Promise<unknown> => {
      const ending = new AbortController();
      setTimeout(() => ending.abort(new PenstockError('TIMEOUT', 'The query ran out of time')), 700);
      return hosts[0]!.run("SELECT filler FROM shop.limited WHERE id = 'i1'", { signal: ending.signal }).then(
        () => null,
        (thrown: unknown) => thrown,
      );
    };
    let error = await attempt();
    for (let again = 0; error === null && again < 5; again++) {
      // Sleeps: where Redis is slow to answer, on a busy machine, an engine decides by itself for so long.
      await sleep(BUCKET_REST_MS);
      error = await attempt();
    }
    expect(error).to.include({ code: 'THROTTLED' });
    expect((error as PenstockError).message).to.equal(
      'Reads of shop.limited wait for their limit, 50 read units a second (readLimits of schema shop); ' +
        'the query could not finish in time',
    );
    await client.del(bucket);
  });

  it('cost a table without limits nothing: nobody is asked', async () => {
    asked = [];
    await hosts[0]!.run("SELECT id FROM shop.free WHERE id = 'i1'");
    await hosts[0]!.run('SELECT count(filler) FROM shop.free');
    // An engine that is behind with another table may still ask for that.
    expect(asked.filter((taking) => taking.includes('free'))).to.deep.equal([]);
    await hosts[0]!.run("SELECT id FROM shop.provisioned WHERE id = 'i1'");
    expect(asked.filter((taking) => taking.includes('provisioned'))).to.not.deep.equal([]);
  });

  it("hold a query to what its schema's owner allows one, or its caller where that is less", async () => {
    const failure = async (sql: string, maxReadUnits: number | null): Promise<PenstockError> =>
      hosts[0]!.run(sql, { maxReadUnits }).then(
        () => expect.fail('it was let through'),
        (error: unknown) => error as PenstockError,
      );
    const sql = 'SELECT count(filler) FROM shop.narrow';
    for (const [maxReadUnits, name] of [
      [null, 'readLimits.unitsPerQuery of schema shop'],
      [100, 'readLimits.unitsPerQuery of schema shop'],
      [1, 'maxReadUnits'],
    ] as const) {
      const error = await failure(sql, maxReadUnits);
      expect(error.code).to.equal('READ_UNIT_LIMIT');
      expect(error.message).to.include(name);
    }
    expect((await hosts[0]!.run("SELECT id FROM shop.narrow WHERE id = 'i1'")).rows).to.deep.equal([['i1']]);
  });
});
