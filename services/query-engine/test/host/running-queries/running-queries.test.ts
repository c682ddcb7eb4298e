import { expect } from 'chai';
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { createRunningQueries } from '../../../src/host/running-queries/running-queries.ts';

const ACME = { tenantId: 'acme', requestId: 'r1' };

describe('the queries that an engine executes', () => {
  /** A query that has read so much, and says how it was ended. */
  const begin = (
    running: ReturnType<typeof createRunningQueries>,
    request: { tenantId: string; requestId: string },
    halfUnits: number,
    hasBegun = true,
  ) => {
    const ended: PenstockError[] = [];
    const query = running.begin(request, { halfUnitsSoFar: () => halfUnits, hasBegun }, (error) => {
      ended.push(error);
    });
    return { ...query, ended };
  };

  it('are found by tenant and request, while they run', () => {
    const running = createRunningQueries();
    const query = begin(running, ACME, 3);
    query.returned(40);
    query.returned(2);
    expect(running.look(ACME)).to.deep.include({ isQueued: false, rows: 42, halfUnits: 3 });
    expect(running.look({ ...ACME, tenantId: 'umbrella' })).to.equal(null);
    expect(running.look({ ...ACME, requestId: 'r2' })).to.equal(null);
    query.end();
    expect(running.look(ACME)).to.equal(null);
  });

  it('wait for their turn until a worker has them', () => {
    const running = createRunningQueries();
    begin(running, ACME, 0, false);
    expect(running.look(ACME)).to.deep.include({ isQueued: true, halfUnits: 0 });
    begin(running, ACME, 5);
    expect(running.look(ACME)).to.deep.include({ isQueued: false, halfUnits: 5 });
  });

  it('are stopped together where they have one request ID, and nobody else’s', () => {
    const running = createRunningQueries();
    const [first, second] = [begin(running, ACME, 3), begin(running, ACME, 4)];
    const other = begin(running, { tenantId: 'umbrella', requestId: 'r1' }, 5);
    expect(running.stop(ACME)).to.deep.include({ halfUnits: 7 });
    for (const { ended } of [first, second])
      expect(ended.map(({ code, message, detail }) => [code, message, detail])).to.deep.equal([
        ['CANCELLED', 'The query was stopped', 'Its tenant asked for it: DELETE /v1/queries/r1'],
      ]);
    expect(other.ended).to.deep.equal([]);
    // One ends, the other is there until it does.
    first.end();
    expect(running.look(ACME)).to.deep.include({ halfUnits: 4 });
    second.end();
    expect(running.stop(ACME)).to.equal(null);
  });
});
