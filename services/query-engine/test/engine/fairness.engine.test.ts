import { expect } from 'chai';
import { until } from '../../../common/test/support/until.ts';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { allowRawReads } from '@penstock/common/dynamodb/raw-reads.ts';
import { idOf } from '../../bench/canned/items.ts';
import { threadMs } from '../../../common/test/support/thread-time.ts';
import { startCannedEndpoint, type CannedEndpoint } from '../../bench/canned/start.ts';
import { createCatalog } from '../../src/clients/catalog.ts';
import { runInOneGo } from '../../src/scheduling/sliced-work.ts';
import { createEngine, type Engine } from '../../src/engine.ts';
import { createAdmission } from '../../src/scheduling/admission.ts';
import { createThreadShares, type ThreadShares } from '../../src/execution/thread-share.ts';
import { TENANT_SHARE_PERCENT } from '../../src/limits.ts';
import { createUnitMeter } from '../../src/execution/unit-meter.ts';
import { freePorts } from '../../../../deploy/local/src/stack/ports.ts';
import { attribute, catalogTable } from '../dynamodb/fixtures.ts';
import { classBounds } from '../scheduling/class-bounds.ts';
import { testDatabase } from '../execution/tables.ts';

/** Pages of a megabyte, sent whole: each takes some ten milliseconds to decode and load. */
const TABLE = 'canned_500k_whole';
const READ = `SELECT id, customer_id, amount, note FROM shop.${TABLE} WHERE id = ?`;
const SCAN = `SELECT city, COUNT(*) AS n, SUM(amount) AS amount, MAX(note) AS note, MIN(created_at) AS first FROM shop.${TABLE} GROUP BY city`;
const READS = 20;
/** More than may run at a time. */
const SCANS = 3;
/** So many of them do. */
const SCANNING = 2;

const texts = ['id', 'customer_id', 'status', 'city', 'created_at', 'channel', 'note'];
const table = catalogTable('id:S', {
  tableName: TABLE,
  itemCount: 500_000,
  sizeBytes: 200_000_000,
  attributes: [
    ...texts.map((name) => attribute(name, { S: 10 })),
    ...['amount', 'qty'].map((name) => attribute(name, { N: 10 })),
  ],
});

describe('tenants side by side', function () {
  this.timeout(120_000);
  const database = testDatabase(96);
  let canned: CannedEndpoint;
  let client: DynamoDBClient;
  before(async () => {
    const [port = 0, nobody = 0] = await freePorts(2);
    canned = await startCannedEndpoint(port, nobody);
    client = new DynamoDBClient({
      endpoint: canned.url,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    });
    allowRawReads(client);
  });
  after(async () => {
    client.destroy();
    await canned.stop();
    await database.close();
  });

  const scanMeters: ReturnType<typeof createUnitMeter>[] = [];
  const admission = createAdmission(classBounds({}, { places: SCANNING, perTenant: SCANNING }));

  function start(fair: boolean): Engine {
    const unfair: ThreadShares = {
      of: () => ({
        runSliced: runInOneGo,
        enterPage: async () => () => undefined,
        enterStatement: async () => () => undefined,
        whileShort: async function* (batches) {
          yield* batches;
        },
      }),
    };
    return createEngine({
      database,
      catalog: createCatalog({
        resolve: async (_, references) => references.map(() => ({ kind: 'table' as const, table })),
        report: async () => undefined,
      }),
      clients: { clientFor: async () => client },
      shares: fair
        ? createThreadShares({ poolThreads: 4, tenantSharePercent: TENANT_SHARE_PERCENT, admission })
        : unfair,
      onDisagreement: () => undefined,
    });
  }

  async function run(
    engine: Engine,
    tenantId: string,
    sql: string,
    {
      parameters = [],
      signal = new AbortController().signal,
    }: { parameters?: unknown[]; signal?: AbortSignal } = {},
  ): Promise<void> {
    const call = { tenantId, token: 'token', requestId: 'request', signal };
    const request = { firstRowIdx: 0, maxRows: 100, consistentRead: false };
    const meter = createUnitMeter();
    if (tenantId === 'scanner') scanMeters.push(meter);
    const place = await admission.enter(tenantId, signal);
    const parts = engine.execute({ ...request, sql, parametersJson: JSON.stringify(parameters) }, call, {
      rowFormat: 'array',
      meter,
      place,
    });
    try {
      let ended = false;
      for await (const { kind } of parts) ended = kind === 'end';
      expect(ended).to.equal(true);
    } finally {
      place.leave();
    }
  }

  /** What the thread worked during a key read, on the average, milliseconds: its own work and what came before it. */
  async function workDuringReads(engine: Engine): Promise<number> {
    let worked = 0;
    for (let i = 0; i < READS; i++) {
      const before = threadMs();
      await run(engine, 'reader', READ, { parameters: [idOf(i)] });
      worked += threadMs() - before;
    }
    return worked / READS;
  }

  async function whileScanning(engine: Engine): Promise<number> {
    const over = new AbortController();
    const scan = async (): Promise<void> => {
      while (!over.signal.aborted) {
        // What ends the scan is that there is nothing to measure any more.
        await run(engine, 'scanner', SCAN, { signal: over.signal }).catch((error: unknown) => {
          if (!over.signal.aborted) throw error;
        });
      }
    };
    await workDuringReads(engine);
    const before = scanMeters.length;
    const scanning = Promise.all(Array.from({ length: SCANS }, scan));
    await until(() => scanMeters.slice(before).filter(({ halfUnits }) => halfUnits > 0).length >= SCANNING, {
      what: 'scans that have pages to decode',
    });
    const worked = await workDuringReads(engine);
    over.abort(new Error('enough'));
    await scanning;
    return worked;
  }

  it('lets a key read wait for a slice of the scans of another tenant, not for their pages', async () => {
    const fair = start(true);
    await workDuringReads(fair);
    const quiet = await workDuringReads(fair);
    const loaded = await whileScanning(fair);
    const without = await whileScanning(start(false));
    const shown = `quiet ${quiet.toFixed(1)}, loaded ${loaded.toFixed(1)}, without turns ${without.toFixed(1)} ms`;
    // Without slices it is the same; with them a twentieth, or a third where something else keeps the machine busy.
    expect(loaded, shown).to.be.lessThan(without / 2);
  });
});
