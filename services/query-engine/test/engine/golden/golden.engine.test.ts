import { readFile, readdir, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { customers, orders } from '../shop.ts';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { relatedTables } from '../units/related-tables.ts';
import { unitTables } from '../units/tables.ts';
import { parseGolden, printGolden } from './golden-file.ts';

const CASES = new URL('./cases/', import.meta.url);
/** Set to write the files anew: read their differences before committing them. */
const update = process.env['UPDATE_GOLDEN'] === '1';

/** What EXPLAIN has a line for. */
const OPERATORS = [
  'Limit', 'Sort', 'Aggregate', 'HashJoin', 'LookupJoin', 'NestedLoopJoin', 'Filter', 'Project', 'GetItem', 'BatchGetItem', 'Query',
  'IndexLookup', 'Scan', 'Nothing', 'Window', 'Distinct', 'Union', 'Intersect', 'Except', 'With', 'CteScan', 'Values', 'Subquery',
]; // oxfmt-ignore

describe('plans and rows', () => {
  let engine: TestEngine;
  const plans: string[] = [];
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine([...unitTables(), ...relatedTables(), customers(), orders()]);
  });
  after(() => engine.close());

  it('are those of the golden files (UPDATE_GOLDEN=1 writes them anew)', async function () {
    this.timeout(60_000);
    const files = (await readdir(CASES)).filter((file) => file.endsWith('.txt')).sort();
    expect(files.length).to.be.above(35);
    for (const file of files) {
      const written = await readFile(new URL(file, CASES), 'utf8');
      const golden = parseGolden(written);
      const { json, readUnits, warnings } = await engine.run(golden.sql, { maxRows: golden.maxRows });
      const { text, weight, certainReadUnits } = await engine.plan(golden.sql, { maxRows: golden.maxRows });
      const { low, high } = certainReadUnits;
      expect(readUnits, `read units of ${file}`).to.be.within(low, high);
      const printed = printGolden(golden, { json, readUnits, plan: text, weight, warnings });
      plans.push(text);
      if (update) await writeFile(new URL(file, CASES), printed);
      else expect(printed, file).to.equal(written);
    }
  });

  it('show every operator somewhere', () => {
    const all = plans.join('\n');
    expect(OPERATORS.filter((operator) => !new RegExp(`^\\s*${operator}\\b`, 'm').test(all))).to.deep.equal(
      [],
    );
  });
});
