import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { toConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { createMetrics } from '@penstock/common/telemetry/metrics.ts';
import { expect } from 'chai';
import { createApp, type AppOptions } from '../../src/app.ts';
import { createGuesses } from '../../src/limiting/guesses.ts';
import { LOOKUPS_PER_S } from '@penstock/common/throttling/limits.ts';
import { WRONG_TOKENS_MAX } from '../../src/limits.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };
const failure = { error: 'invalid_grant', errorDescription: 'no', httpStatus: 400 };

/** What is looked up by what was presented; `i` makes each try another. */
const endpoints: Readonly<Record<string, (i: number) => readonly [path: string, request: RequestInit]>> = {
  'GET /authorize': (i) => [`/authorize?client_id=mcp_${i}&response_type=code`, {}],
  'GET /enroll': (i) => [`/enroll?token=pst_en_${i}`, {}],
  'POST /enroll': (i) => [
    `/enroll?token=pst_en_${i}`,
    { method: 'POST', headers: form, body: 'step=totp&code=123456&password=p&repeated=p' },
  ],
  'POST /token with a code': (i) => [
    '/token',
    {
      method: 'POST',
      headers: form,
      body: `grant_type=authorization_code&client_id=a&code=${i}&code_verifier=v`,
    },
  ],
  'POST /token with a refresh token': (i) => [
    '/token',
    { method: 'POST', headers: form, body: `grant_type=refresh_token&client_id=a&refresh_token=${i}` },
  ],
  'POST /revoke': (i) => ['/revoke', { method: 'POST', headers: form, body: `client_id=${i}&token=t` }],
  'POST /v1/auth/refresh': (i) => [
    '/v1/auth/refresh',
    { method: 'POST', headers: json, body: JSON.stringify({ refreshToken: `pst_rt_${i}` }) },
  ],
  'POST /mcp': (i) => [
    '/mcp',
    { method: 'POST', headers: { ...json, authorization: `Bearer ${i}`, host: 'localhost' }, body: '{}' },
  ],
};

describe('What an address presents that is wrong', function () {
  this.timeout(60_000);
  let lookups = 0;
  let server: Server;
  let url: string;

  const refusing = (code: PenstockError['code']) => async (): Promise<never> => {
    lookups += 1;
    throw toConnectError(new PenstockError(code, 'no'), logger);
  };
  const answering = (answer: unknown) => async () => {
    lookups += 1;
    return answer;
  };
  const clients = {
    tokens: { refreshToken: refusing('UNAUTHORIZED') },
    login: { getEnrollment: refusing('NOT_FOUND'), enrollTotp: refusing('NOT_FOUND') },
    oauth: {
      beginAuthorization: answering({ setCookies: [], next: { case: 'error', value: failure } }),
      exchangeToken: answering({ result: { case: 'error', value: failure } }),
      revokeToken: answering({ error: failure }),
      verifyAccessToken: refusing('UNAUTHORIZED'),
    },
  };

  before(async () => {
    server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const app = createApp({
      clients: clients as unknown as AppOptions['clients'],
      verifier: { verify: () => Promise.reject(new Error('unused')) },
      revocations: { isRevoked: async () => false, close: () => undefined },
      limiter: { admit: async () => undefined },
      guesses: createGuesses(null, logger),
      usage: { record: async () => undefined, ensureAble: () => undefined },
      settings: { baseUrl: url, mcpUrl: url, trustedProxies: ['loopback'] },
      logger,
      metrics: createMetrics('test'),
      isReady: () => true,
    });
    server.on('request', app);
  });
  after(() => server.close());

  let address = 0;
  for (const [endpoint, requestOf] of Object.entries(endpoints)) {
    it(`is looked up by ${endpoint} only so often, then answered 429 with Retry-After, and hardly looked up any more`, async () => {
      lookups = 0;
      address += 1;
      const send = async (i: number): Promise<Response> => {
        const [path, request] = requestOf(i);
        const headers = { ...request.headers, 'x-forwarded-for': `203.0.113.${address}` };
        const answer = await fetch(`${url}${path}`, { ...request, headers, redirect: 'manual' });
        await answer.arrayBuffer();
        return answer;
      };
      for (let i = 0; i < WRONG_TOKENS_MAX; i += 1)
        expect((await send(i)).status).to.be.oneOf([400, 401, 404]);
      const refused = await send(WRONG_TOKENS_MAX);
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 900);
      const more = await Promise.all(Array.from({ length: 60 }, (_, i) => send(WRONG_TOKENS_MAX + 1 + i)));
      expect(new Set(more.map(({ status }) => status))).to.deep.equal(new Set([429]));
      expect(lookups).to.be.at.most(WRONG_TOKENS_MAX + 3 * LOOKUPS_PER_S);
    });
  }
});
