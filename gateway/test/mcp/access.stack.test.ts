import { expect } from 'chai';
import { request } from 'node:http';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../services/common/test/support/until.ts';
import type { HttpAnswer } from '../e2e/support/http.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { ALL_SCOPES, newTenant, type TestTenant } from '../e2e/support/tenant.ts';
import { admin } from '../../../deploy/local/src/seed/admin.ts';
import { mcpToken, post, toolCall } from './support/mcp.ts';

const BURST = 60;
const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list' };

describe('who may call /mcp', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let token: string;

  before(async () => {
    stack = await sharedStack();
    tenant = await newTenant(stack);
    token = await mcpToken(stack, tenant.credentials);
  });

  function expectChallenge(headers: Headers, code: string): void {
    const challenge = headers.get('www-authenticate') ?? '';
    expect(challenge).to.match(/^Bearer /);
    expect(challenge).to.contain(`error="${code}"`);
    expect(challenge).to.contain('scope="query schemas:read"');
    const { mcpUrl } = stack;
    expect(challenge).to.contain(`resource_metadata="${mcpUrl}/.well-known/oauth-protected-resource/mcp"`);
  }

  it('challenges who has no token, or none of its own', async () => {
    const bad = [undefined, 'x', 'x'.repeat(9_000), tenant.token, `${token}x`];
    for (const wrong of bad) {
      const { status, headers, body } = await post(stack, wrong, LIST);
      expect(status, wrong?.slice(0, 20)).to.equal(401);
      expectChallenge(headers, 'invalid_token');
      expect(body).to.have.property('error', 'invalid_token');
    }
    const basic = await post(stack, undefined, LIST, { headers: { authorization: `Basic ${token}` } });
    expect(basic.status).to.equal(401);
  });

  it('takes no token in the address or the body', async () => {
    const url = `${stack.mcpUrl}/mcp?access_token=${token}`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...LIST, access_token: token }),
      signal: AbortSignal.timeout(10_000),
    });
    expect(answer.status).to.equal(401);
  });

  it('refuses a page of another site, and another host', async () => {
    for (const origin of [
      'null',
      'https://evil.example',
      'http://localhost.evil.example',
      'file://',
      'garbage',
    ]) {
      const { status, headers } = await post(stack, token, LIST, { headers: { origin } });
      expect(status, origin).to.equal(403);
      expect(headers.get('www-authenticate')).to.equal(null);
    }
    const own = await post(stack, token, LIST, { headers: { origin: stack.mcpUrl } });
    expect(own.status).to.equal(200);
    expect(await statusWithHost('evil.example')).to.equal(403);
    expect(await statusWithHost(new URL(stack.mcpUrl).host)).to.equal(200);
  });

  it('challenges the call of a tool whose scope is missing, before any tool sees it', async () => {
    const narrow = await mcpToken(stack, tenant.credentials, 'schemas:read');
    const call = toolCall('run_sql', { sql: 'SELECT 1' });
    for (const message of [call, [LIST, call]]) {
      const { status, headers, body } = await post(stack, narrow, message);
      expect(status).to.equal(403);
      expectChallenge(headers, 'insufficient_scope');
      expect(body).to.have.property('error', 'insufficient_scope');
    }
    const other = await mcpToken(stack, tenant.credentials, 'query');
    expect((await post(stack, other, toolCall('list_tables'))).status).to.equal(403);
    expect((await post(stack, other, call)).status).to.equal(200);
  });

  it('says what is wrong with a message that is none', async () => {
    for (const raw of ['', '{"jsonrpc":', 'null', '[]', '1', '{}', '{"jsonrpc":"2.0","id":1}']) {
      const { status, body } = await post(stack, token, undefined, { raw });
      expect(status, raw).to.equal(400);
      expect(body, raw).to.have.nested.property('error.message').that.is.a('string');
    }
    const text = await post(stack, token, undefined, { raw: 'x', headers: { 'content-type': 'text/plain' } });
    expect(text.status).to.equal(415);
    const large = await post(stack, token, undefined, { raw: JSON.stringify('x'.repeat(300_000)) });
    expect(large.status).to.equal(413);
    const batch = await post(
      stack,
      token,
      Array.from({ length: 21 }, () => LIST),
    );
    expect(batch.status).to.equal(400);
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${stack.mcpUrl}/mcp`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(10_000),
      });
      expect(answer.status).to.equal(405);
    }
  });

  it('counts each admitted run_sql, and nothing else', async () => {
    const counted = await newTenant(stack);
    const [wide, narrow] = await Promise.all([
      mcpToken(stack, counted.credentials),
      mcpToken(stack, counted.credentials, 'schemas:read'),
    ]);
    await post(stack, wide, LIST);
    await post(stack, wide, toolCall('list_tables'));
    await post(stack, wide, toolCall('describe_table', { schemaName: 'x', tableName: 'y' }));
    await post(stack, narrow, toolCall('run_sql', { sql: 'SELECT 1' }));
    await post(stack, undefined, toolCall('run_sql', { sql: 'SELECT 1' }));
    await post(stack, wide, toolCall('run_sql', { sql: 'SELECT 1' }));
    await post(stack, wide, toolCall('run_sql', { sql: 'SELECT 1', mode: 'plan' }));
    await post(stack, wide, toolCall('run_sql', { sql: 'SELEC 1' }));
    await post(stack, wide, toolCall('run_sql', {}));
    const requests = async (): Promise<number> => {
      const { body } = await counted.call('GET', '/v1/usage/summary');
      return (body.data!['totals'] as { requests: number }).requests;
    };
    await until(async () => (await requests()) >= 4, { what: 'all are counted' });
    expect(await requests()).to.equal(4);
  });

  it('limits a tenant as REST does, each message of a batch counting', async () => {
    const limited = await newTenant(stack, ALL_SCOPES, { rps: 1, burst: BURST });
    const own = await mcpToken(stack, limited.credentials);
    const batch = Array.from({ length: 20 }, (_, id) => ({ ...LIST, id }));
    for (let i = 0; i < 3; i += 1) expect((await post(stack, own, batch)).status).to.equal(200);
    await untilLimited(() => post(stack, own, batch));
    const { headers, body } = await untilLimited(() => post(stack, own, LIST));
    expect(Number(headers.get('retry-after'))).to.be.at.least(1);
    expect(body).to.deep.include({ jsonrpc: '2.0', id: 7 });
    await untilLimited(() => limited.query('SELECT 1'));
  });

  /** The next call, on an idle machine; on a busy one the gateway's own bucket may stand in for Redis', once. */
  async function untilLimited<Answer extends HttpAnswer>(send: () => Promise<Answer>): Promise<Answer> {
    for (let calls = 0; calls < BURST; calls += 1) {
      const answer = await send();
      if (answer.status === 429) return answer;
      expect(answer.status).to.equal(200);
    }
    throw new Error(`not limited after ${BURST} more calls`);
  }

  it('forgets a client at the call after it was disabled', async () => {
    const leaving = await newTenant(stack);
    const own = await mcpToken(stack, leaving.credentials);
    expect((await post(stack, own, LIST)).status).to.equal(200);
    await admin(stack.dataDir, 'client', 'disable', '--client', leaving.credentials.clientId);
    expect((await post(stack, own, LIST)).status).to.equal(401);
  });

  /** `fetch` writes the Host header itself. */
  function statusWithHost(host: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const headers = {
        host,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const sent = request(`${stack.mcpUrl}/mcp`, { method: 'POST', headers, timeout: 10_000 }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.once('error', reject);
      sent.end(JSON.stringify(LIST));
    });
  }
});
