/** Conditions on keys as programs and people write them cost what the literal does, by the endpoint's log. */
import { expect } from 'chai';
import { oneOf } from '../../../../../common/test/support/random-budget.ts';
import { startTestEngine, type TestEngine } from '../../test-engine.ts';
import { writtenCases, type Written } from './cases.ts';
import { keyCases } from './key-cases.ts';
import { latestCases } from './latest-cases.ts';
import { SOURCES, writtenKeysTables, type Source } from './tables.ts';

/** What may be read besides: a tenth, and one unit for a range of another spelling. */
const TENTH = 1.1;
const UNITS_MORE = 1;

const NOW = Date.now();

interface Cost {
  readonly units: number;
  readonly rows: readonly string[];
}

const [text, parameters] = [
  (written: Written): string => (typeof written === 'string' ? written : written[0]),
  (written: Written): readonly unknown[] => (typeof written === 'string' ? [] : written.slice(1)),
];

const named = (condition: string, { partition, sort }: Omit<Source, 'name'>): string =>
  condition.replaceAll(/\{[pk]\}/g, (name) => (name === '{p}' ? partition : sort));

describe('the least read units of keys as they are written', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(120_000);
    engine = await startTestEngine(writtenKeysTables(NOW));
  });
  after(() => engine.close());

  const costOf = async (sql: string, given: readonly unknown[] = []): Promise<Cost> => {
    await engine.aws.clear();
    const { rows } = await engine.run(sql, { parameters: given });
    const requests = await engine.aws.requests();
    return {
      units: requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0),
      rows: rows.map((row) => JSON.stringify(row)).sort(),
    };
  };
  const known = new Map<string, Promise<Cost>>();
  /** Of what is written by hand, once. */
  const literalCost = (sql: string): Promise<Cost> => {
    const before = known.get(sql) ?? costOf(sql);
    known.set(sql, before);
    return before;
  };

  const compare = async (literals: readonly string[], sql: string, given: readonly unknown[] = []) => {
    const costs: Cost[] = [];
    for (const literal of literals) costs.push(await literalCost(literal));
    const units = costs.reduce((sum, cost) => sum + cost.units, 0);
    const rows = [...new Set(costs.flatMap((cost) => cost.rows))].sort();
    const cost = await costOf(sql, given);
    expect(cost.rows, sql).to.deep.equal(rows);
    expect(cost.units, `${sql}: units`).to.be.at.most(units * TENTH + UNITS_MORE);
  };

  for (const [group, cases] of Object.entries(writtenCases(NOW)))
    describe(group, () => {
      for (const { table, partition, literal, written } of cases)
        for (const [place, one] of written.entries())
          it(`${text(one)}, as ${literal}`, async () => {
            for (const source of oneOf(SOURCES, place)) {
              const [hand, other] = [literal, text(one)].map((condition) => {
                const bound = partition === '' ? '' : `${named(partition, source)} AND `;
                return `SELECT no FROM shop.${table} WHERE ${bound}${named(condition, source)}`;
              });
              await compare([hand!], other!, parameters(one));
            }
          });
    });

  for (const [group, { table, keys, literal, written }] of Object.entries(keyCases))
    describe(group, () => {
      for (const one of written)
        it(text(one), async () => {
          for (const key of keys) {
            const [hand, other] = [literal, text(one)].map(
              (condition) => `SELECT no FROM shop.${table} WHERE ${condition.replaceAll('{k}', () => key)}`,
            );
            await compare([hand!], other!, parameters(one));
          }
        });
    });

  describe('the latest of each partition', () => {
    for (const source of SOURCES)
      for (const { title, literals, sql } of latestCases(source))
        it(`${title}, over ${source.name}`, () => compare(literals, sql));
  });
});
