import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { VerifyAccessTokenResponseSchema } from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
import { authenticate } from '../../src/mcp/authenticate.ts';

const RESOURCE = new URL('http://localhost:8080/mcp');
const CALL = { requestId: 'r1', signal: new AbortController().signal };
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
    const { principal, token } = await authenticate('Bearer x', CALL, oauth, RESOURCE);
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
      expect(await codeOf(authenticate('Bearer x', CALL, oauth, RESOURCE)), resource).to.equal(
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
      expect(await codeOf(authenticate(header, CALL, oauth, RESOURCE)), header).to.equal('UNAUTHORIZED');
    }
    expect(asked).to.equal(0);
  });

  it('cannot be told while auth is away, which is no reason to sign in again', async () => {
    for (const code of [Code.Unavailable, Code.DeadlineExceeded]) {
      const oauth = { verifyAccessToken: () => Promise.reject(new ConnectError('away', code)) };
      expect(await codeOf(authenticate('Bearer x', CALL, oauth, RESOURCE))).to.equal('UNAVAILABLE');
    }
  });
});
