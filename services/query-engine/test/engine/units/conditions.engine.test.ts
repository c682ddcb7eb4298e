import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { EVENTS, TICKETS, USERS, type ConditionCase } from './conditions-cases.ts';
import { unitTables } from './tables.ts';

describe('conditions about conditions', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine(unitTables());
  });
  after(() => engine.close());

  const reads = (table: string, columns: string, cases: readonly ConditionCase[]): void => {
    for (const { where, units, rows } of cases) {
      it(`read ${units} of ${table}: ${where}`, async () => {
        const sql = `SELECT ${columns} FROM shop.${table} WHERE ${where}`;
        await engine.aws.clear();
        const answer = await engine.run(sql, { maxRows: 1000 });
        const requests = await engine.aws.requests();
        const logged = requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
        expect({ logged, rows: answer.rows.length }).to.deep.equal({ logged: units, rows });
        const scanned = await engine.runScanning(sql, { maxRows: 1000 });
        const sorted = (all: readonly unknown[]): string[] => all.map((row) => JSON.stringify(row)).sort();
        expect(sorted(answer.rows)).to.deep.equal(sorted(scanned.rows));
      });
    }
  };

  reads('users', 'id, age', USERS);
  reads('events', 'device, tick, level', EVENTS);
  reads('tickets', 'id, title', TICKETS);
});
