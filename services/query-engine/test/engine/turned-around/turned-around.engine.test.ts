/**
 * Generated conditions on keys, beside the same conditions on copies that are no key: same rows.
 *
 * Takes long: two thousand statements, and the conditions of all of them once more by a few, are twenty CPU seconds.
 */
import { expect } from 'chai';
import { budgetOf, SEED, SEED_SHOWN } from '../../../../common/test/support/random-budget.ts';
import { choiceFrom, type Choice } from '../choice.ts';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { conditionBy, familiesOf, type Family } from './families.ts';
import { opaqueOutcomes, outcomeOf, type Asked, type Outcome } from './opaque.ts';
import { placesOf, sortedTable, tablesOf } from './tables.ts';

/** Of all kinds of keys together. */
const CONDITIONS = budgetOf({ short: 2000, long: 50_000, variable: 'DIFFERENTIAL_QUERIES' });
/** So many are asked of copies by one statement. */
const BATCH = 25;
/** So long a condition may take on a busy machine, on average, and the first of a host: milliseconds. */
const CONDITION_MS_MAX = 500;
const FIRST_MS_MAX = 60_000;
/** So many that differ are shown. */
const SHOWN_MAX = 20;
/** Of a family's conditions, so many may fail over the copy, since what is not read fails nothing. */
const FAILING_SHARE_MAX = 0.25;

/** Whether it is printed how often each row was written, and how often it read less than half of the partition. */
const ROWS_SHOWN = process.env['ROWS_SHOWN'] === '1';

/** What became of conditions. */
interface Tally {
  readonly differences: string[];
  conditions: number;
  /** That failed over all values, and over those that were read or none. */
  failing: number;
  /** By row: how many were written, and how many read less than the partition. */
  readonly rows: Map<string, { written: number; narrowed: number }>;
}

interface Keyed {
  readonly statement: string;
  readonly outcome: Outcome;
  readonly units: number;
}

const rowsText = ({ name }: Family, { rows }: Tally): string =>
  [...rows]
    .filter(([row]) => !row.includes(' around '))
    .map(([row, { written, narrowed }]) => `${name}: ${row}: ${narrowed} of ${written}\n`)
    .sort()
    .join('');

describe('conditions on keys and on copies of keys', () => {
  const families = familiesOf(Date.now());
  const shares = families.reduce((sum, { share }) => sum + share, 0);
  let engine: TestEngine;
  before(async function () {
    this.timeout(FIRST_MS_MAX);
    engine = await startTestEngine(families.flatMap(tablesOf));
  });
  after(() => engine.close());

  const runKeyed = async (choice: Choice, { condition, place }: Asked): Promise<Keyed> => {
    const statement = `SELECT i FROM shop.${place.table} WHERE ${choice.pick(place.where)} AND (${condition.text(place.names)})`;
    let units = 0;
    const outcome = await outcomeOf(async () => {
      const answer = await engine.run(statement, { parameters: condition.parameters });
      units = answer.readUnits;
      return answer.rows;
    });
    return { statement, outcome, units };
  };

  /** What is wrong with an outcome beside that of the copy; null where it is right. */
  const difference = (keyed: Outcome, opaque: Outcome, { values }: Family): string | null => {
    if ('error' in keyed) {
      if ('error' in opaque && keyed.error === opaque.error) return null;
      return `fails with ${keyed.error} ${keyed.message}, the copy ${'error' in opaque ? opaque.error : 'gives rows'}`;
    }
    // What fails over values that were not read says nothing of those that were.
    if ('error' in opaque) return null;
    const [missing, more] = [
      opaque.rows.filter((i) => !keyed.rows.includes(i)),
      keyed.rows.filter((i) => !opaque.rows.includes(i)),
    ];
    const shown = (numbers: readonly number[]): string =>
      numbers.map((i) => JSON.stringify(values[i])).join(', ');
    if (missing.length + more.length > 0) return `lacks ${shown(missing)}; has besides ${shown(more)}`;
    return keyed.rows.length === opaque.rows.length ? null : 'has rows twice';
  };

  /** The parts of a condition that differ by themselves; itself where none does. */
  const shrunk = async (choice: Choice, family: Family, asked: Asked): Promise<string> => {
    for (const part of asked.condition.parts) {
      const one = { ...asked, condition: part };
      const [keyed, [opaque]] = [await runKeyed(choice, one), await opaqueOutcomes(engine, family, [one])];
      const what = difference(keyed.outcome, opaque!, family);
      if (what !== null) return shrunk(choice, family, one);
    }
    const { statement, outcome } = await runKeyed(choice, asked);
    const [opaque] = await opaqueOutcomes(engine, family, [asked]);
    const { row, parameters } = asked.condition;
    const given = parameters.length === 0 ? '' : ` with ${JSON.stringify(parameters)}`;
    return `${row}: ${statement}${given}: ${difference(outcome, opaque!, family) ?? 'differs no more'}`;
  };

  const compareBatch = async (choice: Choice, family: Family, count: number, tally: Tally): Promise<void> => {
    const places = placesOf(family);
    const asked = Array.from({ length: count }, (): Asked => ({
      place: choice.pick(places),
      condition: conditionBy(choice, family),
    }));
    const opaque = await opaqueOutcomes(engine, family, asked);
    for (const [i, one] of asked.entries()) {
      const { outcome, units } = await runKeyed(choice, one);
      tally.conditions++;
      if ('error' in opaque[i]!) tally.failing++;
      else {
        const row = tally.rows.get(one.condition.row) ?? { written: 0, narrowed: 0 };
        row.written++;
        if (units < whole.get(family.name)! / 2) row.narrowed++;
        tally.rows.set(one.condition.row, row);
      }
      // Time goes on between two statements: what differs by that, does not differ again.
      if (difference(outcome, opaque[i]!, family) === null || tally.differences.length >= SHOWN_MAX) continue;
      const shown = await shrunk(choice, family, one);
      if (!shown.endsWith('differs no more')) tally.differences.push(shown);
    }
  };

  /** What it costs to read all of a family's partition. */
  const whole = new Map<string, number>();

  for (const [number, family] of families.entries()) {
    const count = Math.ceil((CONDITIONS * family.share) / shares);
    it(`give the same rows, of ${family.name} (${count}, ${SEED_SHOWN})`, async function () {
      this.timeout(FIRST_MS_MAX + count * CONDITION_MS_MAX);
      const everything = `SELECT count(pad) FROM shop.${sortedTable(family)} WHERE pk = 'p'`;
      whole.set(family.name, (await engine.run(everything)).readUnits);
      const choice = choiceFrom(SEED + number);
      const tally: Tally = { differences: [], conditions: 0, failing: 0, rows: new Map() };
      while (tally.conditions < count)
        await compareBatch(choice, family, Math.min(BATCH, count - tally.conditions), tally);
      expect(tally.differences, `${SEED_SHOWN}, ${family.name}`).to.deep.equal([]);
      expect(tally.failing / tally.conditions, 'share that fails').to.be.at.most(FAILING_SHARE_MAX);
      expect(engine.disagreements).to.deep.equal([]);
      if (ROWS_SHOWN) process.stdout.write(rowsText(family, tally));
    });
  }
});
