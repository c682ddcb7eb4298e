import { expect } from 'chai';
import { ENDED_WORKERS_MAX, KEPT_APART_MS, REFUSED_MS } from '../../../src/host/limits.ts';
import { createOffenders } from '../../../src/host/offenders/offenders.ts';

describe('tenants whose statements end workers', () => {
  function setUp() {
    const clock = { ms: 1_000_000, now: () => clock.ms };
    const refused: string[] = [];
    const offenders = createOffenders(
      { add: async (tenant, hash) => void refused.push(`${tenant} ${hash}`) },
      clock,
    );
    /** A worker was lost while it worked on these, each `tenant statement`. */
    const lost = (wasKilled: boolean, ...suspects: string[]): Promise<void> =>
      offenders.count(
        suspects.map((text) => {
          const [tenantId = '', statementHash = ''] = text.split(' ');
          return { tenantId, statementHash };
        }),
        wasKilled,
      );
    return { clock, refused, offenders, lost };
  }

  it('have the statement refused, at once where it is certain, else from the second time on', async () => {
    const { clock, refused, lost } = setUp();
    await lost(true, 'a one');
    await lost(false, 'a two');
    await lost(true, 'a three', 'a four');
    expect(refused).to.deep.equal(['a one']);
    await lost(false, 'b two');
    expect(refused).to.deep.equal(['a one']);
    clock.ms += REFUSED_MS;
    await lost(false, 'a two');
    expect(refused, 'long ago').to.deep.equal(['a one']);
    await lost(false, 'a two');
    expect(refused).to.deep.equal(['a one', 'a two']);
  });

  it('are known where all that a worker was killed for was theirs, whichever statement it was', async () => {
    const { offenders, lost, refused } = setUp();
    for (let i = 0; i < ENDED_WORKERS_MAX; i++) {
      expect(offenders.isApart('a')).to.equal(false);
      await lost(true, `a ${i}`, `a x${i}`);
      // Another tenant's may have been the cause; or nobody's, where the worker ended by itself.
      await lost(true, `b ${i}`, `c ${i}`);
      await lost(false, `d ${i}`);
    }
    expect(['a', 'b', 'c', 'd'].filter((tenant) => offenders.isApart(tenant))).to.deep.equal(['a']);
    expect(refused).to.deep.equal([]);
  });

  it('run apart after some within ten minutes, until an hour was quiet', async () => {
    const { clock, offenders, lost } = setUp();
    for (let i = 0; i < ENDED_WORKERS_MAX; i++) {
      expect(offenders.isApart('a')).to.equal(false);
      await lost(true, `a ${i}`);
    }
    expect(offenders.isApart('a')).to.equal(true);
    expect(offenders.isApart('b')).to.equal(false);
    clock.ms += KEPT_APART_MS - 1;
    expect(offenders.isApart('a')).to.equal(true);
    await lost(true, 'a again');
    clock.ms += KEPT_APART_MS - 1;
    expect(offenders.isApart('a'), 'the hour begins anew').to.equal(true);
    clock.ms += 1;
    expect(offenders.isApart('a')).to.equal(false);
  });
});
