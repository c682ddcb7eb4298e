import { expect } from 'chai';
import { LOOK_MS, SLOW_QUERY_MS, TENANT_WORK_FADES_MS } from '../../../src/host/limits.ts';
import { createTenantWork, createWorkCount } from '../../../src/host/processes/tenant-work.ts';

describe("the work for a worker's tenants", () => {
  function setUp() {
    const clock = { ms: 0 };
    return { clock, work: createTenantWork(() => clock.ms) };
  }

  it('is told of a tenant, and of all others by the busiest of them', () => {
    const { work } = setUp();
    work.add('a', 30);
    work.add('a', 20);
    work.add('b', 10);
    expect(work.of('a')).to.equal(50);
    expect(work.ofOthers('a')).to.equal(10);
    expect(work.ofOthers('b')).to.equal(50);
    expect(work.ofOthers('c')).to.equal(50);
    expect(work.of('c')).to.equal(0);
  });

  it('fades, until it is forgotten', () => {
    const { clock, work } = setUp();
    work.add('a', 100);
    clock.ms = TENANT_WORK_FADES_MS;
    expect(work.of('a')).to.be.closeTo(100 / Math.E, 0.01);
    clock.ms = 10 * TENANT_WORK_FADES_MS;
    expect(work.of('a')).to.equal(0);
  });

  it('comes to the time in which it fades where a tenant has all of a thread', () => {
    const { clock, work } = setUp();
    for (; clock.ms < 20 * TENANT_WORK_FADES_MS; clock.ms += 10) work.add('a', 10);
    expect(work.of('a')).to.be.closeTo(TENANT_WORK_FADES_MS, TENANT_WORK_FADES_MS / 50);
  });
});

describe('what a worker works for', () => {
  const START = 1_000;
  const runs = new Map([
    [1, { tenantId: 'slow', startedAt: START }],
    [2, { tenantId: 'quick', startedAt: START + SLOW_QUERY_MS }],
    [3, { tenantId: 'computing', startedAt: START }],
  ]);
  function setUp(at: number) {
    const work = createTenantWork(() => at);
    const count = createWorkCount(work, () => at);
    return {
      work,
      count: (seen: Parameters<typeof count>[0], ms: number | null) =>
        count(seen, ms, (query) => runs.get(query)),
    };
  }

  it('counts for the tenant whose query has its thread, once that is a slow one', () => {
    for (const [at, ms] of [
      [START + SLOW_QUERY_MS, 0],
      [START + SLOW_QUERY_MS + 1, 7],
    ] as const) {
      const { work, count } = setUp(at);
      count({ holder: 0, computing: [] }, 100);
      count({ holder: 1, computing: [] }, 107);
      expect(work.of('slow')).to.equal(ms);
    }
  });

  it('is all of the time where the system does not tell, and where DuckDB computes', () => {
    const { work, count } = setUp(START + SLOW_QUERY_MS + 1);
    count({ holder: 1, computing: [3, 2] }, null);
    expect(work.of('slow')).to.equal(LOOK_MS);
    expect(work.of('computing')).to.equal(LOOK_MS);
    expect(work.of('quick')).to.equal(0);
  });

  it('is nobody of whom nothing is known', () => {
    const { work, count } = setUp(START + 1_000);
    count({ holder: 9, computing: [] }, 100);
    count({ holder: 0, computing: [] }, 200);
    expect(work.ofOthers('')).to.equal(0);
  });
});
