import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { unitCases } from './cases.ts';
import { unitTables } from './tables.ts';

describe('the least read units', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine(unitTables());
  });
  after(() => engine.close());

  for (const [group, cases] of Object.entries(unitCases)) {
    describe(group, () => {
      for (const { sql, units, operations, rows, options = {} } of cases) {
        const how = Object.keys(options).length === 0 ? '' : ` ${JSON.stringify(options)}`;
        it(`${units}: ${sql.slice(0, 150)}${how}`, async () => {
          await engine.aws.clear();
          const answer = await engine.run(sql, options);
          const requests = await engine.aws.requests();
          const logged = requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
          expect({
            reported: answer.readUnits,
            logged,
            operations: requests.map(({ operation }) => operation),
            rows: answer.rows.length,
          }).to.deep.equal({ reported: units, logged: units, operations, rows });
        });
      }
    });
  }
});
