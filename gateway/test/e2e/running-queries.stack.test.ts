import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { CustomerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until, untilSome } from '../../../services/common/test/support/until.ts';
import { comesToRest } from './support/comes-to-rest.ts';
import { clearRequests, requestsOf, setFaults } from './support/request-log.ts';
import { mcpToken, post, toolCall } from '../mcp/support/mcp.ts';
import { seedWide } from './support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';
import {
  newAccount,
  newTenant,
  registerSchema,
  type QueryEnvelope,
  type TestTenant,
} from './support/tenant.ts';

const SQL = 'SELECT COUNT(filler) FROM shop.long';

/** The stack has two engines: a query is asked for at whichever comes next. */
describe('a query that is looked at and stopped from elsewhere', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let stranger: TestTenant;
  let account: CustomerAccount;
  let requests = 0;

  before(async () => {
    stack = await sharedStack();
    [tenant, stranger] = [await newTenant(stack), await newTenant(stack)];
    account = newAccount(stack);
    // About 20 MB: some twenty pages, which the fault below makes slow enough to be met on the way.
    await seedWide(account, 'long', 100, 200_000);
    await registerSchema(stack, tenant, account, { schemaName: 'shop' });
    await tenant.query("SELECT id FROM shop.long WHERE id = 'k000001'");
  });
  beforeEach(async () => {
    await setFaults(stack, [{ accountId: account.accountId, tableName: 'long', latencyMs: 400 }]);
    await clearRequests(stack, account);
  });
  after(async () => {
    await setFaults(stack, []);
    account.close();
  });

  /** A slow query, under an ID of its own. */
  function send() {
    const requestId = `slow-${(requests += 1)}`;
    const answer = tenant.call<QueryEnvelope>('POST', '/v1/query', {
      json: { sql: SQL },
      headers: { 'x-request-id': requestId },
    });
    return { requestId, answer, path: `/v1/queries/${requestId}` };
  }
  const consumed = async (): Promise<number> =>
    (await requestsOf(stack, account)).reduce((sum, { consumedUnits }) => sum + (consumedUnits ?? 0), 0);
  const usedUnits = async (): Promise<number> => {
    const { body } = await tenant.call('GET', '/v1/usage/summary');
    return (body.data!['totals'] as { ddbReadUnits: number }).ddbReadUnits;
  };

  it('shows more and more units, to its tenant alone, until it has ended', async () => {
    const { requestId, answer, path } = send();
    const seen: number[] = [];
    let isOver = false;
    const ended = answer.then((got) => {
      isOver = true;
      return got;
    });
    while (!isOver) {
      const { status, body } = await tenant.call('GET', path);
      if (status === 200) {
        expect(body.data).to.include({ requestId, rows: 0 });
        expect(body.data!['state']).to.be.oneOf(['queued', 'running']);
        seen.push(body.data!['readUnits'] as number);
        for (const method of ['GET', 'DELETE']) {
          const strange = await stranger.call(method, path);
          expect([strange.status, strange.body.error!.code]).to.deep.equal([404, 'NOT_FOUND']);
        }
      } else expect(status).to.equal(404);
      await sleep(50);
    }
    const { body } = await ended;
    expect(body.data?.data).to.deep.equal([[100]]);
    const growing = [...new Set(seen)];
    expect(growing, String(seen)).to.deep.equal(growing.toSorted((a, b) => a - b));
    expect(growing.length, String(seen)).to.be.greaterThan(2);
    expect(growing.at(-1)).to.be.at.most(body.data!.readUnits);
    expect((await tenant.call('GET', path)).status).to.equal(404);
  });

  it('reads no more once it is stopped, tells its caller so, and is metered to what it read', async () => {
    const before = await usedUnits();
    const { requestId, answer, path } = send();
    const asked = async (): Promise<number> => (await requestsOf(stack, account)).length;
    await until(async () => (await asked()) >= 2);
    const stopped = await tenant.call('DELETE', path);
    expect(stopped.status, stopped.text).to.equal(200);
    expect(stopped.body.data).to.include({ requestId, state: 'running', stopped: true });
    const { status, body } = await answer;
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      success: false,
      error: 'The query was stopped',
      detailedError: `Its tenant asked for it: DELETE /v1/queries/${requestId}`,
    });
    expect(await comesToRest(asked, { withinMs: 1_000, quietMs: 1_200 })).to.be.lessThan(16);
    // Pages that were under way count, too, if they come within half a second: the fault takes most of that.
    const used = (await usedUnits()) - before;
    expect(used).to.be.at.least(stopped.body.data!['readUnits'] as number);
    expect(used).to.be.at.most(Math.ceil(await consumed()));
    expect((await tenant.call('DELETE', path)).status).to.equal(404);
  });

  it("is an agent's, too, by the request ID that it sent", async () => {
    await setFaults(stack, [{ accountId: account.accountId, tableName: 'long', latencyMs: 3_000 }]);
    const token = await mcpToken(stack, tenant.credentials);
    const headers = { 'x-request-id': 'agent-1' };
    const answer = post(stack, token, toolCall('run_sql', { sql: SQL }), { headers });
    const shown = await untilSome(async () => {
      const seen = await tenant.call('GET', '/v1/queries/agent-1');
      return seen.status === 404 ? null : seen;
    });
    expect(shown.body.data).to.include({ requestId: 'agent-1' });
    expect((await stranger.call('DELETE', '/v1/queries/agent-1')).status).to.equal(404);
    expect((await tenant.call('DELETE', '/v1/queries/agent-1')).body.data).to.include({ stopped: true });
    expect((await answer).text).to.include('The query was stopped');
  });
});
