/** Results that nobody reads: they keep no other query waiting, and are not many. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { expect } from 'chai';
import { until } from '../../../../common/test/support/until.ts';
import { toHostTable } from '../../../src/clients/host-tables.ts';
import { PAUSED_AFTER_MS } from '../../../src/limits.ts';
import { startTestAws, type TestAws } from '../../dynamodb/aws.ts';
import { createTable } from '../../engine/create-table.ts';
import { orders } from '../../engine/shop.ts';
import { classBounds } from '../../scheduling/class-bounds.ts';
import { tableMessage } from '../table-message.ts';
import { startTestHost, type HostedAnswer, type TestHost } from '../test-host.ts';

/** More than goes out as one message. */
const ORDERS = orders(400, 6_000);
const SQL = 'SELECT * FROM shop.orders';
const IDLE_MS = 1_500;

describe('a result that waits for its reader', function () {
  this.timeout(60_000);
  let aws: TestAws;
  let host: TestHost;
  before(async () => {
    aws = await startTestAws();
    await createTable(aws.client, ORDERS.catalog, ORDERS.items);
    const one = { places: 1, perTenant: 1 };
    host = await startTestHost({
      endpoint: aws.endpoint,
      accountOf: () => aws.accountId,
      resolve: async (_, references) =>
        references.map(() => ({ kind: 'table', table: toHostTable(tableMessage(ORDERS.catalog)) })),
      classBounds: classBounds(one, one),
      pausedBounds: { inAll: 3, perTenant: 2, idleMs: IDLE_MS },
    });
  });
  after(async () => {
    await host.close();
    await aws.close();
  });

  /** A reader that takes the first rows, and goes on when it is told. */
  function slowReader(tenantId: string) {
    const [begun, more] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const onRows = (): Promise<void> => {
      begun.resolve();
      return more.promise;
    };
    const answer = host.run(SQL, { tenantId, format: 'ndjson', onRows });
    const outcome = answer.then(
      (whole: HostedAnswer): unknown => whole.text.trim().split('\n').length,
      (error: unknown) => (error instanceof PenstockError ? error.code : error),
    );
    return { hasBegun: Promise.race([begun.promise, outcome]), readOn: () => more.resolve(), outcome };
  }

  it('gives its place to another query, and has one again once it is read', async () => {
    const slow = slowReader('ada');
    await slow.hasBegun;
    const started = performance.now();
    const { rows } = await host.run('SELECT COUNT(*) FROM shop.orders', { tenantId: 'bob' });
    expect(rows).to.deep.equal([[ORDERS.items.length]]);
    expect(performance.now() - started, 'waited for no longer than a pause').to.be.greaterThan(
      PAUSED_AFTER_MS / 2,
    );
    slow.readOn();
    expect(await slow.outcome).to.equal(ORDERS.items.length);
  });

  it('ends where its tenant has too many, the longest paused first, once it was for long, and nobody else does', async () => {
    const bob = slowReader('bob');
    await bob.hasBegun;
    const readers = [];
    for (let i = 0; i < 3; i++) {
      const reader = slowReader('ada');
      readers.push(reader);
      await reader.hasBegun;
    }
    // Sleeps: as long as the last one takes to count as paused, on a slow machine.
    await sleep(IDLE_MS + 4 * PAUSED_AFTER_MS);
    let ended: unknown = null;
    void readers[0]!.outcome.then((outcome) => (ended = outcome));
    // It fails when its reader comes back for more.
    readers[0]!.readOn();
    await until(() => ended !== null, { what: 'the longest paused to end' });
    expect(ended).to.equal('UNAVAILABLE');
    for (const reader of [...readers.slice(1), bob]) {
      reader.readOn();
      expect(await reader.outcome).to.equal(ORDERS.items.length);
    }
  });
});
