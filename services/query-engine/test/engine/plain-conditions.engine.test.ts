import { expect } from 'chai';
import { budgetOf, SEED, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { seededRandom, type Random } from '../dynamodb/random.ts';
import { things } from './odd-tables.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const CONDITIONS = budgetOf({ short: 25, long: 2_000, variable: 'PLAIN_CONDITIONS' });
/** Conditions that are computed by one statement. */
const TOGETHER = 5;

const TEXTS = ["'k1'", "'k2'", "'1'", "'07'", "'true'", "''"];
const NUMBERS = ['0', '1', '7', '-3', '1.5', '11'];
const OPERATORS = ['=', '=', '<>', '<', '<=', '>', '>=', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM'];

/** Over keys (`kind` of texts, `n` of numbers) and an attribute of texts and numbers that not all have. */
function randomCondition(random: Random): (depth: number) => string {
  const constant = (): string => random.pick([...TEXTS, ...NUMBERS, 'NULL']);
  const column = (): string => random.pick(['kind', 'n', 'few']);
  const fitting = (name: string): string =>
    name === 'kind' ? random.pick(TEXTS) : name === 'n' ? random.pick(NUMBERS) : constant();
  const atom = (): string => {
    const name = column();
    const own = (): string => fitting(name);
    const operand = random.pick([
      () => name,
      () => name,
      () => `COALESCE(${name}, ${own()})`,
      () => `COALESCE(${name}, few, ${own()})`,
      () => `NULLIF(${name}, ${own()})`,
      () => `IF(few > 3, ${name}, ${own()})`,
      () => `CASE WHEN n < 5 THEN ${own()} ELSE ${name} END`,
      () => `CASE ${name} WHEN ${own()} THEN ${own()} ELSE ${own()} END`,
    ])();
    return random.pick([
      () => `${operand} ${random.pick(OPERATORS)} ${own()}`,
      () => `${own()} ${random.pick(OPERATORS)} ${operand}`,
      () => `${operand} ${random.pick(['', 'NOT '])}IN (${own()}, ${own()})`,
      () => `${operand} ${random.pick(['', 'NOT '])}BETWEEN ${own()} AND ${own()}`,
      () => `${operand} IS ${random.pick(['', 'NOT '])}NULL`,
      () => `LIST_CONTAINS([${own()}, ${own()}], ${name})`,
      () => `(${operand}, n) ${random.pick(OPERATORS)} (${own()}, ${random.pick(NUMBERS)})`,
      () =>
        `(kind, n) ${random.pick(['', 'NOT '])}IN (('k1', 1), (${random.pick(TEXTS)}, ${random.pick(NUMBERS)}))`,
    ])();
  };
  const condition = (depth: number): string => {
    if (depth <= 0 || random.chance(0.2)) return `(${atom()})`;
    const inner = (): string => condition(depth - 1);
    const truth = (): string => random.pick(['TRUE', 'FALSE']);
    const made = random.pick([
      () => `NOT ${inner()}`,
      () => `${inner()} AND ${inner()}`,
      () => `${inner()} OR ${inner()}`,
      () => `${inner()} IS ${random.pick(['', 'NOT '])}${truth()}`,
      () => `${inner()} ${random.pick(['=', '<>', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM'])} ${truth()}`,
      () => `COALESCE(${inner()}, ${truth()})`,
      () => `CASE WHEN ${inner()} THEN ${truth()} ELSE ${truth()} END`,
      () => `CASE WHEN ${inner()} THEN ${truth()} WHEN ${inner()} THEN ${inner()} END`,
      () =>
        `CASE WHEN ${inner()} THEN 1 WHEN ${inner()} THEN 2 ELSE 3 END ${random.pick(['=', '<', '>='])} 2`,
      () => `IF(${inner()}, 'y', 'n') = 'y'`,
    ])();
    return `(${made})`;
  };
  return condition;
}

describe(`conditions about conditions, by chance (${SEED_SHOWN})`, () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([things()]);
  });
  after(() => engine.close());

  it('pass the rows for which they are true as values, which nothing is concluded from', async function () {
    // Each takes some 400 ms of CPU, and gets a fifth of a core beside busy loops and other lanes.
    this.timeout(CONDITIONS * 5_000);
    const condition = randomCondition(seededRandom(SEED));
    for (let done = 0; done < CONDITIONS; done += TOGETHER) {
      const wheres = Array.from({ length: Math.min(TOGETHER, CONDITIONS - done) }, () => condition(2));
      const values = wheres.map((where, i) => `${where} AS c${i}`).join(', ');
      const computed = await engine.run(`SELECT kind, n, ${values} FROM shop.things`, { maxRows: 1000 });
      const rows = computed.rows as readonly (readonly unknown[])[];
      for (const [i, where] of wheres.entries()) {
        const { rows: found } = await engine.run(`SELECT kind, n FROM shop.things WHERE ${where}`, {
          maxRows: 1000,
        });
        const shown = (all: readonly (readonly unknown[])[]): string[] =>
          all.map((row) => JSON.stringify(row.slice(0, 2))).sort();
        const passing = rows.filter((row) => row[i + 2] === true);
        expect(shown(found as readonly (readonly unknown[])[]), where).to.deep.equal(shown(passing));
      }
    }
  });
});
