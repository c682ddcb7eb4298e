import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { create } from '@bufbuild/protobuf';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { VerifyAccessTokenResponseSchema } from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { expect } from 'chai';
import express from 'express';
import { createGuesses } from '../../src/limiting/guesses.ts';
import { mcpEndpoints, type McpOptions } from '../../src/mcp/endpoint.ts';
import { callName, createRunningCalls } from '../../src/mcp/running-calls.ts';
import { beginExchange } from '../../src/middleware/begin-exchange.ts';
import { mount } from '../../src/routes/mount.ts';
import { started } from './support/started.ts';

const RESOURCE = new URL('http://localhost:8080/mcp');
const VERIFIED = create(VerifyAccessTokenResponseSchema, {
  tenantId: 't1',
  principalId: 'c1',
  principalType: 'client',
  scopes: ['query'],
  resource: RESOURCE.href,
});
const unused = (): never => {
  throw new Error('nothing but auth should be called');
};

describe('POST /mcp', () => {
  let server: Server;
  afterEach(() => server.close());

  async function serve(options: Partial<McpOptions>) {
    const app = express();
    app.use(beginExchange(createLogger({ service: 'test', level: 'silent' })));
    const endpoints = mcpEndpoints({
      clients: {
        oauth: { verifyAccessToken: async () => VERIFIED },
        queries: { execute: unused, plan: unused },
        catalog: { listTables: unused, describeTable: unused },
      } as unknown as McpOptions['clients'],
      limiter: { admit: async () => undefined },
      usage: {
        ensureAble: () => undefined,
        recordRequest: async () => undefined,
        takeBackRows: async () => undefined,
        recordRows: async () => undefined,
      },
      clock: { now: () => 0 },
      running: createRunningCalls(),
      wrongTokens: createGuesses(null, createLogger({ service: 'test', level: 'silent' })).tokens,
      resource: RESOURCE,
      baseUrl: 'http://rest.test',
      ...options,
    });
    mount(app, endpoints);
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return (message: unknown, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: {
          authorization: 'Bearer x',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify(message),
      });
  }

  const cancelled = (requestId: number): object => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  });

  it('cancels the call that a message names, and no other', async () => {
    const running = createRunningCalls();
    const post = await serve({ running });
    const [call, other] = [3, 4].map((id) => started(running, callName('Bearer x', id)));
    expect((await post(cancelled(3))).status).to.equal(202);
    expect(await call!.ended).to.equal('cancelled');
    expect(other!.wasCancelled()).to.equal(false);
  });

  it('lets who has called too often cancel all the same', async () => {
    const running = createRunningCalls();
    const limiter = {
      admit: () => Promise.reject(new PenstockError('RATE_LIMITED', 'Too many', { retryAfterS: 2 })),
    };
    const post = await serve({ running, limiter });
    const call = started(running, callName('Bearer x', 3));
    const answer = await post(cancelled(3));
    expect(answer.status).to.equal(429);
    expect(answer.headers.get('retry-after')).to.equal('2');
    expect(await call.ended).to.equal('cancelled');
  });

  it('asks for all the scopes that a batch needs, and those that the token has, at once', async () => {
    const post = await serve({});
    const call = (name: string, id: number): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: {} },
    });
    const answer = await post([call('list_tables', 1), call('describe_table', 2)]);
    expect(answer.status).to.equal(403);
    expect(answer.headers.get('www-authenticate'))
      .to.include('error="insufficient_scope"')
      .and.include('scope="query schemas:read"');
  });

  it('runs no statement while usage cannot be recorded', async () => {
    const recorded: unknown[] = [];
    const post = await serve({
      usage: {
        recordRequest: async (...request) => void recorded.push(request),
        takeBackRows: unused,
        recordRows: unused,
        ensureAble: () => {
          throw new PenstockError('UNAVAILABLE', 'Usage cannot be recorded; try again', { retryAfterS: 1 });
        },
      },
    });
    const params = { name: 'run_sql', arguments: { sql: 'SELECT 1' } };
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect(recorded).to.deep.equal([]);
  });

  it('acknowledges a subscription as empty and ends it, since nothing ever changes', async () => {
    const post = await serve({});
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const method = 'subscriptions/listen';
    const answer = await post(
      { jsonrpc: '2.0', id: 5, method, params: { _meta: meta, notifications: { toolsListChanged: true } } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    );
    const text = await answer.text();
    expect(text).to.include('notifications/subscriptions/acknowledged').and.include('"notifications":{}');
    expect(text).to.include('"resultType":"complete"');
  });
});
