import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { orderedCases } from './ordered-cases.ts';
import { orderedTables } from './ordered-tables.ts';

describe('the least read units of ORDER BY and LIMIT by indexes that lack items or columns', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine(orderedTables());
  });
  after(() => engine.close());

  for (const [group, cases] of Object.entries(orderedCases)) {
    describe(group, () => {
      for (const { sql, units, requests } of cases) {
        it(`${units}: ${sql}`, async () => {
          await engine.aws.clear();
          const answer = await engine.run(sql);
          const sent = await engine.aws.requests();
          const logged = sent.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
          const counts = Map.groupBy(sent, ({ operation }) => operation);
          expect({
            reported: answer.readUnits,
            logged,
            requests: Object.fromEntries([...counts].map(([operation, list]) => [operation, list.length])),
          }).to.deep.equal({ reported: units, logged: units, requests });
          expect(answer.rows).to.deep.equal((await engine.runScanning(sql)).rows);
        });
      }
    });
  }
});
