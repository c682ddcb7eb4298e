import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { severalKeysCases } from './several-keys-cases.ts';
import { severalKeysTables } from './several-keys-tables.ts';

const TITLE_LENGTH_MAX = 200;

describe('the least read units by indexes with several key attributes', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine(severalKeysTables());
  });
  after(() => engine.close());

  for (const [group, cases] of Object.entries(severalKeysCases))
    describe(group, () => {
      for (const { sql, units, requests, rows } of cases)
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
          const scanned = await engine.runScanning(sql);
          const inOrder = (rows: typeof answer.rows) =>
            sql.includes('ORDER BY') ? rows : rows.map((row) => JSON.stringify(row)).sort();
          expect(inOrder(answer.rows)).to.deep.equal(inOrder(scanned.rows));
          expect(units).to.be.at.most(scanned.readUnits);
        });
    });

  it('is shown with the values of each key attribute', async () => {
    const { text } = await engine.plan(
      `SELECT * FROM shop.matches WHERE cup IN ('c0', 'c1') AND region = 'r1' AND round = 3 AND bracket LIKE 'up%'`,
    );
    expect(text).to.contain(
      "key: (cup = 'c0' AND region = 'r1' AND round = 3 AND begins_with(bracket, 'up')), (cup = 'c1' AND region = 'r1' AND round = 3 AND begins_with(bracket, 'up'))",
    );
    expect(text).to.match(
      /why: partition key of index by-place bound by .*cup IN .*region = 'r1', sort key by .*round = 3 AND .*bracket LIKE 'up%'/,
    );
  });

  it('does not answer where a consistent read is asked for', async () => {
    const sql = `SELECT id FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round = 3 AND bracket = 'upper'`;
    await engine.aws.clear();
    const { rows } = await engine.run(sql, { consistentRead: true });
    expect((await engine.aws.requests()).map(({ operation }) => operation)).to.deep.equal(['Scan']);
    expect(rows).to.deep.equal((await engine.run(sql)).rows);
  });
});
