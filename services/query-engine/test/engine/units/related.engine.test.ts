import { expect } from 'chai';
import { isChosen } from '../../../../common/test/support/random-budget.ts';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { relatedCases } from './related-cases.ts';
import { relatedTables } from './related-tables.ts';

const TITLE_LENGTH_MAX = 200;

describe('the least read units over several tables', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine(relatedTables());
  });
  after(() => engine.close());

  for (const [group, cases] of Object.entries(relatedCases)) {
    describe(group, () => {
      for (const [place, { sql, units, requests, rows }] of cases.entries()) {
        it(`${units}: ${sql.slice(0, TITLE_LENGTH_MAX)}`, async () => {
          await engine.aws.clear();
          const answer = await engine.run(sql);
          const sent = await engine.aws.requests();
          const logged = sent.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
          const counts = Map.groupBy(sent, ({ operation }) => operation);
          expect({
            reported: answer.readUnits,
            logged,
            requests: Object.fromEntries([...counts].map(([operation, list]) => [operation, list.length])),
            rows: answer.rows.length,
          }).to.deep.equal({ reported: units, logged: units, requests, rows });
          if (!isChosen(2, place)) return;
          const { rows: scanned } = await engine.runScanning(sql);
          expect(answer.rows).to.deep.equal(scanned);
        });
      }
    });
  }
});
