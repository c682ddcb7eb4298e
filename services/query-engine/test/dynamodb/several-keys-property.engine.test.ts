/** Reads of an index with several key attributes, by generated predicates, against all items. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { chooseRead } from '../../src/dynamodb/choose-read.ts';
import type { ComparisonOperator, Expression } from '../../src/logical/expression.ts';
import type { TableScan } from '../../src/logical/plan.ts';
import { readContext, rowsOf, startTestAws, type TestAws } from './aws.ts';
import { and, between, catalogTable, cmp, eq, index, inList, isNull, like, or, scanColumn, tableScan } from './fixtures.ts'; // oxfmt-ignore
import { print } from './print-predicate.ts';
import { budgetOf, SEED, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { seededRandom, type Random } from './random.ts';
import { passes, type Item } from './reference-evaluator.ts';

const QUERIES = budgetOf({ short: 50, long: 150 });
/** All depths come up after so many queries at the latest, whatever the seed. */
const MORE_QUERIES_MAX = 1500;
const DEPTHS = ['all', '0', '1', '2', '0 merged', '1 merged'];
const NAMES = ['id', 'cup', 'zone', 'round', 'bracket', 'slot', 'score'];
const SORT_KEYS = ['round', 'bracket', 'slot'];
const table = catalogTable('id:S', {
  tableName: 'matches',
  indexes: [
    index('by-place', 'cup:S & zone:N, round:N & bracket:S & slot:N'),
    index('by-cup', 'cup:S, zone:N & round:N'),
  ],
});

function generatedItem(random: Random, i: number): Item {
  const some = (name: string, value: AttributeValue): Item => (random.chance(0.05) ? {} : { [name]: value });
  return {
    id: { S: `m${i}` },
    ...some('cup', { S: random.pick(['w', 's']) }),
    ...some('zone', { N: String(random.int(2)) }),
    ...some('round', { N: random.pick(['1', '2', '10', '1.5']) }),
    ...some('bracket', { S: random.pick(['low', 'lower', 'up', 'é']) }),
    ...some('slot', { N: String(random.int(3)) }),
    score: { N: String(i % 7) },
  };
}

function generatedFilter(random: Random): readonly Expression[] {
  const operator = () => random.pick<ComparisonOperator>(['=', '=', '=', '<', '<=', '>', '>=']);
  const about: Readonly<Record<string, () => Expression>> = {
    round: () => random.pick([cmp('round', operator(), random.int(4)), between('round', 1, 2), inList('round', [1, 2, 10])]),
    bracket: () => random.pick([cmp('bracket', operator(), random.pick(['low', 'up'])), like('bracket', 'low%'), inList('bracket', ['low', 'up'])]),
    slot: () => random.pick([cmp('slot', operator(), random.int(3)), inList('slot', [0, 2])]),
  }; // oxfmt-ignore
  const some = (chance: number): readonly Expression[] =>
    SORT_KEYS.filter(() => random.chance(chance)).flatMap((name) => about[name]?.() ?? []);
  const partition = (): Expression =>
    random.pick([
      and(eq('cup', 'w'), eq('zone', random.int(2))),
      and(inList('cup', ['w', 's']), eq('zone', 1)),
      and(eq('cup', 's'), inList('zone', [0, 1])),
      or(and(eq('cup', 'w'), eq('zone', 0)), and(eq('cup', 's'), eq('zone', 1))),
    ]);
  const branch = () => and(partition(), ...some(0.7));
  const inBranches = random.chance(0.4) ? [or(branch(), branch())] : [partition(), ...some(0.6)];
  const score = random.chance(0.2) ? [cmp('score', '>', 2)] : [];
  return [...inBranches, ...score, ...SORT_KEYS.map((name) => isNull(name, true))];
}

function generatedOrder(random: Random): TableScan['orderHint'] {
  const names = random.pick([['round'], ['round', 'bracket'], ['round', 'bracket', 'slot'], ['bracket'], ['bracket', 'slot'], ['cup', 'zone', 'round']]); // oxfmt-ignore
  const descending = random.chance(0.5);
  return names.map((name) => ({ column: scanColumn(name), descending }));
}

/** In DynamoDB's order. */
function compare(a: AttributeValue | undefined, b: AttributeValue | undefined): number {
  if (a?.N !== undefined) return Number(a.N) - Number(b?.N);
  return Buffer.compare(Buffer.from(a?.S ?? ''), Buffer.from(b?.S ?? ''));
}

describe('pushdown by several key attributes', function () {
  this.timeout(120_000);
  let aws: TestAws;
  const random = seededRandom(SEED);
  const items = Array.from({ length: 200 }, (_, i) => generatedItem(random, i));

  before(async () => {
    aws = await startTestAws();
    await aws.create(table, items);
  });
  after(() => aws.close());

  it(`returns every item that passes, once, in order, by as many attributes as are bound (${QUERIES} queries, ${SEED_SHOWN})`, async () => {
    const depths = new Set<string>();
    const goesOn = (query: number): boolean =>
      query < QUERIES || (query < MORE_QUERIES_MAX && DEPTHS.some((depth) => !depths.has(depth)));
    for (let query = 0; goesOn(query); query++) {
      const filter = generatedFilter(random);
      const limitHint = random.chance(0.5) ? 1 + random.int(6) : null;
      const orderHint = limitHint !== null && random.chance(0.7) ? generatedOrder(random) : [];
      const read = chooseRead(tableScan(table, NAMES, { filter, limitHint, orderHint }), {
        consistent: false,
        pushdown: true,
      });
      const sql = `${filter.map(print).join(' AND ')} ORDER BY ${JSON.stringify(orderHint)} LIMIT ${limitHint}`;
      const about = `${sql}: ${JSON.stringify(read.path)}`;
      const found = (await rowsOf(read, readContext(aws.client))).map(([id]) => String(id));
      const passing = items.filter((item) => passes(and(...filter), item));
      const ids = passing.map(({ id }) => id?.S ?? '');
      expect(new Set(found).size, about).to.equal(found.length);
      if (read.path.kind === 'Query')
        for (const { sort } of read.path.ranges)
          depths.add(`${sort?.equals.length ?? 'all'}${read.path.merged ? ' merged' : ''}`);
      if (read.stopAfter === null) expect(found, about).to.include.members(ids);
      else {
        // A batch of merged partitions may hold more than is needed.
        expect(found.length, about).to.be.at.least(Math.min(read.stopAfter, ids.length));
        expect(ids, about).to.include.members(found);
      }
      if (read.stopAfter === null || orderHint.length === 0) continue;
      const byOrder = (a: Item, b: Item): number => {
        for (const { column, descending } of orderHint) {
          const order = compare(a[column.name], b[column.name]);
          if (order !== 0) return descending ? -order : order;
        }
        return 0;
      };
      const inOrder = passing.toSorted(byOrder).slice(0, read.stopAfter);
      const shown = (item: Item | undefined) => orderHint.map(({ column }) => item?.[column.name]);
      expect(
        found.slice(0, read.stopAfter).map((id) => shown(items.find((item) => item['id']?.S === id))),
        about,
      ).to.deep.equal(inOrder.map(shown));
    }
    expect([...depths]).to.include.members(DEPTHS);
  });

  it('reads on from page to page', async () => {
    const filter = [eq('cup', 'w'), eq('zone', 1), ...SORT_KEYS.map((name) => isNull(name, true))];
    const read = chooseRead(tableScan(table, NAMES, { filter }), { consistent: false, pushdown: true });
    const all = await rowsOf(read, readContext(aws.client));
    const paged = await rowsOf({ ...read, firstPageItems: 1 }, readContext(aws.client));
    expect(all.length).to.be.greaterThan(20);
    expect(paged).to.deep.equal(all);
  });
});
