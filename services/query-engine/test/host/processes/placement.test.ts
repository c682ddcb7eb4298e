import { expect } from 'chai';
import { OTHERS_PRESENT_MS, SLOW_TENANT_MS } from '../../../src/host/limits.ts';
import { createChoose, type Placeable } from '../../../src/host/processes/placement.ts';

interface Played extends Placeable {
  readonly name: string;
}

/** A worker that has worked for tenants as `works` says. */
function worker(
  name: string,
  works: Readonly<Record<string, number>> = {},
  { short = 0, long = 0, hasRoom = true } = {},
): Played {
  return {
    name,
    load: { short, long },
    hasRoom: () => hasRoom,
    workFor: (tenantId) => works[tenantId] ?? 0,
    workForOthers: (tenantId) =>
      Math.max(0, ...Object.entries(works).map(([other, ms]) => (other === tenantId ? 0 : ms))),
  };
}

describe('the worker for a query', () => {
  function setUp(tenantSharePercent = 75) {
    const clock = { ms: 100_000 };
    const choose = createChoose({ tenantSharePercent }, () => clock.ms);
    return {
      clock,
      choose: (workers: readonly Played[], tenantId: string, isLong = false) =>
        choose(workers, { tenantId, isLong })?.name ?? null,
    };
  }
  const BUSY = SLOW_TENANT_MS;

  it("is the tenant's first, as long as that has no more than its share of short ones", () => {
    const { choose } = setUp();
    expect(choose([], 'a')).to.equal(null);
    expect(choose([worker('home'), worker('next')], 'a')).to.equal('home');
    expect(choose([worker('home', {}, { short: 1 }), worker('next', {}, { short: 1 })], 'a')).to.equal(
      'home',
    );
    expect(choose([worker('home', {}, { short: 4 }), worker('next')], 'a')).to.equal('next');
  });

  it('is the one with the fewest long ones for a long one, where there is room', () => {
    const { choose } = setUp();
    expect(choose([worker('home', {}, { long: 1 }), worker('next')], 'a', true)).to.equal('next');
    expect(choose([worker('home'), worker('next')], 'a', true)).to.equal('home');
    expect(
      choose([worker('home', {}, { long: 1 }), worker('full', {}, { hasRoom: false })], 'a', true),
    ).to.equal('home');
  });

  it('is not one that works for a slow tenant, where there is another', () => {
    for (const isLong of [false, true]) {
      const { choose } = setUp();
      expect(choose([worker('home', { slow: BUSY }), worker('next')], 'a', isLong)).to.equal('next');
      expect(choose([worker('home', { slow: BUSY - 1 }), worker('next')], 'a', isLong)).to.equal('home');
      expect(choose([worker('home', { slow: BUSY }), worker('next', { slow: BUSY })], 'a', isLong)).to.equal(
        'home',
      );
      expect(choose([worker('home', { slow: BUSY })], 'a', isLong)).to.equal('home');
    }
  });

  it('is one that a slow tenant has made busy, while others are there', () => {
    const { choose } = setUp();
    choose([worker('home')], 'other');
    const workers = [worker('home'), worker('busy', { slow: BUSY }, { short: 9, long: 9 })];
    expect(choose(workers, 'slow')).to.equal('busy');
    expect(choose(workers, 'slow', true)).to.equal('busy');
  });

  it('is any for a slow tenant that is alone, also when another one has gone', () => {
    const { choose, clock } = setUp();
    const workers = [worker('home'), worker('busy', { slow: BUSY }, { long: 2 })];
    expect(choose(workers, 'slow', true)).to.equal('home');
    choose(workers, 'other');
    expect(choose(workers, 'slow', true)).to.equal('busy');
    clock.ms += OTHERS_PRESENT_MS;
    expect(choose(workers, 'slow', true)).to.equal('home');
  });

  it("is one of a slow tenant's share of them", () => {
    const { choose } = setUp(50);
    choose([worker('a')], 'other');
    const workers = [
      worker('a', {}, { long: 0 }),
      worker('b', { slow: BUSY }, { long: 3 }),
      worker('c', { slow: 2 * BUSY }, { long: 2 }),
      worker('d', {}, { long: 0 }),
    ];
    expect(choose(workers, 'slow', true)).to.equal('c');
  });

  it('is another one for each of two slow tenants', () => {
    const { choose } = setUp();
    choose([worker('a')], 'other');
    const workers = [worker('a', { slow: BUSY, other: BUSY }), worker('b', { other: BUSY })];
    expect(choose(workers, 'slow', true)).to.equal('a');
    expect(choose(workers, 'other', true)).to.equal('b');
  });
});
