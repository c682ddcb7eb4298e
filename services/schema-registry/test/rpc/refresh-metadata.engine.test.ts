import { DeleteTableCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { DeleteRoleCommand, DeleteRolePolicyCommand } from '@aws-sdk/client-iam';
import { Code, ConnectError } from '@connectrpc/connect';
import { expect } from 'chai';
import { until } from '../../../common/test/support/until.ts';
import { logger, SERVICE_ACCOUNT } from '../support/registry.ts';
import { accountsOf, useTestStack } from '../support/suite.ts';
import { schemaOf } from '../support/tables.ts';
import { openRegistry } from '../../src/registry.ts';

describe('refreshing metadata', () => {
  const stack = useTestStack();

  const accountWith = accountsOf(stack, 100_000_000_000);

  it('refreshes every table of a schema with *, and says what the sampling consumed', async () => {
    const account = await accountWith(['one', 'two', 'three']);
    const calls = stack.as('r-star');
    await calls.create(schemaOf(account, 's', { tables: ['*'] }));
    const result = await calls.refresh('S');
    expect(result).to.include({
      ok: true,
      tableCount: 3,
      failedTableCount: 0,
      deletedCount: 0,
      skipped: false,
    });
    expect(result.message).to.equal('3 tables refreshed, 0 failed, 0 deleted');
    expect(result.refreshedAt).to.match(/^\d{4}-.*\.\d{3}Z$/);
    expect(result.readUnits).to.equal(1.5);
    const { tables } = await calls.tables({ limit: 10 });
    expect(tables.map(({ metadata }) => [metadata?.tableName, metadata?.sampledItems])).to.deep.equal([
      ['one', 1],
      ['three', 1],
      ['two', 1],
    ]);
  });

  it('removes what has gone, and counts it as deleted', async () => {
    const account = await accountWith(['keep', 'drop']);
    const calls = stack.as('r-gone');
    await calls.create(schemaOf(account, 'star', { tables: ['*'] }));
    await calls.create(schemaOf(account, 'named', { tables: ['keep', 'drop'] }));
    await calls.refresh('star');
    await calls.refresh('named');
    await account.dynamodb.send(new DeleteTableCommand({ TableName: 'drop' }));
    stack.clock.forward(31_000);
    for (const name of ['star', 'named']) {
      expect(await calls.refresh(name)).to.include({
        ok: true,
        tableCount: 1,
        failedTableCount: 0,
        deletedCount: 1,
      });
    }
    expect((await calls.tables({ schemaName: 'star', limit: 10 })).tables).to.have.length(1);
  });

  it('fails the tables that an allowlist names and that are not there, and refreshes the others', async () => {
    const account = await accountWith(['here']);
    const calls = stack.as('r-named');
    await calls.create(schemaOf(account, 's', { tables: ['here', 'missing'] }));
    const result = await calls.refresh('s');
    expect(result).to.include({ ok: false, tableCount: 1, failedTableCount: 1, deletedCount: 0 });
    expect(result.message).to.equal(
      '1 table refreshed, 1 failed, 0 deleted. Failed: missing (Table not found: s.missing)',
    );
  });

  it('refreshes what is known where there is no allowlist', async () => {
    const account = await accountWith(['used', 'unused'], { actions: ['DescribeTable', 'Scan'] });
    const calls = stack.as('r-none');
    await calls.create(schemaOf(account, 's'));
    expect(await calls.refresh('s')).to.include({ ok: true, tableCount: 0 });
    await calls.resolve({ tables: [{ schema: 's', table: 'used' }], maySample: true });
    stack.clock.forward(31_000);
    expect(await calls.refresh('s')).to.include({ ok: true, tableCount: 1 });
  });

  it('does nothing where a refresh ended a moment ago, and says how that one went', async () => {
    const account = await accountWith(['one']);
    const calls = stack.as('r-skip');
    await calls.create(schemaOf(account, 's', { tables: ['*'] }));
    const first = await calls.refresh('s');
    const second = await calls.refresh('s');
    expect(second).to.include({
      ok: true,
      skipped: true,
      tableCount: 1,
      readUnits: 0,
      refreshedAt: first.refreshedAt,
    });
    expect(second.message).to.match(/^Skipped: a refresh ended \d s ago/);
    stack.clock.forward(31_000);
    expect((await calls.refresh('s')).skipped).to.equal(false);
    await calls.update({ schemaName: 's', tableAllowlist: { tables: ['one'] } });
    expect((await calls.refresh('s')).skipped, 'the way to the tables has changed').to.equal(false);
  });

  it('lets one of several refreshes at the same time do the work', async () => {
    const account = await accountWith(['one', 'two']);
    const calls = stack.as('r-once');
    await calls.create(schemaOf(account, 's', { tables: ['*'] }));
    await stack.faults([{ accountId: account.accountId, operation: 'Scan', latencyMs: 200 }]);
    const results = await Promise.all([1, 2, 3].map(() => calls.refresh('s')));
    await stack.faults([]);
    expect(results.map(({ skipped }) => skipped).sort()).to.deep.equal([false, true, true]);
    expect(results.every(({ ok, tableCount }) => ok && tableCount === 2)).to.equal(true);
    const lists = (await stack.requests(account.accountId)).filter(
      ({ operation }) => operation === 'ListTables',
    );
    expect(lists).to.have.length(1);
  });

  it('answers that the role cannot be assumed, and tries again at once when it is asked again', async () => {
    const account = await accountWith(['one']);
    const calls = stack.as('r-role');
    await calls.create(schemaOf(account, 's', { tables: ['*'], externalId: 'wrong' }));
    const refused = await calls.refresh('s');
    expect(refused).to.include({ ok: false, tableCount: 0, skipped: false });
    expect(refused.message).to.equal(
      'No table was refreshed: Access denied: the role cannot be assumed (check that it exists, and its trust policy and external ID)',
    );
    await calls.update({ schemaName: 's', externalId: 'external-1' });
    expect(await calls.refresh('s')).to.include({ ok: true, tableCount: 1, skipped: false });
  });

  it('names the action that is missing, for all tables or for each', async () => {
    const account = await accountWith(['one'], { actions: ['DescribeTable'] });
    const calls = stack.as('r-action');
    await calls.create(schemaOf(account, 'star', { tables: ['*'] }));
    await calls.create(schemaOf(account, 'named', { tables: ['one'] }));
    expect((await calls.refresh('star')).message).to.match(/dynamodb:ListTables/);
    const named = await calls.refresh('named');
    expect(named).to.include({ ok: false, failedTableCount: 1 });
    expect(named.message).to.match(
      /one \(Access denied: the role may not perform dynamodb:Scan on named\.one\)/,
    );
    expect(named.message).to.not.match(/arn:/);
  });

  it('names at most four failures and counts the others', async () => {
    const account = await accountWith([]);
    const calls = stack.as('r-many');
    await calls.create(schemaOf(account, 's', { tables: ['aaa', 'bbb', 'ccc', 'ddd', 'eee', 'fff'] }));
    const result = await calls.refresh('s');
    expect(result.failedTableCount).to.equal(6);
    expect(result.message).to.match(/Failed: (?:\w{3}, ){3}\w{3} and 2 more \(Table not found\)$/);
  });

  it('leaves nothing behind when the schema is deleted while it runs', async function () {
    this.timeout(90_000);
    const account = await accountWith(['one', 'two', 'three']);
    const calls = stack.as('r-deleted');
    await calls.create(schemaOf(account, 's', { tables: ['*'] }));
    await stack.faults([{ accountId: account.accountId, operation: 'Scan', latencyMs: 400 }]);
    const running = calls.refresh('s');
    await until(async () => (await stack.requests(account.accountId)).length > 0, { what: 'it has begun' });
    await calls.remove('s');
    // Whoever waits for it hears that the schema is gone, where it still had something to do by then.
    await running.catch((error: unknown) => expect(ConnectError.from(error).code).to.equal(Code.NotFound));
    await stack.faults([]);
    const control = new DynamoDBClient({
      region: 'us-east-1',
      endpoint: stack.endpoint,
      credentials: { accessKeyId: SERVICE_ACCOUNT, secretAccessKey: 'test' },
    });
    const { Items } = await control.send(new ScanCommand({ TableName: 'penstock-schemas' }));
    control.destroy();
    const [places, ...left] = Items?.filter(({ pk }) => pk?.S?.includes('r-deleted')) ?? [];
    expect(left).to.deep.equal([]);
    // Of the tenant: where it counts schemas that are being created.
    expect(places?.['creating']).to.deep.equal({ M: {} });
  });

  it('runs once for two replicas, and takes over from one that died', async function () {
    this.timeout(90_000);
    const account = await accountWith(['one']);
    const calls = stack.as('r-replica');
    await calls.create(schemaOf(account, 's', { tables: ['*'] }));
    const record = await stack.registry.directory.get('r-replica', 's');
    const other = await openRegistry({
      settings: {
        PENSTOCK_AWS_ENDPOINT: stack.endpoint,
        PENSTOCK_CONTROL_REGION: 'us-east-1',
        PENSTOCK_TABLE_PREFIX: 'penstock',
        PENSTOCK_CREATE_TABLES: true,
        PENSTOCK_STS_CHECKS_EXTERNAL_ID: true,
        PENSTOCK_ALLOW_OWN_ACCOUNT_ROLES: false,
      },
      jobs: { add: async () => undefined },
      logger,
      clock: stack.clock,
    });
    await stack.faults([{ accountId: account.accountId, operation: 'Scan', latencyMs: 300 }]);
    const options = { requestId: 'r', timeoutMs: 10_000 };
    const runs = await Promise.all([
      stack.registry.refreshSchema(record, options),
      other.refreshSchema(record, options),
    ]);
    expect(runs.map(({ result }) => result.skipped).sort()).to.deep.equal([false, true]);

    stack.clock.forward(31_000);
    const hung = stack.registry.refreshSchema(record, options);
    // Sleeps: the other has its lease by then, or waits for nothing.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const waited = await other.refreshSchema(record, { requestId: 'r', timeoutMs: 100 });
    expect(waited.result).to.include({ ok: false, skipped: false });
    expect(waited.result.message).to.match(/still running/);
    stack.clock.forward(21_000);
    expect((await other.refreshSchema(record, options)).result).to.include({ ok: true, tableCount: 1 });
    await hung;
    await stack.faults([]);
    other.close();
  });

  it('stops in time, and lets the rest go on in the background', async function () {
    this.timeout(90_000);
    const account = await accountWith(['one', 'two', 'three', 'four', 'five', 'six']);
    await stack.as('r-slow').create(schemaOf(account, 's', { tables: ['*'] }));
    const record = await stack.registry.directory.get('r-slow', 's');
    await stack.faults([{ accountId: account.accountId, operation: 'Scan', latencyMs: 1_500 }]);
    const run = await stack.registry.refreshSchema(record, { requestId: 'r', timeoutMs: 2_500 });
    expect(run.finished).to.equal(false);
    expect(run.result).to.include({ ok: false, tableCount: 4, failedTableCount: 2 });
    expect(run.result.message).to.match(/2 tables not reached in time/);
    await stack.faults([]);
    const again = await stack.registry.refreshSchema(record, { requestId: 'r', timeoutMs: 10_000 });
    expect(again.result).to.include({ ok: true, tableCount: 6, skipped: false });
  });

  it('is refused by a role that has been deleted', async () => {
    const account = await accountWith(['one']);
    const calls = stack.as('r-norole');
    await account.iam.send(
      new DeleteRolePolicyCommand({ RoleName: 'penstock-read', PolicyName: 'penstock-read' }),
    );
    await account.iam.send(new DeleteRoleCommand({ RoleName: 'penstock-read' }));
    await calls.create(schemaOf(account, 's', { tables: ['one'] }));
    expect((await calls.refresh('s')).message).to.match(/the role cannot be assumed/);
  });
});
