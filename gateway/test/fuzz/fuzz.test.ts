import { expect } from 'chai';
import { STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { prepareFuzz, type PreparedFuzz } from './prepare.ts';

/** Another one finds other things: `make fuzz MINUTES=10` takes one of its own. */
const SEED = 20_261_122;
const REQUESTS = 1_200;
const DURATION_MS = 60_000;

describe('spoiled requests of every kind', function () {
  this.timeout(STACK_START_TIMEOUT_MS + 2 * DURATION_MS);
  let prepared: PreparedFuzz;
  before(async () => {
    prepared = await prepareFuzz();
  });
  after(() => prepared.close());

  it('are never answered with a 5xx, never hang, and never log an error', async () => {
    const { targets, wrong } = await prepared.run({
      seed: SEED,
      requests: REQUESTS,
      durationMs: DURATION_MS,
    });
    expect(wrong).to.deep.equal([]);
    // The session has lived: else nothing of the console but its door was tried.
    expect(Object.keys(targets['GET /console/api/account'] ?? {})).to.include('200');
    const reached = Object.keys(targets);
    for (const name of [
      'POST /v1/query',
      'tool run_sql',
      'POST /token',
      'POST /login',
      'GET /authorize',
      'PostgreSQL messages',
    ]) {
      expect(reached).to.include(name);
    }
  });
});
