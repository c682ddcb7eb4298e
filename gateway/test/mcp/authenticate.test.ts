import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { VerifyAccessTokenResponseSchema } from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { systemClock } from '@penstock/common/time/clock.ts';
import { LOOKUPS_PER_S } from '@penstock/common/throttling/limits.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { createGuesses } from '../../src/limiting/guesses.ts';
import { WRONG_TOKENS_MAX } from '../../src/limits.ts';
import { authenticate, type AuthenticationOptions } from '../../src/mcp/authenticate.ts';
import { createGoodTokens } from '../../src/mcp/good-tokens.ts';

const RESOURCE = new URL('http://localhost:8080/mcp');
const CALL = {
  requestId: 'r1',
  signal: new AbortController().signal,
  request: { ip: '192.0.2.7' } as Exchange['request'],
};
const logger = createLogger({ service: 'test', level: 'silent' });
const optionsOf = (oauth: AuthenticationOptions['oauth']): AuthenticationOptions => ({
  oauth,
  resource: RESOURCE,
  wrongTokens: createGuesses(null, logger).tokens,
  goodTokens: createGoodTokens(systemClock),
});
const VERIFIED = create(VerifyAccessTokenResponseSchema, {
  internalToken: 'internal',
  tenantId: 't1',
  principalId: 'u1',
  principalType: 'user',
  role: 'member',
  scopes: ['query', 'schemas:write?'],
  rateLimitRps: 5,
  rateLimitBurst: 9,
  resource: RESOURCE.href,
  generation: 3n,
});

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'let in',
    (error: unknown) => (error instanceof PenstockError ? error.code : String(error)),
  );

describe('whose token came to /mcp', () => {
  it('is what auth says, with its internal token to act with', async () => {
    const oauth = { verifyAccessToken: async () => VERIFIED };
    const { principal, token } = await authenticate('Bearer x', CALL, optionsOf(oauth));
    expect(token).to.equal('internal');
    expect(principal).to.deep.equal({
      tenantId: 't1',
      principalId: 'u1',
      principalType: 'user',
      role: 'member',
      scopes: ['query'],
      rateLimit: { rps: 5, burst: 9 },
      generation: 3,
      tokenType: 'mcp',
    });
  });

  it('is nobody where the token is for another resource', async () => {
    for (const resource of [
      'http://localhost:8080/',
      'http://localhost:8080/mcp/',
      'https://localhost:8080/mcp',
      '',
    ]) {
      const oauth = { verifyAccessToken: async () => ({ ...VERIFIED, resource }) };
      expect(await codeOf(authenticate('Bearer x', CALL, optionsOf(oauth))), resource).to.equal(
        'UNAUTHORIZED',
      );
    }
  });

  it('is not asked for without a bearer token', async () => {
    let asked = 0;
    const oauth = {
      verifyAccessToken: async () => {
        asked += 1;
        return VERIFIED;
      },
    };
    for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Bearer a b', 'Basic eDp5']) {
      expect(await codeOf(authenticate(header, CALL, optionsOf(oauth))), header).to.equal('UNAUTHORIZED');
    }
    expect(asked).to.equal(0);
  });

  it('cannot be told while auth is away, which is no reason to sign in again', async () => {
    for (const code of [Code.Unavailable, Code.DeadlineExceeded]) {
      const oauth = { verifyAccessToken: () => Promise.reject(new ConnectError('away', code)) };
      expect(await codeOf(authenticate('Bearer x', CALL, optionsOf(oauth)))).to.equal('UNAVAILABLE');
    }
  });

  describe('where an address presents wrong ones', () => {
    let asked: number;
    let options: AuthenticationOptions;
    beforeEach(() => {
      asked = 0;
      const expiresAt = BigInt(Math.floor(Date.now() / 1000) + 600);
      options = optionsOf({
        verifyAccessToken: async ({ accessToken }) => {
          asked += 1;
          if (accessToken?.startsWith('good') === true) return { ...VERIFIED, expiresAt };
          throw new ConnectError('no', Code.Unauthenticated);
        },
      });
    });
    const codeAt = (token: string, ip = '192.0.2.7'): Promise<string> =>
      codeOf(authenticate(`Bearer ${token}`, { ...CALL, request: { ip } as Exchange['request'] }, options));

    it('is hardly asked for once there were too many, in whatever network of the address, but right ones are', async () => {
      for (let i = 0; i < WRONG_TOKENS_MAX; i += 1) {
        expect(await codeAt(`wrong-${i}`, `2001:db8::${i.toString(16)}`)).to.equal('UNAUTHORIZED');
      }
      expect(await codeAt('wrong', '2001:db8::ffff')).to.equal('RATE_LIMITED');
      expect(await codeAt('good', '2001:db8::ffff')).to.equal('let in');
      for (let i = 0; i < 60; i += 1)
        expect(await codeAt('wrong', '2001:db8::ffff')).to.equal('RATE_LIMITED');
      expect(asked).to.be.at.most(WRONG_TOKENS_MAX + 1 + 3 * LOOKUPS_PER_S);
      expect(await codeAt('good', '2001:db8:0:1::1')).to.equal('let in');
    });

    it('is still asked for of who was let in a moment ago', async () => {
      expect(await codeAt('good')).to.equal('let in');
      for (let i = 0; i < WRONG_TOKENS_MAX; i += 1) await codeAt(`wrong-${i}`);
      expect(await codeAt('wrong')).to.equal('RATE_LIMITED');
      expect(await codeAt('good')).to.equal('let in');
    });
  });
});

describe('tokens that were good a moment ago', () => {
  it('are forgotten when they expire, are refused, or are too many', () => {
    let now = 0;
    const tokens = createGoodTokens({ now: () => now }, 2);
    for (const token of ['a', 'b', 'c']) tokens.add(token, 10);
    expect(['a', 'b', 'c'].map((token) => tokens.has(token))).to.deep.equal([false, true, true]);
    tokens.remove('b');
    expect(tokens.has('b')).to.equal(false);
    now = 10_000;
    expect(tokens.has('c')).to.equal(false);
  });
});
