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
    return { clock, refused, offenders };
  }

  it('have the statement refused, at once where it is certain, else from the second time on', async () => {
    const { clock, refused, offenders } = setUp();
    await offenders.count('a', 'one', true);
    await offenders.count('a', 'two', false);
    expect(refused).to.deep.equal(['a one']);
    await offenders.count('b', 'two', false);
    expect(refused).to.deep.equal(['a one']);
    clock.ms += REFUSED_MS;
    await offenders.count('a', 'two', false);
    expect(refused, 'long ago').to.deep.equal(['a one']);
    await offenders.count('a', 'two', false);
    expect(refused).to.deep.equal(['a one', 'a two']);
  });

  it('run apart after some within ten minutes, until an hour was quiet', async () => {
    const { clock, offenders } = setUp();
    for (let i = 0; i < ENDED_WORKERS_MAX; i++) {
      expect(offenders.isApart('a')).to.equal(false);
      await offenders.count('a', String(i), true);
    }
    expect(offenders.isApart('a')).to.equal(true);
    expect(offenders.isApart('b')).to.equal(false);
    clock.ms += KEPT_APART_MS - 1;
    expect(offenders.isApart('a')).to.equal(true);
    await offenders.count('a', 'again', true);
    clock.ms += KEPT_APART_MS - 1;
    expect(offenders.isApart('a'), 'the hour begins anew').to.equal(true);
    clock.ms += 1;
    expect(offenders.isApart('a')).to.equal(false);
  });
});
