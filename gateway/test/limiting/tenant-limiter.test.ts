import type { Principal } from '@penstock/common/token/principal.ts';
import { systemClock } from '@penstock/common/time/clock.ts';
import { expect } from 'chai';
import { createMemoryBuckets } from '../../src/limiting/memory-buckets.ts';
import { createTenantLimiter } from '../../src/limiting/tenant-limiter.ts';

const ADA: Principal = Object.freeze({
  ...{ tenantId: 'ada', principalId: 'c', principalType: 'client', scopes: [], role: null, generation: 0 },
  ...{ rateLimit: { rps: 20, burst: 2 }, tokenType: 'rest' },
} as const);
const never = new AbortController().signal;

describe("a tenant's rate", () => {
  const limiterOf = () => createTenantLimiter(createMemoryBuckets(systemClock), { rps: 1, burst: 1 });
  const codeOf = (work: Promise<void>): Promise<unknown> =>
    work.then(
      () => 'let in',
      (error: { code?: unknown }) => error.code ?? error,
    );

  it('refuses what is sent again, and has wait what is not', async () => {
    const limiter = limiterOf();
    const started = performance.now();
    for (let i = 0; i < 6; i++) await limiter.pace(ADA, never);
    expect(performance.now() - started, 'four of six wait 50 ms each').to.be.greaterThan(150);
    expect(await codeOf(limiter.admit(ADA))).to.equal('RATE_LIMITED');
  });

  it('has nothing wait for longer than it says', async () => {
    const limiter = limiterOf();
    const slow = { ...ADA, rateLimit: { rps: 0.05, burst: 1 } };
    expect(await codeOf(limiter.pace(slow, never))).to.equal('let in');
    expect(await codeOf(limiter.pace(slow, never))).to.equal('RATE_LIMITED');
  });

  it('has nobody wait who has gone', async () => {
    const limiter = limiterOf();
    const gone = new AbortController();
    const slow = { ...ADA, rateLimit: { rps: 0.2, burst: 1 } };
    await limiter.pace(slow, never);
    const waiting = codeOf(limiter.pace(slow, gone.signal));
    gone.abort(Object.assign(new Error('gone'), { code: 'gone' }));
    expect(await waiting).to.equal('gone');
  });
});
