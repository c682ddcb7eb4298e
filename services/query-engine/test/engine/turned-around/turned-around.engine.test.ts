/**
 * Generated conditions on keys, beside the same conditions on copies that are no key: same rows.
 *
 * Takes long: six hundred conditions, each planned by itself and computed twice, are twenty CPU seconds.
 */
import { expect } from 'chai';
import { budgetOf, SEED, SEED_SHOWN } from '../../../../common/test/support/random-budget.ts';
import { choiceFrom, type Choice } from '../choice.ts';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { conditionBy, familiesOf, type Family } from './families.ts';
import {
  filteredOutcome,
  inEachSchema,
  KEYED_BATCH,
  keyedOutcomes,
  keyedStatement,
  outcomeAlone,
  opaqueOutcomes,
  type Asked,
  type Outcome,
} from './outcomes.ts';
import { placesOf, sortedTable, tablesOf } from './tables.ts';

/** Of all kinds of keys together. */
const CONDITIONS = budgetOf({ short: 200, long: 50_000, variable: 'DIFFERENTIAL_QUERIES' });
/** So long a condition may take on a busy machine, on average, and the first of a host: milliseconds. */
const CONDITION_MS_MAX = 500;
const FIRST_MS_MAX = 60_000;
/** So many that differ are shown. */
const SHOWN_MAX = 20;
/** Of a family's conditions, so many may fail over the copy, since what is not read fails nothing; of few, some more by chance. */
const FAILING_SHARE_MAX = 0.25;
const failingMax = (count: number): number =>
  count * FAILING_SHARE_MAX + 4 * Math.sqrt(count * FAILING_SHARE_MAX * (1 - FAILING_SHARE_MAX));
/** Prints how often each row was written, and how often it read less than half of the partition; one statement a condition. */
const ROWS_SHOWN = process.env['ROWS_SHOWN'] === '1';
const BATCH = ROWS_SHOWN ? 1 : KEYED_BATCH;

/** What became of conditions. */
interface Tally {
  readonly differences: string[];
  conditions: number;
  /** Over the copy. */
  failing: number;
  /** What was read, and what reading the partition for each would have cost. */
  units: number;
  wholeUnits: number;
  /** By row: how many were written, and how many read less than half of the partition. */
  readonly rows: Map<string, { written: number; narrowed: number }>;
}

const rowsText = ({ name }: Family, { rows }: Tally): string =>
  [...rows]
    .filter(([row]) => !row.includes(' around '))
    .map(([row, { written, narrowed }]) => `${name}: ${row}: ${narrowed} of ${written}\n`)
    .sort()
    .join('');

/** What is wrong with an outcome beside that of the copy; null where it is right. */
function difference(keyed: Outcome, opaque: Outcome, { values }: Family): string | null {
  if ('error' in keyed) {
    if ('error' in opaque && keyed.error === opaque.error) return null;
    const copy = 'error' in opaque ? opaque.error : 'gives rows';
    return `fails with ${keyed.error} ${keyed.message}, the copy ${copy}`;
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
  const twice = keyed.rows.filter((row, at) => keyed.rows.indexOf(row) !== at);
  return twice.length === 0 ? null : 'has rows twice';
}

const OUT_OF_RANGE = /^Value out of range: Overflow in \w+ of HUGEINT/;
/** Significant digits that tell DOUBLEs apart. */
const DOUBLE_DIGITS_MAX = 17;
const digitsOf = (number: string): number =>
  number.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').length;

describe('conditions on keys and on copies of keys', () => {
  const families = familiesOf(Date.now());
  const shares = families.reduce((sum, { share }) => sum + share, 0);
  let engine: TestEngine;
  before(async function () {
    this.timeout(FIRST_MS_MAX);
    const tables = families.flatMap(tablesOf);
    engine = await startTestEngine(tables, { views: inEachSchema(tables) });
  });
  after(() => engine.close());

  /**
   * Whether each value that differs is in the rows of the key where it is in those of its copy alone. The type of numbers is
   * the one that holds all that are read: a DOUBLE beside some, exact beside others. A key is compared with all its digits,
   * a copy of so many as no DOUBLE holds without the last of them.
   */
  const isOfTypes = async (
    family: Family,
    asked: Asked,
    keyed: Outcome,
    opaque: Outcome,
  ): Promise<boolean> => {
    if (family.type !== 'N' || 'error' in keyed || 'error' in opaque) return false;
    const differing = family.values
      .keys()
      .filter((value) => keyed.rows.includes(value) !== opaque.rows.includes(value));
    for (const value of differing) {
      if (digitsOf(family.values[value] ?? '') > DOUBLE_DIGITS_MAX) continue;
      const alone = await outcomeAlone(engine, family, asked, value);
      if ('error' in alone || alone.rows.includes(value) !== keyed.rows.includes(value)) return false;
    }
    return true;
  };

  /** What is wrong with one condition, asked by itself. */
  const differenceOf = async (family: Family, asked: Asked): Promise<string | null> => {
    const [keyed] = await keyedOutcomes(engine, [asked]);
    const [opaque] = await opaqueOutcomes(engine, family, [asked]);
    const found = difference(keyed!, opaque!, family);
    if (found === null) return null;
    if (!('error' in keyed!)) return (await isOfTypes(family, asked, keyed!, opaque!)) ? null : found;
    // Whole numbers alone are exact, and may be too large; a copy that has others besides is multiplied as DOUBLEs.
    if (family.type === 'N' && OUT_OF_RANGE.test(keyed.message)) return null;
    return difference(keyed, await filteredOutcome(engine, family, asked), family);
  };

  /** Of the condition, or of the part that differs by itself; null where time made it differ, which goes on between statements. */
  const shrunk = async (family: Family, asked: Asked): Promise<string | null> => {
    for (const condition of asked.condition.parts) {
      const found = await shrunk(family, { ...asked, condition });
      if (found !== null) return found;
    }
    const what = await differenceOf(family, asked);
    if (what === null) return null;
    const { row, parameters } = asked.condition;
    const given = parameters.length === 0 ? '' : ` with ${JSON.stringify(parameters)}`;
    return `${row}: ${keyedStatement(asked)}${given}: ${what}`;
  };

  const compareBatch = async (choice: Choice, family: Family, whole: number, tally: Tally): Promise<void> => {
    const asked = Array.from({ length: BATCH }, (): Asked => {
      const place = choice.pick(placesOf(family));
      return { place, where: choice.pick(place.where), condition: conditionBy(choice, family) };
    });
    const opaque = await opaqueOutcomes(engine, family, asked);
    const keyed = await keyedOutcomes(engine, asked, (units, conditions) => {
      tally.units += units;
      tally.wholeUnits += conditions * whole;
      if (conditions > 1 || asked.length > 1) return;
      const { row } = asked[0]!.condition;
      const known = tally.rows.get(row) ?? { written: 0, narrowed: 0 };
      const narrowed = known.narrowed + (units < whole / 2 ? 1 : 0);
      tally.rows.set(row, { written: known.written + 1, narrowed });
    });
    tally.conditions += asked.length;
    for (const [i, one] of asked.entries()) {
      if ('error' in opaque[i]!) tally.failing++;
      if (difference(keyed[i]!, opaque[i]!, family) === null) continue;
      if (tally.differences.length >= SHOWN_MAX) continue;
      const shown = await shrunk(family, one);
      if (shown !== null) tally.differences.push(shown);
    }
  };

  for (const [number, family] of families.entries()) {
    const count = Math.ceil((CONDITIONS * family.share) / shares / BATCH) * BATCH;
    it(`give the same rows, of ${family.name} (${count}, ${SEED_SHOWN})`, async function () {
      this.timeout(FIRST_MS_MAX + count * CONDITION_MS_MAX);
      const everything = `SELECT count(pad) FROM shop.${sortedTable(family)} WHERE pk = 'p'`;
      const whole = (await engine.run(everything)).readUnits;
      const choice = choiceFrom(SEED + number);
      const tally: Tally = {
        differences: [],
        conditions: 0,
        failing: 0,
        units: 0,
        wholeUnits: 0,
        rows: new Map(),
      };
      while (tally.conditions < count) await compareBatch(choice, family, whole, tally);
      if (ROWS_SHOWN) process.stdout.write(rowsText(family, tally));
      expect(tally.differences, `${SEED_SHOWN}, ${family.name}`).to.deep.equal([]);
      expect(tally.failing, 'how many fail').to.be.at.most(failingMax(tally.conditions));
      expect(engine.disagreements).to.deep.equal([]);
    });
  }
});
