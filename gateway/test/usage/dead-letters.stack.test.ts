/** Work that is given up, in the whole service: an operator is alerted, sees why, mends it and runs it again, or throws it away. */
import { randomUUID } from 'node:crypto';
import type { DeadLetter } from '@penstock/common/queue/dead-letters.ts';
import { toStreamFields } from '@penstock/common/usage/event.ts';
import { usageStreamKey } from '@penstock/common/usage/stream.ts';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { admin } from '../../../deploy/local/src/seed/admin.ts';
import { createAccessRole, createTable } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../services/common/test/support/until.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newAccount, newTenant, type TestTenant } from '../e2e/support/tenant.ts';

/** Five attempts, each after a longer pause: 1, 2, 4 and 8 seconds, each up to half as much again. */
const GIVEN_UP_MS_MAX = 60_000;

describe('what is given up', function () {
  this.timeout(2 * STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let redis: Redis;
  let tenant: TestTenant;

  before(async () => {
    stack = await scratchStack('one engine');
    // Files before this one leave some: jobs are given up while a part is away.
    for (const queue of ['schema-refresh', 'usage-entries'])
      if ((await listed(queue)).length > 0) await deadLetter('remove', '--queue', queue, '--all');
    redis = new Redis(stack.redisUrl);
    tenant = await newTenant(stack);
  });
  after(async () => {
    redis?.disconnect();
    await leaveScratch(stack);
  });

  const deadLetter = <T>(...args: string[]): Promise<T> => admin<T>(stack.dataDir, 'dead-letter', ...args);
  const listed = async (queue: string): Promise<readonly DeadLetter[]> =>
    (await deadLetter<{ deadLetters: DeadLetter[] }>('list', '--queue', queue)).deadLetters;

  /** What an alert would see. */
  async function metric(process: string, pattern: RegExp): Promise<number> {
    const text = await (await fetch(stack.metricsUrls[process]!)).text();
    return Number(
      text
        .split('\n')
        .find((line) => pattern.test(line))
        ?.split(' ')
        .at(-1) ?? NaN,
    );
  }
  const failedRefreshes = (): Promise<number> =>
    metric('schema-worker', /^penstock_queue_jobs\{.*queue="schema-refresh".*state="failed"/);
  const usageDeadLetters = (): Promise<number> => metric('usage-worker', /^penstock_usage_set_aside_entries/);

  async function becomes(expected: number, value: () => Promise<number>, msMax = 20_000): Promise<void> {
    let last = NaN;
    await until(async () => (last = await value()) === expected, { timeoutMs: msMax }).catch(() =>
      expect.fail(`it is still ${last}, not ${expected}`),
    );
  }

  it('are refreshes of a schema whose role is gone: run again once it is there, or removed', async () => {
    const account = newAccount(stack);
    const externalId = randomUUID();
    const register = async (schemaName: string, roleName: string): Promise<void> => {
      const roleArn = `arn:aws:iam::${account.accountId}:role/${roleName}`;
      const { region, accountId } = account;
      const json = { schemaName, region, accountId, roleArn, externalId, tableAllowlist: ['*'] };
      expect((await tenant.call('POST', '/v1/schemas', { json })).status).to.equal(201);
    };
    await createTable(account, {
      TableName: 'orders',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    });
    await becomes(0, failedRefreshes);
    await Promise.all([register('late', 'reader'), register('never', 'nobody')]);
    await becomes(2, failedRefreshes, GIVEN_UP_MS_MAX);
    const letters = await listed('schema-refresh');
    expect(letters).to.have.length(2);
    for (const { data, attempts, reason, failedAt } of letters) {
      expect(data).to.include({ tenantId: tenant.tenantId });
      expect(attempts).to.equal(5);
      expect(reason)
        .to.match(/role cannot be assumed/)
        .and.not.match(/arn:|\d{12}/);
      expect(Date.now() - Date.parse(failedAt)).to.be.within(0, GIVEN_UP_MS_MAX);
    }
    const ofSchema = (name: string): DeadLetter =>
      letters.find(({ data }) => (data as { schemaName: string }).schemaName === name)!;

    await createAccessRole(account, {
      roleName: 'reader',
      serviceAccountId: stack.serviceAccountId,
      externalId,
      tableNames: '*',
      actions: ['DescribeTable', 'Scan', 'ListTables'],
    });
    const again = await deadLetter('retry', '--queue', 'schema-refresh', '--job', ofSchema('late').id);
    expect(again).to.deep.include({ retried: 1 });
    await becomes(1, failedRefreshes);
    const removed = await deadLetter('remove', '--queue', 'schema-refresh', '--job', ofSchema('never').id);
    expect(removed).to.deep.include({ removed: 1 });
    expect(await listed('schema-refresh')).to.deep.equal([]);
    await becomes(0, failedRefreshes);
    const { body } = await tenant.query('SELECT id FROM late.orders', {}, 'plan');
    expect(body.success).to.equal(true);
    account.close();
  });

  it('is usage that cannot be counted: put back it is counted once it can be, removed it never is', async () => {
    const requests = async (): Promise<number> => {
      const { body } = await tenant.call<{ data: { totals: { requests: number } } }>(
        'GET',
        '/v1/usage/summary',
      );
      return body.data.totals.requests;
    };
    const before = await requests();
    const fields = toStreamFields({
      id: 'of-a-version-to-come',
      tenantId: tenant.tenantId,
      at: Date.now(),
      requests: 1,
      rowsReturned: 0,
      readHalfUnits: 0,
    });
    await redis.xadd(usageStreamKey, '*', 'nothing', 'of ours');
    // Whole but for its epoch, which is replaced when it comes back.
    await redis.xadd(usageStreamKey, '*', ...fields, 'epoch', 'unknown here');
    await becomes(2, usageDeadLetters);
    expect(await requests()).to.equal(before);
    const [garbage, whole] = await listed('usage-entries');
    expect(garbage).to.deep.include({ data: { nothing: 'of ours' } });
    expect(whole?.data).to.include({ id: 'of-a-version-to-come' });

    expect(await deadLetter('retry', '--queue', 'usage-entries', '--job', whole!.id)).to.deep.include({
      retried: 1,
    });
    await becomes(before + 1, requests);
    // What cannot be counted comes back.
    await deadLetter('retry', '--queue', 'usage-entries', '--all');
    await becomes(1, usageDeadLetters);
    const [still] = await listed('usage-entries');
    expect(still?.data).to.include({ nothing: 'of ours' });
    const removed = await deadLetter('remove', '--queue', 'usage-entries', '--all');
    expect(removed).to.deep.include({ removed: 1 });
    await becomes(0, usageDeadLetters);
    expect(await requests()).to.equal(before + 1);
  });
});
