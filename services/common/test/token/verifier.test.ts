import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type JSONWebKeySet } from 'jose';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import type { Principal } from '../../src/token/principal.ts';
import { createTokenVerifier, type TokenVerifier } from '../../src/token/verifier.ts';
import { CLIENT, createTestSigner, ISSUER, type TestSigner } from './signer.ts';

async function codeOf(verifier: TokenVerifier, token: string): Promise<string> {
  try {
    await verifier.verify(token);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof PenstockError)) throw error;
    if (error.code === 'UNAUTHORIZED') expect(error.message).to.equal('Unauthorized');
    return error.code;
  }
}

describe('token verifier', () => {
  let signer: TestSigner;
  let verifier: TokenVerifier;

  before(async () => {
    signer = await createTestSigner();
    verifier = createTokenVerifier({ issuer: ISSUER, fetchKeySet: async () => signer.keySet });
  });

  it('reads the principal of an API client token', async () => {
    expect(await verifier.verify(await signer.sign())).to.deep.equal(CLIENT);
  });

  it('reads role and limits of a user, and tells an internal token by its type', async () => {
    const user: Principal = {
      tenantId: 't2',
      principalId: 'u1',
      principalType: 'user',
      scopes: ['query'],
      role: 'admin',
      generation: 0,
      rateLimit: { rps: 5, burst: 7 },
      tokenType: 'mcp',
    };
    expect(await verifier.verify(await signer.sign(user))).to.deep.equal(user);
  });

  it('refuses a token without a signature', async () => {
    const token = new UnsecuredJWT({ tenantId: 't' }).setIssuer(ISSUER).setAudience('penstock').encode();
    expect(await codeOf(verifier, token)).to.equal('UNAUTHORIZED');
  });

  it('refuses HS256 with the public key as its secret', async () => {
    const secret = new TextEncoder().encode(await exportSPKI(signer.publicKey));
    const token = await new SignJWT({
      tenantId: 't',
      sub: 's',
      gen: 0,
      scope: 'query',
      principal_type: 'client',
    })
      .setProtectedHeader({ alg: 'HS256', kid: 'key-1', typ: 'at+jwt' })
      .setIssuer(ISSUER)
      .setAudience('penstock')
      .setIssuedAt()
      .setJti('j')
      .setExpirationTime('1h')
      .sign(secret);
    expect(await codeOf(verifier, token)).to.equal('UNAUTHORIZED');
  });

  it('refuses the signature of another key under a known key ID', async () => {
    const other = await createTestSigner('key-1');
    expect(await codeOf(verifier, await other.sign())).to.equal('UNAUTHORIZED');
  });

  const changes = {
    'another typ': { header: { typ: 'JWT' } },
    'the typ of an internal token on a REST token': { header: { typ: 'penstock-internal+jwt' } },
    'an unknown key ID': { header: { kid: 'key-9' } },
    'another issuer': { claims: { iss: 'http://elsewhere' } },
    'another audience': { claims: { aud: 'penstock-internal' } },
    'an expiry in the past': { claims: { exp: Math.floor(Date.now() / 1000) - 10 } },
    'no expiry': { claims: { exp: undefined } },
    'no tenant': { claims: { tenantId: undefined } },
    'a principal type that is none': { claims: { principal_type: 'robot' } },
    'a generation that is no number': { claims: { gen: 'many' } },
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`refuses a token with ${what}`, async () => {
      const token = await signer.sign(CLIENT, change as Parameters<TestSigner['sign']>[1]);
      expect(await codeOf(verifier, token)).to.equal('UNAUTHORIZED');
    });
  }

  for (const text of ['', 'x', 'a.b.c', `${'a'.repeat(9000)}.b.c`]) {
    it(`refuses text that is no token: ${text.slice(0, 8)} of ${text.length} characters`, async () => {
      expect(await codeOf(verifier, text)).to.equal('UNAUTHORIZED');
    });
  }

  it('refuses a token that was changed by one character', async () => {
    const [header, payload, signature] = (await signer.sign()).split('.') as [string, string, string];
    const forged = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const body = Buffer.from(JSON.stringify({ ...forged, tenantId: 'tenant-2' })).toString('base64url');
    expect(await codeOf(verifier, `${header}.${body}.${signature}`)).to.equal('UNAUTHORIZED');
  });
});

describe('key set', () => {
  const clockAt = (start: number): { now: () => number; advance: (ms: number) => void } => {
    let now = start;
    return { now: () => now, advance: (ms) => (now += ms) };
  };

  it('is fetched once for callers at the same time', async () => {
    const signer = await createTestSigner();
    let fetches = 0;
    const verifier = createTokenVerifier({
      issuer: ISSUER,
      fetchKeySet: async () => {
        fetches += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return signer.keySet;
      },
    });
    const token = await signer.sign();
    await Promise.all(Array.from({ length: 10 }, () => verifier.verify(token)));
    expect(fetches).to.equal(1);
  });

  it('is fetched again for an unknown key ID, but not for each of them', async () => {
    const first = await createTestSigner('key-1');
    const second = await createTestSigner('key-2');
    const clock = clockAt(Date.now());
    let current: JSONWebKeySet = first.keySet;
    let fetches = 0;
    const verifier = createTokenVerifier({
      issuer: ISSUER,
      clock,
      fetchKeySet: async () => {
        fetches += 1;
        return current;
      },
    });
    await verifier.verify(await first.sign());
    current = { keys: [...first.keySet.keys, ...second.keySet.keys] };
    clock.advance(3_000);
    expect(await codeOf(verifier, await second.sign())).to.equal('accepted');
    expect(fetches).to.equal(2);
    const stranger = await createTestSigner('key-3');
    for (let i = 0; i < 5; i++)
      expect(await codeOf(verifier, await stranger.sign())).to.equal('UNAUTHORIZED');
    expect(fetches).to.equal(2);
  });

  it('goes on verifying with the last known keys while auth is away', async () => {
    const signer = await createTestSigner();
    const clock = clockAt(Date.now());
    let away = false;
    const verifier = createTokenVerifier({
      issuer: ISSUER,
      clock,
      fetchKeySet: async () => {
        if (away) throw new Error('connection refused');
        return signer.keySet;
      },
    });
    await verifier.verify(await signer.sign());
    away = true;
    clock.advance(10 * 60_000);
    // Also after the keys were asked for in vain.
    for (let i = 0; i < 3; i += 1) {
      const token = await signer.sign(CLIENT, { claims: expiryAt(clock) });
      expect((await verifier.verify(token)).tenantId).to.equal('tenant-1');
      await setImmediate();
    }
  });

  it('knows a verified token for a few seconds, but not beyond its expiry', async () => {
    const signer = await createTestSigner();
    const clock = clockAt(Date.now());
    const verifier = createTokenVerifier({ issuer: ISSUER, clock, fetchKeySet: async () => signer.keySet });
    const expiresS = Math.floor(clock.now() / 1000) + 3;
    const short = await signer.sign(CLIENT, { claims: { exp: expiresS } });
    const long = await signer.sign();
    const first = await verifier.verify(long);
    await verifier.verify(short);
    expect(await verifier.verify(long)).to.equal(first);
    clock.advance(6_000);
    expect(await codeOf(verifier, short)).to.equal('UNAUTHORIZED');
    expect((await verifier.verify(long)) === first).to.equal(false);
  });

  // A minute, and what the call itself takes.
  for (const seconds of [-70, 70]) {
    it(`takes fresh tokens of both kinds when its clock is off by ${seconds} seconds`, async () => {
      const signer = await createTestSigner();
      const verifier = createTokenVerifier({
        issuer: ISSUER,
        clock: clockAt(Date.now() + seconds * 1_000),
        fetchKeySet: async () => signer.keySet,
      });
      for (const tokenType of ['rest', 'mcp'] as const) {
        const token = await signer.sign({ ...CLIENT, tokenType });
        expect(await codeOf(verifier, token), tokenType).to.equal('accepted');
      }
    });
  }

  it('answers UNAVAILABLE while keys were never fetched, and recovers', async () => {
    const signer = await createTestSigner();
    let away = true;
    const verifier = createTokenVerifier({
      issuer: ISSUER,
      fetchKeySet: async () => {
        if (away) throw new Error('connection refused');
        return signer.keySet;
      },
    });
    const token = await signer.sign();
    expect(await codeOf(verifier, token)).to.equal('UNAVAILABLE');
    away = false;
    expect(await codeOf(verifier, token)).to.equal('accepted');
  });

  it('is not even asked for on an algorithm that is not ours', async () => {
    let fetches = 0;
    const verifier = createTokenVerifier({
      issuer: ISSUER,
      fetchKeySet: async () => {
        fetches += 1;
        return { keys: [] };
      },
    });
    const { privateKey } = await generateKeyPair('RS256');
    const token = await new SignJWT({}).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt' }).sign(privateKey);
    expect(await codeOf(verifier, token)).to.equal('UNAUTHORIZED');
    expect(fetches).to.equal(0);
  });
});

function expiryAt(clock: { now(): number }): { iat: number; exp: number } {
  const nowS = Math.floor(clock.now() / 1000);
  return { iat: nowS, exp: nowS + 3600 };
}
