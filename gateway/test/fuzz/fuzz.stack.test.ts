import { expect } from 'chai';
import { STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { budgetOf, SEED, SEED_SHOWN } from '../../../services/common/test/support/random-budget.ts';
import { prepareFuzz, type PreparedFuzz } from './prepare.ts';

const REQUESTS = budgetOf({ short: 300, long: 1_200 });
const DURATION_MS = budgetOf({ short: 15_000, long: 60_000 });

describe(`spoiled requests of every kind (${SEED_SHOWN})`, function () {
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
    const ofConsole = Object.entries(targets).filter(([name]) => name.startsWith('GET /console/api/'));
    expect(ofConsole.flatMap(([, statuses]) => Object.keys(statuses))).to.include('200');
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
