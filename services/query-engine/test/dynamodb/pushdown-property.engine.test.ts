import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { tupleText } from '../../src/dynamodb/access-path/key-value.ts';
import { chooseRead } from '../../src/dynamodb/choose-read.ts';
import { print } from './print-predicate.ts';
import type { ComparisonOperator, Expression } from '../../src/logical/expression.ts';
import type { TableRead } from '../../src/dynamodb/table-read.ts';
import { readContext, rowsOf, startTestAws, type TestAws } from './aws.ts';
import {
  and,
  between,
  catalogTable,
  cmp,
  index,
  inList,
  isNull,
  like,
  lit,
  not,
  or,
  scanColumn,
  tableScan,
} from './fixtures.ts';
import { budgetOf, SEED, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { seededRandom, type Random } from './random.ts';
import { passes, type Item } from './reference-evaluator.ts';

const QUERIES = budgetOf({ short: 100, long: 400 });
/** Whose paths are all taken after many more queries, at the latest, whatever the seed. */
const MORE_QUERIES_MAX = 4000;
const NAMES = ['pk', 'sk', 'a', 'm.x', 'l[1]', 'gs', 'gn'];
const CONSTANTS = [
  'x',
  'y',
  '1',
  '1.0',
  '01',
  ' 1',
  'true',
  'T',
  'yes',
  '{"x":1}',
  '[',
  '',
  'é',
  '😀',
  1,
  1.5,
  -3,
  0,
  100,
  true,
  false,
  null,
] as const;
const VALUES: readonly AttributeValue[] = [
  { S: 'x' }, { S: 'y' }, { S: '1' }, { S: '1.0' }, { S: ' 1' }, { S: '' }, { S: 'true' }, { S: 'é' }, { S: '\uffff' },
  { N: '1' }, { N: '1.5' }, { N: '-3' }, { N: '100' }, { BOOL: true }, { BOOL: false }, { NULL: true }, { B: Buffer.from('x') },
  { SS: ['x', '1'] }, { NS: ['1'] }, { M: { x: { N: '1' } } }, { L: [{ S: 'x' }] },
]; // oxfmt-ignore

const table = catalogTable('pk:S, sk:N', {
  tableName: 'mixed',
  indexes: [
    index('by-gs', 'gs:S'),
    index('by-gs-gn', 'gs:S, gn:N', { itemCount: 1000, sizeBytes: 400_000 }),
    index('by-gn', 'gn:N'),
  ],
});

function generatedItem(random: Random, number: number): Record<string, AttributeValue> {
  const item: Record<string, AttributeValue> = {
    pk: { S: random.pick(['x', 'y', '1', '1.0']) },
    sk: { N: String(number) },
  };
  if (random.chance(0.8)) item['a'] = random.pick(VALUES);
  if (random.chance(0.6))
    item['m'] = random.chance(0.7) ? { M: { x: random.pick(VALUES) } } : random.pick(VALUES);
  if (random.chance(0.6)) item['l'] = { L: [random.pick(VALUES), random.pick(VALUES)].slice(random.int(2)) };
  if (random.chance(0.5)) item['gs'] = { S: random.pick(['x', 'y', '1', 'é']) };
  if (random.chance(0.5)) item['gn'] = { N: random.pick(['1', '1.5', '100']) };
  return item;
}

function generatedPredicate(random: Random, depth: number): Expression {
  const more = () => Array.from({ length: 2 + random.int(2) }, () => generatedPredicate(random, depth - 1));
  if (depth > 0 && random.chance(0.45)) {
    if (random.chance(0.2)) return not(generatedPredicate(random, depth - 1));
    return random.chance(0.5) ? and(...more()) : or(...more());
  }
  const name = random.pick(NAMES);
  const constant = () => random.pick(CONSTANTS);
  const negated = random.chance(0.2);
  switch (random.int(12)) {
    case 0:
      return isNull(name, random.chance(0.6));
    case 1:
      return between(name, constant(), constant(), negated);
    case 2:
    case 3:
      return inList(name, Array.from({ length: 1 + random.int(4) }, constant), negated);
    case 4:
      return like(name, random.pick(['x%', '1%', '%', 'x', '_x%', '{%', 'tr%e']), negated);
    case 5: {
      const flipped = cmp(name, random.pick<ComparisonOperator>(['=', '<', '>=']), constant());
      return flipped.kind === 'Comparison'
        ? { ...flipped, left: flipped.right, right: flipped.left }
        : flipped;
    }
    case 6:
      return random.chance(0.1) ? lit(random.pick([true, false, null])) : cmp(name, '=', constant());
    default:
      return cmp(
        name,
        random.pick<ComparisonOperator>(['=', '=', '=', '<>', '<', '<=', '>', '>=']),
        constant(),
      );
  }
}

/** Ranges of the table's sort key, each in partitions of its own or all in the same. */
function generatedRanges(random: ReturnType<typeof seededRandom>): Expression {
  const partition = () =>
    random.chance(0.7) ? cmp('pk', '=', random.pick(['x', '1'])) : inList('pk', ['x', '1', 'nobody']);
  const range = () => {
    const from = random.int(100);
    return random.pick([
      cmp('sk', '=', from),
      cmp('sk', '<', from / 4),
      cmp('sk', '>=', from),
      between('sk', from, from + random.int(20)),
      and(cmp('sk', '>', from), cmp('sk', '<', from + random.int(20))),
      or(cmp('sk', '<', from / 3), cmp('sk', '>', 100 - from / 3)),
      inList('sk', [from, random.int(100)]),
    ]);
  };
  const ranges = () => or(range(), range());
  if (random.chance(0.3)) return or(and(partition(), range()), cmp('gs', '=', random.pick(['x', 'y', '1'])));
  return random.chance(0.5)
    ? and(partition(), ranges())
    : or(and(partition(), range()), and(partition(), ranges()), ...(random.chance(0.2) ? [partition()] : []));
}

function kindsOf({ path }: TableRead): readonly string[] {
  if (path.kind !== 'Query') return [path.kind];
  const partitions = new Set(path.ranges.map(({ partition }) => tupleText(partition)));
  const more = path.ranges.length > partitions.size ? ['Query of ranges'] : [];
  return ['Query', ...more, ...(path.merged ? ['Query merged'] : [])];
}

/** Whether a union may end before it has all that passes: one of its arms has to give no more rows than are wanted. */
const endsInAnArm = ({ path, stopAfter }: TableRead): boolean =>
  stopAfter === null && path.kind === 'IndexUnion' && path.arms.some((arm) => arm.stopAfter !== null);

const PATHS = [
  'Nothing',
  'GetItem',
  'BatchGetItem',
  'Query',
  'Scan',
  'Query of ranges',
  'Query merged',
  'IndexUnion',
];
const missing = (taken: ReadonlyMap<string, number>): boolean => PATHS.some((path) => !taken.has(path));

const sortKeyOf = (key: string): number => Number(key.slice(key.indexOf('/') + 1));

describe('pushdown', function () {
  this.timeout(120_000);
  let aws: TestAws;
  const random = seededRandom(SEED);
  const items = new Map<string, Item>();

  before(async () => {
    aws = await startTestAws();
    for (let i = 0; i < 120; i++) {
      const item = generatedItem(random, i % 100);
      items.set(`${item['pk']?.S}/${item['sk']?.N}`, item);
    }
    await aws.create(table, [...items.values()]);
  });
  after(() => aws.close());

  it(`returns every item that passes, once, on whatever path (${QUERIES} queries, ${SEED_SHOWN})`, async () => {
    const paths = new Map<string, number>();
    for (let query = 0; query < QUERIES || (missing(paths) && query < MORE_QUERIES_MAX); query++) {
      const filter = Array.from({ length: 1 + random.int(3) }, () => generatedPredicate(random, 2));
      // Whole keys are rare by chance alone.
      if (random.chance(0.1))
        filter.push(inList('pk', ['x', '1']), inList('sk', [random.int(100), random.int(100), 7]));
      if (random.chance(0.2)) filter.push(generatedRanges(random));
      const limitHint = random.chance(0.3) ? 1 + random.int(5) : null;
      const orderHint =
        limitHint !== null && random.chance(0.5)
          ? [{ column: scanColumn('sk'), descending: random.chance(0.5) }]
          : [];
      const scan = tableScan(table, NAMES, { filter, limitHint, orderHint });
      const read = chooseRead(scan, { consistent: random.chance(0.2), pushdown: true });
      const about = `${filter.map(print).join(' AND ')}: ${JSON.stringify(read.path)} ${read.filter?.text ?? ''}`;
      const found = (await rowsOf(read, readContext(aws.client))).map(([pk, sk]) => `${pk}/${sk}`);
      for (const kind of kindsOf(read)) paths.set(kind, (paths.get(kind) ?? 0) + 1);
      expect(new Set(found).size, about).to.equal(found.length);
      const passing = [...items].filter(([, item]) => passes(and(...filter), item)).map(([key]) => key);
      if (endsInAnArm(read)) {
        // Each arm gives as many rows as are wanted, or all that it has.
        const right = found.filter((key) => passing.includes(key));
        expect(right.length, about).to.be.at.least(Math.min(limitHint ?? Infinity, passing.length));
      } else if (read.stopAfter === null) {
        expect(found, about).to.include.members(passing);
      } else {
        // Nothing will check these again.
        expect(found, about).to.have.length(Math.min(read.stopAfter, passing.length));
        expect(passing, about).to.include.members(found);
        const [first] = orderHint;
        if (first !== undefined) {
          const sign = first.descending ? -1 : 1;
          const bySortKey = [...passing].sort((a, b) => sign * (sortKeyOf(a) - sortKeyOf(b))).map(sortKeyOf);
          expect(found.map(sortKeyOf), about).to.deep.equal(bySortKey.slice(0, read.stopAfter));
        }
      }
    }
    // The test is worth something only when every kind of path was taken.
    expect([...paths.keys()]).to.include.members(PATHS);
  });

  it('returns every item when it is off', async () => {
    const scan = tableScan(table, NAMES, {
      filter: [cmp('pk', '=', 'x')],
      orderHint: [{ column: scanColumn('sk'), descending: true }],
    });
    const rows = await rowsOf(
      chooseRead(scan, { consistent: false, pushdown: false }),
      readContext(aws.client),
    );
    expect(rows).to.have.length(items.size);
  });
});
