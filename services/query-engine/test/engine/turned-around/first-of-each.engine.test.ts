/** Generated statements that ask for the first items of partitions give the rows that scans give, for no more units. */
import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { budgetOf, SEED, SEED_SHOWN } from '../../../../common/test/support/random-budget.ts';
import { choiceFrom } from '../choice.ts';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { familiesOf } from './families.ts';
import { firstOfEach } from './first-of-each.ts';
import { tablesOf } from './tables.ts';

const STATEMENTS = budgetOf({ short: 50, long: 3000, variable: 'DIFFERENTIAL_QUERIES' });
const STATEMENT_MS_MAX = 1000;
const FIRST_MS_MAX = 60_000;
const SHOWN_MAX = 20;

/** The rows, or the error's code. */
async function rowsOf(run: () => ReturnType<TestEngine['run']>): Promise<readonly string[]> {
  try {
    return (await run()).rows.map((row) => JSON.stringify(row)).sort();
  } catch (error) {
    if (error instanceof PenstockError) return [error.code];
    throw error;
  }
}

describe('the first items of partitions', () => {
  const families = familiesOf(Date.now()).filter(({ name }) =>
    ['texts', 'times', 'numbers', 'seconds'].includes(name),
  );
  let engine: TestEngine;
  before(async function () {
    this.timeout(FIRST_MS_MAX);
    engine = await startTestEngine(families.flatMap(tablesOf));
  });
  after(() => engine.close());

  it(`are those that scans find (${STATEMENTS}, ${SEED_SHOWN})`, async function () {
    this.timeout(FIRST_MS_MAX + STATEMENTS * STATEMENT_MS_MAX);
    const choice = choiceFrom(SEED);
    const differences: string[] = [];
    for (let i = 0; i < STATEMENTS && differences.length < SHOWN_MAX; i++) {
      const sql = firstOfEach(choice, choice.pick(families));
      const keyed = await rowsOf(() => engine.run(sql));
      const scanned = await rowsOf(() => engine.runScanning(sql));
      if (JSON.stringify(keyed) !== JSON.stringify(scanned))
        differences.push(`${sql}: ${keyed.join(' ')} for ${scanned.join(' ')}`);
    }
    expect(differences).to.deep.equal([]);
    expect(engine.disagreements).to.deep.equal([]);
  });
});
