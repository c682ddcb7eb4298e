import { expect } from 'chai';
import { chooseRead } from '../../src/dynamodb/choose-read.ts';
import type { TableRead } from '../../src/dynamodb/table-read.ts';
import type { Expression } from '../../src/logical/expression.ts';
import type { TableScan } from '../../src/logical/plan.ts';
import { and, attribute, between, catalogTable, cmp, col, eq, index, inList, isNull, like, lit, not, or, scanColumn, tableScan } from './fixtures.ts'; // oxfmt-ignore

const options = { consistent: false, pushdown: true };
const simple = catalogTable('id:S');
const composite = catalogTable('pk:S, sk:N');
const texts = catalogTable('pk:S, sk:S');

const read = (
  table: typeof simple,
  filter: Expression[],
  more: Partial<TableScan> = {},
  columns = ['id', 'pk', 'sk', 'status', 'total'],
) => chooseRead(tableScan(table, columns, { filter, ...more }), options);
/** The path in a line. */
function show({ path }: TableRead): string {
  const value = ({ type, value }: { type: string; value: string }) => `${type} ${value}`;
  switch (path.kind) {
    case 'Nothing':
      return 'Nothing';
    case 'GetItem':
    case 'BatchGetItem': {
      const keys = path.kind === 'GetItem' ? [path.key] : path.keys;
      return `${path.kind} ${keys.map(({ partition, sort }) => value(partition) + (sort === null ? '' : `/${value(sort)}`)).join(', ')}`;
    }
    case 'Query':
    case 'IndexLookup': {
      const ranges = path.ranges.map(({ partition, sort }) => {
        const bound = [partition, ...(sort === null || sort.equals.length === 0 ? [] : [sort.equals])]
          .map((values) => values.map(value).join('+'))
          .join('/');
        if (sort === null) return bound;
        const { last } = sort;
        return last.operator === 'BETWEEN'
          ? `${bound} BETWEEN ${value(last.low)} AND ${value(last.high)}`
          : `${bound} ${last.operator} ${value(last.value)}`;
      });
      const merged = path.kind === 'Query' && path.merged ? ' merged' : '';
      return `${path.kind}${path.index === null ? '' : ` ${path.index}`}${merged}${path.descending ? ' descending' : ''} ${ranges.join(', ')}`;
    }
    case 'IndexUnion':
      return `IndexUnion of ${path.arms.map(show).join('; ')}`;
    case 'Segments':
      return `Segments ${path.numbers.join(', ')}`;
    case 'Scan':
      return `Scan${path.index === null ? '' : ` ${path.index}`}`;
  }
}

describe('chooseRead: whole keys', () => {
  it('reads one item by its key', () => {
    const chosen = read(simple, [eq('id', 'a')]);
    expect(show(chosen)).to.equal('GetItem S a');
    expect(chosen.estimate).to.deep.equal({ rows: 1, units: 0.5, low: 0.5, high: 0.5 });
    expect(chosen.reason).to.equal("whole key bound by o.id = 'a'");
    expect(show(read(composite, [and(eq('pk', 'a'), eq('sk', 1.5))]))).to.equal('GetItem S a/N 1.5');
    expect(
      show(read(simple, [{ kind: 'Comparison', operator: '=', left: lit('a'), right: col('id') }])),
    ).to.equal('GetItem S a');
  });

  it('reads lists and their products, sorted and without duplicates', () => {
    expect(show(read(simple, [inList('id', ['b', 'a', 'b', null])]))).to.equal('BatchGetItem S a, S b');
    expect(show(read(simple, [or(eq('id', 'a'), inList('id', ['b', 'c']))]))).to.equal(
      'BatchGetItem S a, S b, S c',
    );
    expect(show(read(composite, [inList('pk', ['b', 'a']), inList('sk', [10, 9, 9.0])]))).to.equal(
      'BatchGetItem S a/N 9, S a/N 10, S b/N 9, S b/N 10',
    );
    expect(show(read(simple, [inList('id', ['a', 'b', 'c']), inList('id', ['c', 'b', 'd'])]))).to.equal(
      'BatchGetItem S b, S c',
    );
  });

  it('reads the keys of a long list of rows', () => {
    const rows: Expression = {
      kind: 'InList',
      operand: { kind: 'Row', values: [col('pk'), col('sk')] },
      values: Array.from({ length: 3000 }, (_, i) => ({
        kind: 'Row',
        values: [lit(`p${i % 7}`), i === 9 ? lit('no number') : lit(i)],
      })),
      negated: false,
    };
    const { path, estimate } = read({ ...composite, itemCount: 1e7, sizeBytes: 4e9 }, [rows]);
    expect(path.kind).to.equal('BatchGetItem');
    expect(estimate.units).to.equal(2999 / 2);
  });

  it('reads the keys of OR branches and of rows', () => {
    const pairs = or(and(eq('pk', 'a'), eq('sk', 1)), and(eq('pk', 'b'), eq('sk', 2)));
    expect(show(read(composite, [pairs]))).to.equal('BatchGetItem S a/N 1, S b/N 2');
    const rows: Expression = {
      kind: 'InList',
      operand: { kind: 'Row', values: [col('pk'), col('sk')] },
      values: [['a', 1] as const, ['b', 2] as const].map(([pk, sk]) => ({
        kind: 'Row',
        values: [lit(pk), lit(sk)],
      })),
      negated: false,
    };
    expect(show(read(composite, [rows]))).to.equal('BatchGetItem S a/N 1, S b/N 2');
    expect(show(read(composite, [or(and(eq('pk', 'a'), eq('sk', 1)), eq('status', 'x'))]))).to.equal('Scan');
  });

  it('keeps to the keys when few rows are needed of many', () => {
    const ids = inList('id', ['a', 'b', 'c', 'd']);
    expect(show(read(simple, [ids], { limitHint: 2 }))).to.equal('BatchGetItem S a, S b, S c, S d');
    const pairs = [inList('pk', ['a', 'b']), inList('sk', [1, 2])];
    expect(show(read(composite, pairs, { limitHint: 1 }))).to.match(/^BatchGetItem/);
  });

  it('leaves keys for a scan only when that is far cheaper', () => {
    const tiny = catalogTable('id:S', { itemCount: 10, sizeBytes: 1000 });
    const ids = (count: number) => Array.from({ length: count }, (_, i) => `id${i}`);
    expect(show(read(tiny, [inList('id', ids(4))]))).to.match(/^BatchGetItem/);
    expect(show(read(tiny, [inList('id', ids(50))]))).to.equal('Scan');
    expect(show(read(simple, [inList('id', ids(1000))]))).to.match(/^BatchGetItem/);
    expect(show(read(simple, [inList('id', ids(50_000))]))).to.equal('Scan');
    // 6250 units at least, where a scan costs 4883
    expect(show(read(simple, [inList('id', ids(12_500))]))).to.equal('Scan');
    expect(show(read(simple, [inList('id', ids(12_000))]))).to.match(/^BatchGetItem/);
  });
});

describe('chooseRead: tables that are not counted yet', () => {
  const keys = (count: number) =>
    inList(
      'id',
      Array.from({ length: count }, (_, i) => `k${i}`),
    );
  /** Fresh or imported: DynamoDB's counts follow after hours, and the sample was not at the end. */
  const uncounted = catalogTable('id:S', { itemCount: 0, sizeBytes: 256 * 100, sampledItems: 256 });

  it('are never scanned where whole keys are known', () => {
    for (const table of [
      uncounted,
      catalogTable('id:S', { itemCount: 0, sizeBytes: 0, sampledItems: 0 }),
      // What was empty a moment ago may have been filled since.
      catalogTable('id:S', { itemCount: 0, sizeBytes: 0, sampledItems: 0, foundEmpty: true }),
    ])
      for (const count of [200, 5000, 50_000])
        expect(read(table, [keys(count)]).path.kind, String(count)).to.equal('BatchGetItem');
  });

  it('are taken to be large', () => {
    const chosen = read(uncounted, []);
    expect(chosen.path.kind).to.equal('Scan');
    expect(chosen.estimate.units).to.be.greaterThan(10_000);
    expect(chosen.path).to.include({ segments: 1 });
  });

  it('are weighed by the bytes of what was sampled', () => {
    const large = catalogTable('id:S', { itemCount: 0, sizeBytes: 256 * 10_000, sampledItems: 256 });
    expect(read(large, [keys(200)]).estimate.units).to.equal(200 * 1.5);
  });

  it('are not mistaken for those of which only the bytes are not told', () => {
    const counted = catalogTable('id:S', { itemCount: 100, sizeBytes: 0, sampledItems: 0 });
    expect(read(counted, []).estimate.rows).to.equal(100);
  });
});

describe('chooseRead: scans', () => {
  it('have a segment for each 2 GB, whatever is said of smaller ones', () => {
    const segmentsOf = (sizeBytes: number) => {
      const { path } = read(catalogTable('id:S', { itemCount: 1_000_000, sizeBytes }), []);
      return path.kind === 'Scan' ? path.segments : null;
    };
    const GB = 2 ** 30;
    expect([GB / 4, 2 * GB, 2 * GB + 1, 9 * GB, 900 * GB].map(segmentsOf)).to.deep.equal([1, 1, 2, 5, 16]);
  });
});

describe('chooseRead: literals and key types', () => {
  it('takes a text that is a number for a number key, in any spelling', () => {
    const numbers = catalogTable('id:N');
    expect(show(read(numbers, [eq('id', '01.50')]))).to.equal('GetItem N 1.5');
    expect(show(read(numbers, [eq('id', 'abc')]))).to.equal('Nothing');
    expect(show(read(numbers, [eq('id', ' 1')]))).to.equal('Scan');
    expect(
      show(
        read(numbers, [
          { kind: 'Comparison', operator: '=', left: col('id'), right: { kind: 'Negate', operand: lit(5) } },
        ]),
      ),
    ).to.equal('GetItem N -5');
  });

  it('never takes a number for a text key: 1, 01 and 1.0 are three of them', () => {
    expect(show(read(simple, [eq('id', 1)]))).to.equal('Scan');
    expect(show(read(simple, [inList('id', ['a', 1])]))).to.equal('Scan');
  });

  it('pushes no number that DynamoDB would round', () => {
    const numbers = catalogTable('id:N');
    expect(show(read(numbers, [eq('id', BigInt('9'.repeat(39)))]))).to.equal('Scan');
    expect(show(read(numbers, [eq('id', BigInt('9'.repeat(38)))]))).to.equal(`GetItem N ${'9'.repeat(38)}`);
  });

  it('knows that no key is empty, or longer than DynamoDB allows', () => {
    expect(show(read(simple, [eq('id', '')]))).to.equal('Nothing');
    expect(show(read(simple, [inList('id', ['x'.repeat(2049), 'a'])]))).to.equal('GetItem S a');
    expect(show(read(texts, [eq('pk', 'a'), cmp('sk', '>=', '')]))).to.equal('Query S a');
  });
});

describe('chooseRead: Query', () => {
  it('reads a partition, or several', () => {
    expect(show(read(composite, [eq('pk', 'a')]))).to.equal('Query S a');
    expect(show(read(composite, [inList('pk', ['b', 'a'])]))).to.equal('Query S a, S b');
  });

  it('restricts the sort key by one condition', () => {
    const by = (...filter: Expression[]) => show(read(composite, [eq('pk', 'a'), ...filter]));
    expect(by(cmp('sk', '>', 5))).to.equal('Query S a > N 5');
    expect(by(cmp('sk', '>', 5), cmp('sk', '>=', 7))).to.equal('Query S a >= N 7');
    expect(by(cmp('sk', '>', 5), cmp('sk', '<', 9))).to.equal('Query S a BETWEEN N 5 AND N 9');
    expect(by(between('sk', 5, 9))).to.equal('Query S a BETWEEN N 5 AND N 9');
    expect(by(between('sk', 5, 9), cmp('sk', '>', 5))).to.equal('Query S a BETWEEN N 5 AND N 9');
    expect(by(not(cmp('sk', '<', 5)))).to.equal('Query S a >= N 5');
    expect(by(cmp('sk', '>', 9), cmp('sk', '<', 5))).to.equal('Nothing');
    expect(by(cmp('sk', '>', 5), cmp('sk', '<=', 5))).to.equal('Nothing');
    expect(by(cmp('sk', '<>', 5))).to.equal('Query S a');
    expect(by(cmp('sk', '>', '5'))).to.equal('Query S a');
  });

  it('takes a LIKE with a fixed beginning as begins_with', () => {
    const by = (...filter: Expression[]) => show(read(texts, [eq('pk', 'a'), ...filter]));
    expect(by(like('sk', '2024-%'))).to.equal('Query S a begins_with S 2024-');
    expect(by(like('sk', '2024-_1%'))).to.equal('Query S a begins_with S 2024-');
    expect(by(like('sk', '%x'))).to.equal('Query S a');
    expect(by(like('sk', 'x%', true))).to.equal('Query S a');
    expect(
      by({ ...(like('sk', 'X%') as Extract<Expression, { kind: 'Like' }>), caseInsensitive: true }),
    ).to.equal('Query S a');
  });

  it('does not bind a partition by what leaves others open', () => {
    for (const filter of [
      cmp('pk', '>', 'a'),
      or(eq('pk', 'a'), eq('status', 'x')),
      not(eq('pk', 'a')),
      like('pk', 'a%'),
      isNull('pk', true),
    ])
      expect(show(read(composite, [filter]))).to.equal('Scan');
  });

  it('reads backwards where that is the wanted order', () => {
    const wanted = (descending: boolean, ...names: string[]) => ({
      orderHint: names.map((name) => ({ column: scanColumn(name), descending })),
      limitHint: 10,
    });
    const down = read(composite, [eq('pk', 'a')], wanted(true, 'sk'));
    expect([show(down), down.ordered, down.stopAfter, down.pageLimit]).to.deep.equal([
      'Query descending S a',
      true,
      10,
      10,
    ]);
    const two = read(composite, [inList('pk', ['a', 'b'])], wanted(true, 'pk', 'sk'));
    expect([show(two), two.ordered]).to.deep.equal(['Query descending S b, S a', true]);
    const other = read(composite, [eq('pk', 'a')], wanted(false, 'status'));
    expect([other.ordered, other.stopAfter]).to.deep.equal([false, null]);
  });
});

describe('chooseRead: ranges', () => {
  const by = (...filter: Expression[]) => show(read(composite, filter));

  it('reads each part of a partition by itself, where what lies between is larger', () => {
    expect(by(eq('pk', 'a'), or(cmp('sk', '<', 5), cmp('sk', '>', 90)))).to.equal(
      'Query S a < N 5, S a > N 90',
    );
    expect(by(eq('pk', 'a'), or(between('sk', 1, 3), between('sk', 7, 9), cmp('sk', '>=', 20)))).to.equal(
      'Query S a BETWEEN N 1 AND N 3, S a BETWEEN N 7 AND N 9, S a >= N 20',
    );
  });

  it('unites what overlaps or touches', () => {
    expect(by(eq('pk', 'a'), or(cmp('sk', '<', 5), cmp('sk', '<=', 7)))).to.equal('Query S a <= N 7');
    expect(by(eq('pk', 'a'), or(cmp('sk', '<', 5), cmp('sk', '>=', 5)))).to.equal('Query S a');
    expect(by(eq('pk', 'a'), or(between('sk', 1, 5), between('sk', 5, 9)))).to.equal(
      'Query S a BETWEEN N 1 AND N 9',
    );
  });

  it('cuts what the conjuncts have in common', () => {
    const ends = or(cmp('sk', '<', 5), cmp('sk', '>', 90));
    expect(by(eq('pk', 'a'), ends, cmp('sk', '>', 1))).to.equal('Query S a BETWEEN N 1 AND N 5, S a > N 90');
    expect(by(eq('pk', 'a'), ends, between('sk', 10, 20))).to.equal('Nothing');
    expect(by(inList('pk', ['a', 'b']), ends)).to.equal('Query S a < N 5, S a > N 90, S b < N 5, S b > N 90');
  });

  it('reads on over a gap where hardly any key is, and leaves out what lies in one', () => {
    const gap = (low: number, high: number): Expression => ({
      kind: 'Or',
      operands: [cmp('sk', '<', low), cmp('sk', '>=', high)],
      isGap: true,
    });
    const [a, since] = [eq('pk', 'a'), cmp('sk', '>=', 10)];
    expect(by(a, since, gap(20, 21), gap(30, 31))).to.equal('Query S a >= N 10');
    expect(by(a, gap(8, 12), since)).to.equal('Query S a >= N 12');
    const until = or(cmp('sk', '<', 15), between('sk', 20, 21), between('sk', 30, 31));
    expect(by(gap(20, 22), a, until, gap(29, 32), since)).to.equal('Query S a BETWEEN N 10 AND N 15');
    const other = and(eq('pk', 'b'), gap(29, 32), and(since, gap(20, 22)), until);
    expect(by(or(and(a, gap(20, 21), since), other))).to.equal(
      'Query S a >= N 10, S b BETWEEN N 10 AND N 15',
    );
  });

  it('takes from each branch what it binds', () => {
    const branches = or(and(eq('pk', 'a'), cmp('sk', '<', 5)), and(eq('pk', 'b'), eq('sk', 7)));
    expect(by(branches)).to.equal('Query S a < N 5, S b = N 7');
    expect(by(branches, cmp('sk', '>', 6))).to.equal('Query S b = N 7');
    expect(by(or(and(eq('pk', 'b'), cmp('sk', '>', 5)), eq('pk', 'a')))).to.equal('Query S a, S b > N 5');
    expect(by(or(and(eq('pk', 'a'), cmp('sk', '<', 5)), and(eq('pk', 'a'), cmp('sk', '<', 9))))).to.equal(
      'Query S a < N 9',
    );
    expect(by(or(and(eq('pk', 'a'), cmp('sk', '<', 5)), eq('status', 'x')))).to.equal('Scan');
  });

  it('counts on the rows only where nothing else is asked of them', () => {
    const stop = (...filter: Expression[]) => read(composite, filter, { limitHint: 3 }).stopAfter;
    expect(stop(eq('pk', 'a'), or(cmp('sk', '<', 5), cmp('sk', '>', 90)))).to.equal(3);
    expect(stop(or(and(eq('pk', 'a'), cmp('sk', '<', 5)), and(eq('pk', 'b'), eq('sk', 7))))).to.equal(3);
    expect(stop(eq('pk', 'a'), cmp('sk', '>=', 5), cmp('sk', '<=', 9))).to.equal(3);
    // BETWEEN reads the ends along.
    expect(stop(eq('pk', 'a'), cmp('sk', '>', 5), cmp('sk', '<', 9))).to.equal(null);
    expect(stop(or(and(eq('pk', 'a'), cmp('sk', '<', 5)), and(eq('pk', 'b'), eq('status', 'x'))))).to.equal(
      null,
    );
  });

  it('knows texts that begin alike as a range, which others narrow', () => {
    const texted = (...filter: Expression[]) => show(read(texts, [eq('pk', 'a'), ...filter]));
    expect(texted(like('sk', '03:%'), cmp('sk', '>=', '03:05'))).to.equal(
      'Query S a BETWEEN S 03:05 AND S 03;',
    );
    expect(texted(like('sk', 'a%'), like('sk', 'ab%'))).to.equal('Query S a begins_with S ab');
    expect(texted(like('sk', 'a%'), like('sk', 'b%'))).to.equal('Nothing');
    expect(texted(cmp('sk', '>=', 'ab'), cmp('sk', '<', 'ac'))).to.equal('Query S a begins_with S ab');
    expect(texted(or(like('sk', 'a%'), like('sk', 'c%')))).to.equal(
      'Query S a begins_with S a, S a begins_with S c',
    );
    expect(texted(or(like('sk', 'a%'), like('sk', 'b%')))).to.equal('Query S a BETWEEN S a AND S c');
    // Nothing lies above the last of all characters.
    expect(texted(like('sk', '\u{10ffff}%'))).to.equal('Query S a begins_with S \u{10ffff}');
    expect(texted(like('sk', '\ud7ff%'), cmp('sk', '>', '\ud7ffa'))).to.equal(
      'Query S a BETWEEN S \ud7ffa AND S \ue000',
    );
  });

  it('reads what lies between the keys of a list along where that costs less', () => {
    const table = (items: number) =>
      catalogTable('id:S', {
        attributes: [attribute('status', { S: 100 }, 2), attribute('total', { N: 100 }, 20)],
        sampledItems: 100,
        indexes: [index('by-status', 'status:S, total:N', { itemCount: items, sizeBytes: items * 400 })],
      });
    const listed = [eq('status', 'x'), inList('total', [1, 2, 3, 9])];
    expect(show(read(table(100_000), listed, {}, ['id', 'status', 'total']))).to.equal(
      'Query by-status S x = N 1, S x = N 2, S x = N 3, S x = N 9',
    );
    expect(show(read(table(40), listed, {}, ['id', 'status', 'total']))).to.equal(
      'Query by-status S x BETWEEN N 1 AND N 9',
    );
  });

  it('knows an equality however it is written', () => {
    const whole = 'GetItem S a/S abc';
    const texted = (filter: Expression) => show(read(texts, [eq('pk', 'a'), filter]));
    expect(texted(like('sk', 'abc'))).to.equal(whole);
    expect(texted(between('sk', 'abc', 'abc'))).to.equal(whole);
    expect(texted(and(cmp('sk', '<=', 'abc'), cmp('sk', '>=', 'abc')))).to.equal(whole);
    expect(texted(inList('sk', ['abc']))).to.equal(whole);
    const escaped = { ...like('sk', 'a!_b'), escape: lit('!') } as Expression;
    expect(texted(escaped)).to.equal('GetItem S a/S a_b');
    const prefix = { ...like('sk', 'a!_b%'), escape: lit('!') } as Expression;
    expect(texted(prefix)).to.equal('Query S a begins_with S a_b');
    expect(by(between('pk', 'a', 'a'), between('sk', 5, 5.0))).to.equal('GetItem S a/N 5');
    expect(by(eq('pk', 'a'), between('sk', 5, '5'))).to.equal('Query S a >= N 5');
  });
});

describe('chooseRead: an OR of keys', () => {
  const table = catalogTable('id:S', {
    attributes: [attribute('status', { S: 200 }, 180), attribute('customer', { S: 200 }, 180)],
    sampledItems: 200,
    indexes: [
      index('by-status', 'status:S', { itemCount: 100_000, sizeBytes: 40_000_000 }),
      index('by-customer', 'customer:S, day:N', { itemCount: 100_000, sizeBytes: 40_000_000 }),
    ],
  });
  const columns = ['id', 'status', 'customer', 'day', 'total'];
  const by = (...filter: Expression[]) => show(read(table, filter, {}, columns));

  it('reads each branch by its own', () => {
    const chosen = read(table, [or(eq('id', 'a'), eq('status', 'x'))], {}, columns);
    expect(show(chosen)).to.equal('IndexUnion of GetItem S a; Query by-status S x');
    expect(chosen.filter).to.equal(null);
    expect(by(or(and(eq('customer', 'c'), cmp('day', '>', 5)), eq('status', 'x')))).to.equal(
      'IndexUnion of Query by-customer S c > N 5; Query by-status S x',
    );
  });

  it('tells the arms what is asked besides', () => {
    const { path } = read(table, [or(eq('id', 'a'), eq('status', 'x')), eq('total', 5)], {}, columns);
    const filters = path.kind === 'IndexUnion' ? path.arms.map(({ filter }) => filter !== null) : [];
    expect(filters).to.deep.equal([false, true]);
  });

  it('does not where a branch binds no key, or might find what its index lacks', () => {
    expect(by(or(eq('id', 'a'), eq('total', 5)))).to.equal('Scan');
    expect(by(or(eq('id', 'a'), eq('customer', 'c')))).to.equal('Scan');
    expect(by(or(eq('id', 'a'), isNull('status')))).to.equal('Scan');
  });

  it('leaves out branches that contradict the rest', () => {
    expect(by(or(eq('id', 'a'), eq('status', 'x'), and(eq('total', 1), eq('total', 2))))).to.equal(
      'IndexUnion of GetItem S a; Query by-status S x',
    );
  });

  it('stops early where every arm is sure of its rows', () => {
    const stop = (...filter: Expression[]) => read(table, filter, { limitHint: 3 }, columns).stopAfter;
    expect(stop(or(eq('id', 'a'), eq('status', 'x')))).to.equal(3);
    expect(stop(or(eq('id', 'a'), eq('status', 'x')), eq('total', 5))).to.equal(null);
  });
});

describe('chooseRead: partitions side by side', () => {
  const wanted = (descending: boolean, ...names: string[]) => ({
    orderHint: names.map((name) => ({ column: scanColumn(name), descending })),
    limitHint: 10,
  });
  const two = [inList('pk', ['a', 'b'])];

  it('are merged where the order by sort key is wanted', () => {
    const chosen = read(composite, two, wanted(true, 'sk'));
    expect([show(chosen), chosen.ordered, chosen.stopAfter, chosen.pageLimit]).to.deep.equal([
      'Query merged descending S b, S a',
      true,
      10,
      10,
    ]);
    expect(show(read(composite, two, wanted(false, 'sk', 'pk', 'total')))).to.equal('Query merged S a, S b');
  });

  it('are not where the order goes on otherwise, or all rows are wanted', () => {
    expect(read(composite, two, wanted(false, 'sk', 'total')).ordered).to.equal(false);
    const mixed = [
      { column: scanColumn('sk'), descending: false },
      { column: scanColumn('pk'), descending: true },
    ];
    expect(read(composite, two, { orderHint: mixed, limitHint: 10 }).ordered).to.equal(false);
    expect(read(composite, two, { ...wanted(false, 'sk'), limitHint: null }).ordered).to.equal(false);
    const many = inList(
      'pk',
      Array.from({ length: 101 }, (_, i) => `p${i}`),
    );
    expect(read(composite, [many], wanted(false, 'sk')).ordered).to.equal(false);
  });

  it('ask for the sort key, which the merging needs', () => {
    const { projection } = read(composite, two, wanted(false, 'sk'), ['pk', 'sk']);
    expect(Object.values(projection?.names ?? {})).to.deep.equal(['pk', 'sk']);
  });
});

describe('chooseRead: indexes', () => {
  const byStatus = index('by-status', 'status:S');
  const byStatusAndTotal = index('by-status-total', 'status:S, total:N');

  it('queries an index whose partition key is bound', () => {
    const table = catalogTable('id:S', { indexes: [byStatus] });
    const chosen = read(table, [eq('status', 'open')], {}, ['id', 'status']);
    expect(show(chosen)).to.equal('Query by-status S open');
    expect(chosen.reason).to.equal("partition key of index by-status bound by o.status = 'open'");
    expect(show(read(table, [isNull('status')], {}, ['id', 'status']))).to.equal('Scan');
    expect(show(read(table, [or(eq('status', 'open'), eq('total', 5))]))).to.equal('Scan');
  });

  it('does not when items that match could lack the index sort key', () => {
    const table = catalogTable('id:S', { indexes: [byStatusAndTotal] });
    expect(show(read(table, [eq('status', 'open')]))).to.equal('Scan');
    const orOther = or(cmp('total', '>', 5), cmp('id', '>', 'x'));
    expect(show(read(table, [eq('status', 'open'), orOther]))).to.equal('Scan');
    expect(show(read(table, [eq('status', 'open'), isNull('total', true)]))).to.equal(
      'Query by-status-total S open',
    );
    expect(show(read(table, [eq('status', 'open'), cmp('total', '>', 5)]))).to.equal(
      'Query by-status-total S open > N 5',
    );
    expect(show(read(table, [eq('status', 'open'), cmp('total', '<>', 5)]))).to.equal(
      'Query by-status-total S open',
    );
    const local = catalogTable('pk:S, sk:N', {
      indexes: [index('by-total', 'pk:S, total:N', { global: false })],
    });
    expect(show(read(local, [eq('pk', 'a'), between('total', 1, 2)]))).to.equal(
      'Query by-total S a BETWEEN N 1 AND N 2',
    );
    expect(show(read(local, [eq('pk', 'a')]))).to.equal('Query S a');
  });

  it('does not when the index lacks a wanted attribute, or a consistent read is asked of a global one', () => {
    const indexes = [{ ...byStatus, projection: 'KEYS_ONLY' as const }];
    const keys = catalogTable('id:S', { indexes, sampledItems: 100 });
    expect(show(read(keys, [eq('status', 'open')], {}, ['id', 'status']))).to.equal('Query by-status S open');
    expect(show(read(keys, [eq('status', 'open')], {}, ['id', 'total.x', 'status']))).to.equal('Scan');
    const some = catalogTable('id:S', {
      indexes: [{ ...byStatus, projection: 'INCLUDE', nonKeyAttributes: ['total'] }],
    });
    expect(show(read(some, [eq('status', 'open')], {}, ['total.x', 'status']))).to.equal(
      'Query by-status S open',
    );
    const table = catalogTable('id:S', { indexes: [byStatus] });
    const scan = tableScan(table, ['id', 'status'], { filter: [eq('status', 'open')] });
    expect(show(chooseRead(scan, { consistent: true, pushdown: true }))).to.equal('Scan');
  });

  it('reads an index that may lack items only by comparisons that leave out what no key can be', () => {
    const total = index('by-status-total', 'status:S, total:N', { coverage: 'assumed' });
    const table = catalogTable('id:S', { indexes: [total] });
    const open = eq('status', 'open');
    const of = (...filter: Expression[]) => read(table, filter);
    expect(show(of(open, cmp('total', '>', 5)))).to.equal('Query by-status-total S open > N 5');
    expect(show(of(open, inList('total', [5, 6])))).to.match(/^Query by-status-total/);
    expect(show(of(open, between('total', 5, 6)))).to.match(/^Query by-status-total/);
    expect(of(open, cmp('total', '>', 5)).assumption).to.equal(
      'every status is a text of 1 to 2048 bytes, every total is a number; those met so far are',
    );
    for (const left of [
      isNull('total', true),
      cmp('total', '<>', 5),
      eq('total', '07'),
      inList('total', [5, '6']),
      inList('total', [5], true),
      between('total', 5, 6, true),
    ])
      expect(show(of(open, left)), JSON.stringify(left)).to.equal('Scan');
    expect(of(open, isNull('total', true)).warnings).to.deep.equal([
      'shop.orders is scanned, about 4883 read units: index by-status-total cannot serve the query, since it may lack ' +
        'items whose total is not a number: leave them out by a comparison, such as total > 0',
    ]);
    const complete = catalogTable('id:S', { indexes: [{ ...total, coverage: 'complete' }] });
    const all = read(complete, [open, isNull('total', true)]);
    expect([show(all), all.assumption]).to.deep.equal(['Query by-status-total S open', null]);
  });

  it('reads an index that may lack items by texts that are keys, and by ranges that leave empty ones out', () => {
    const day = index('by-status-day', 'status:S, day:S', { coverage: 'assumed' });
    const table = catalogTable('id:S', { indexes: [day] });
    const of = (...filter: Expression[]) => read(table, filter, {}, ['id', 'status', 'day']);
    const open = eq('status', 'open');
    expect(show(of(open, eq('day', 'x')))).to.equal('Query by-status-day S open = S x');
    expect(show(of(open, like('day', '2024-%')))).to.equal('Query by-status-day S open begins_with S 2024-');
    expect(show(of(open, cmp('day', '>', '')))).to.equal('Query by-status-day S open');
    expect(show(of(open, between('day', 'a', 'b')))).to.match(/^Query by-status-day/);
    for (const left of [
      cmp('day', '<', 'b'),
      eq('day', ''),
      cmp('day', '>=', ''),
      inList('day', ['a', 'x'.repeat(1025)]),
    ])
      expect(show(of(open, left)), JSON.stringify(left)).to.equal('Scan');
    // Up to 2048 bytes are a partition key.
    expect(show(of(eq('status', 'x'.repeat(1025)), eq('day', 'x')))).to.match(/^Query by-status-day/);
    expect(show(of(eq('status', 'x'.repeat(2049)), eq('day', 'x')))).to.equal('Scan');
  });

  it('reads an index that lacks items only by what nothing but its keys can equal', () => {
    const total = index('by-status-total', 'status:S, total:N', { coverage: 'lacking' });
    const status = { ...byStatus, coverage: 'lacking' as const };
    const table = catalogTable('id:S', { indexes: [total, status] });
    const chosen = read(table, [eq('status', 'not open'), cmp('total', '>', 5)]);
    expect([show(chosen), chosen.assumption]).to.deep.equal(['Query by-status S not open', null]);
    // Bytes may have this base64.
    expect(show(read(table, [eq('status', 'open'), cmp('total', '>', 5)]))).to.equal('Scan');
    expect(read(table, [eq('status', 'open')], {}, ['id', 'status']).warnings[0]).to.match(
      /index by-status-total cannot serve the query, since items without total/,
    );
  });

  it('takes an index whose key was met with another type for one that lacks items', () => {
    const total = index('by-total', 'total:N', { coverage: 'assumed' });
    const of = (types: Parameters<typeof attribute>[1]) =>
      show(
        read(catalogTable('id:S', { indexes: [total], attributes: [attribute('total', types)] }), [
          eq('total', 7),
        ]),
      );
    expect(of({ N: 200, NULL: 3 })).to.equal('Query by-total N 7');
    expect(of({ N: 0, S: 0 })).to.equal('Query by-total N 7');
    expect(of({ N: 200, S: 1 })).to.equal('Scan');
  });

  it('asks of the table’s own key, as part of an index, only that it is not too long', () => {
    const byStatusAndId = index('by-status-id', 'status:S, id:S', { coverage: 'assumed' });
    const chosen = read(catalogTable('id:S', { indexes: [byStatusAndId] }), [eq('status', 'not open')]);
    expect(show(chosen)).to.equal('Query by-status-id S not open');
    expect(chosen.assumption).to.equal('every id is a text of 1 to 1024 bytes; those met so far are');
    const lacking = { ...byStatusAndId, coverage: 'lacking' as const };
    expect(show(read(catalogTable('id:S', { indexes: [lacking] }), [eq('status', 'not open')]))).to.equal(
      'Scan',
    );
    // A number never is, nor is a text a sort key already.
    const byNumber = index('by-status-sk', 'status:S, sk:N', { coverage: 'lacking' });
    const table = catalogTable('pk:S, sk:N', { indexes: [byNumber] });
    expect(show(read(table, [eq('status', 'not open')]))).to.equal('Query by-status-sk S not open');
  });

  it('scans a sparse index where the predicates leave only what it holds', () => {
    const sparse = { ...byStatus, itemCount: 100, sizeBytes: 40_000 };
    const table = catalogTable('id:S', { indexes: [sparse] });
    const chosen = read(table, [isNull('status', true)], {}, ['id', 'status']);
    expect([show(chosen), chosen.filter, chosen.estimate.units]).to.deep.equal(['Scan by-status', null, 5]);
    expect(show(read(table, [cmp('status', '>', 'a')], {}, ['id', 'status']))).to.equal('Scan by-status');
    expect(show(read(table, [cmp('total', '>', 5)], {}, ['id', 'total']))).to.equal('Scan');
    expect(show(read(table, [], {}, ['id']))).to.equal('Scan');
  });

  it('says of a large scan which index would help, or why the one there is does not', () => {
    expect(read(simple, [eq('status', 'open')]).warnings).to.deep.equal([
      'shop.orders is scanned, about 4883 read units: a global secondary index with the partition key status would help',
    ]);
    const table = catalogTable('id:S', { indexes: [byStatusAndTotal] });
    expect(read(table, [eq('status', 'open')]).warnings).to.deep.equal([
      'shop.orders is scanned, about 4883 read units: index by-status-total cannot serve the query, since items without total are not in it',
    ]);
    expect(
      read(catalogTable('id:S', { itemCount: 10, sizeBytes: 1000 }), [eq('status', 'open')]).warnings,
    ).to.deep.equal([]);
    expect(read(simple, []).warnings).to.deep.equal([]);
    expect(read(simple, [eq('id', 5), eq('status', 'open')]).warnings).to.deep.equal([
      'shop.orders is scanned, about 4883 read units: its partition key id holds texts, and is compared with others',
    ]);
    expect(read(table, [or(eq('id', 'a'), eq('total', 5))]).warnings).to.deep.equal([
      'shop.orders is scanned, about 4883 read units: a global secondary index with the partition key total would help',
    ]);
    expect(read(simple, [or(eq('status', 'a'), eq('total', 5))]).warnings).to.deep.equal([
      'shop.orders is scanned, about 4883 read units: a global secondary index with the partition key status, and another with total would help',
    ]);
    expect(read(simple, [or(eq('status', 'a'), cmp('total', '>', 5))]).warnings).to.deep.equal([]);
    // Nobody needs an index where the keys are so many that the scan is the better read.
    const ids = Array.from({ length: 50_000 }, (_, i) => `id${i}`);
    expect(read(simple, [inList('id', ids)]).warnings).to.deep.equal([]);
  });
});

describe('chooseRead: nothing to read', () => {
  it('sees contradictions', () => {
    const filters: Expression[][] = [
      [eq('total', 1), eq('total', 2)], [eq('status', 'x'), eq('status', 'y')], [cmp('total', '>', 5), cmp('total', '<', 5)],
      [eq('status', null)], [inList('status', [null])], [lit(false)], [lit(null)], [isNull('id')], [isNull('status'), eq('status', 'x')],
      [and(eq('id', 'a'), eq('id', 'b'))], [inList('status', ['x', null], true)], [between('total', null, 5)],
    ]; // oxfmt-ignore
    for (const filter of filters)
      expect(show(read(simple, filter)), JSON.stringify(filter)).to.equal('Nothing');
    expect(show(read(simple, [], { limitHint: 0 }))).to.equal('Nothing');
  });

  it('does not see them where there are none', () => {
    const filters: Expression[][] = [
      [eq('total', 1), eq('total', '1')], [eq('status', '1'), eq('status', '1.0')], [cmp('total', '>=', 5), cmp('total', '<=', 5)],
      [or(eq('status', null), eq('status', 'x'))], [isNull('status')], [lit(true)], [eq('status', 'x'), eq('total', 'y')],
    ]; // oxfmt-ignore
    for (const filter of filters) expect(show(read(simple, filter)), JSON.stringify(filter)).to.equal('Scan');
  });
});

describe('chooseRead: filters', () => {
  const filterOf = (...filter: Expression[]) => {
    const { filter: chosen } = read(simple, filter);
    if (chosen === null) return null;
    return chosen.text.replace(/[#:]\w+/g, (token) =>
      token.startsWith('#')
        ? (chosen.names[token] ?? '')
        : JSON.stringify(Object.values(chosen.values[token] ?? {})[0]),
    );
  };

  it('list the other types whose values may match', () => {
    expect(filterOf(cmp('total', '>', 5))).to.equal(
      '(total > "5" OR attribute_type(total, "S") OR attribute_type(total, "BOOL") OR attribute_type(total, "B"))',
    );
    expect(filterOf(eq('status', 'x'))).to.equal(
      '(status = "x" OR attribute_type(status, "BOOL") OR attribute_type(status, "B"))',
    );
    expect(filterOf(eq('status', '1.0'))).to.equal(
      '(status = "1.0" OR status = "1" OR attribute_type(status, "BOOL") OR attribute_type(status, "B"))',
    );
    expect(filterOf(cmp('status', '>', 'x'))).to.equal(
      'attribute_exists(status) AND (status > "x" OR NOT attribute_type(status, "S"))',
    );
    expect(filterOf(like('status', 'x%'))).to.match(
      /^\(begins_with\(status, "x"\) OR attribute_type\(status, "N"\)/,
    );
  });

  it('put values of one type into one IN', () => {
    expect(filterOf(inList('status', ['x', 5, 'y', 6, true]))).to.match(
      /^\(status IN \("x", "y"\) OR status IN \("5", "6"\) OR status = true OR attribute_type/,
    );
  });

  it('treat NULL as missing or of type NULL', () => {
    expect(filterOf(isNull('status'))).to.equal(
      '(attribute_not_exists(status) OR attribute_type(status, "NULL"))',
    );
    expect(filterOf(isNull('status', true))).to.equal('attribute_exists(status)');
    expect(filterOf(not(eq('status', 'x')))).to.equal('status <> "x"');
  });

  it('are exact on keys, whose type is certain', () => {
    expect(filterOf(cmp('id', '>', 'x'))).to.equal('id > "x"');
    expect(filterOf(cmp('id', '>', 5))).to.equal(null);
  });

  it('leave out what DynamoDB cannot say, and OR branches with it', () => {
    const unknown: Expression = { kind: 'FunctionCall', name: 'LOWER', arguments: [col('status')] };
    expect(filterOf(unknown)).to.equal(null);
    expect(filterOf(or(unknown, eq('total', 1)))).to.equal(null);
    expect(filterOf(and(unknown, isNull('total', true)))).to.equal('attribute_exists(total)');
    expect(filterOf(eq('status', '{"a":1}'))).to.equal(null);
    expect(
      filterOf(
        inList(
          'total',
          Array.from({ length: 101 }, (_, i) => i),
        ),
      ),
    ).to.equal(null);
    expect(filterOf(or(...Array.from({ length: 150 }, (_, i) => eq('total', i))))).to.equal(null);
  });

  it('reach into documents', () => {
    const chosen = read(simple, [isNull('a.b[1].c', true)], {}, ['a.b[1].c']);
    expect(chosen.filter).to.deep.equal({
      text: 'attribute_exists(#n0.#n1[1].#n2)',
      names: { '#n0': 'a', '#n1': 'b', '#n2': 'c' },
      values: {},
    });
  });

  it('do not name the keys that a Query goes by', () => {
    expect(read(composite, [eq('pk', 'a'), cmp('sk', '<>', 5)]).filter).to.equal(null);
    expect(read(composite, [eq('pk', 'a'), isNull('total', true)]).filter?.text).to.equal(
      'attribute_exists(#n0)',
    );
  });
});

describe('chooseRead: projection, counts and limits', () => {
  it('projects the outermost paths, up to the first list position', () => {
    const project = (...names: string[]) => {
      const { projection } = read(simple, [], {}, names);
      return projection?.text.replace(/#\w+/g, (token) => projection.names[token] ?? '');
    };
    expect(project('id', 'a.b', 'a.c.d')).to.equal('id, a.b, a.c.d');
    expect(project('a.b', 'a', 'a.c[3].d')).to.equal('a');
    expect(project('tags[2]', 'tags[3].x')).to.equal('tags');
    expect(project('a.b[0]', 'a.b.c')).to.equal('a.b');
  });

  it('asks for whole items when all that is known is wanted', () => {
    const table = catalogTable('id:S', {
      attributes: [attribute('id'), attribute('total')],
      sampledItems: 10,
    });
    expect(read(table, [], {}, ['id', 'total', 'extra']).projection).to.equal(null);
    expect(read(table, [], {}, ['id', 'total.x']).projection).to.not.equal(null);
  });

  it('counts where no column is wanted', () => {
    const chosen = read(simple, [], {}, []);
    expect([show(chosen), chosen.countOnly, chosen.projection]).to.deep.equal(['Scan', true, null]);
  });

  it('limits only what nothing filters afterwards', () => {
    const limits = (table: typeof simple, filter: Expression[]) => {
      const { stopAfter, pageLimit } = read(table, filter, { limitHint: 10 });
      return [stopAfter, pageLimit];
    };
    expect(limits(simple, [])).to.deep.equal([10, 10]);
    expect(limits(simple, [eq('status', 'x')])).to.deep.equal([null, null]);
    expect(limits(composite, [eq('pk', 'a')])).to.deep.equal([10, 10]);
    expect(limits(composite, [eq('pk', 'a'), cmp('sk', '>', 5)])).to.deep.equal([10, 10]);
    expect(limits(composite, [eq('pk', 'a'), cmp('sk', '>', 5), cmp('sk', '<', 9)])).to.deep.equal([
      null,
      null,
    ]);
    expect(limits(composite, [eq('pk', 'a'), eq('status', 'x')])).to.deep.equal([null, null]);
  });

  it('scans large tables in segments, unless it stops early', () => {
    const large = { ...simple, sizeBytes: 10_000_000_000 };
    const segments = (more: Partial<TableScan>) => {
      const { path } = read(large, [], more);
      return path.kind === 'Scan' ? path.segments : 0;
    };
    expect([segments({}), segments({ limitHint: 100 })]).to.deep.equal([5, 1]);
  });

  it('scans and nothing else with pushdown off', () => {
    const scan = tableScan(simple, ['id', 'status'], { filter: [eq('id', 'a')], limitHint: 5 });
    const chosen = chooseRead(scan, { consistent: false, pushdown: false });
    expect([show(chosen), chosen.filter, chosen.stopAfter]).to.deep.equal(['Scan', null, null]);
  });
});

describe('chooseRead: keys from an index, then the items', () => {
  /** Some 160 of 100,000 orders share a customer. */
  const orders = (projection: 'KEYS_ONLY' | 'INCLUDE' = 'KEYS_ONLY') =>
    catalogTable('id:S', {
      attributes: [attribute('customer', { S: 1000 }, 500)],
      sampledItems: 1000,
      indexes: [
        index('by_customer', 'customer:S, day:N', {
          projection,
          nonKeyAttributes: projection === 'INCLUDE' ? ['status'] : [],
          itemCount: 100_000,
          sizeBytes: 5_000_000,
        }),
      ],
    });
  const ofCustomer = [eq('customer', 'c'), isNull('day', true)];
  const columns = ['id', 'customer', 'day', 'status', 'total'];

  it('are read where few items qualify: the index, then half a unit for each', () => {
    const chosen = read(orders(), ofCustomer, {}, columns);
    expect(show(chosen)).to.equal('IndexLookup by_customer S c');
    // Some customers are not in the sample: 159 entries of 50 bytes, 159 items
    expect(chosen.estimate).to.include({ rows: 159, units: 81 });
  });

  it('are not where the index holds all that is wanted', () => {
    expect(show(read(orders(), ofCustomer, {}, ['id', 'customer', 'day']))).to.equal('Query by_customer S c');
  });

  it('are not where so many items qualify that a scan costs less', () => {
    const unknown = { ...orders(), attributes: [] };
    expect(show(read(unknown, ofCustomer, {}, columns))).to.equal('Scan');
  });

  it('are counted where they depend on a guess, since that costs little beside the scan', () => {
    const unknown = { ...orders(), attributes: [] };
    // A tenth of the items each, and a third of those: 3,333 items of half a unit for each of the four.
    const since = (count: number) => [
      inList(
        'customer',
        Array.from({ length: count }, (_, i) => `c${i}`),
      ),
      cmp('day', '>', 5),
    ];
    const four = read(unknown, since(4), {}, columns);
    expect(show(four)).to.match(/^IndexLookup by_customer/);
    // The scan, and as many entries of 50 bytes as there are items for its 4,883 units: 9,767.
    expect(four.estimate.units).to.equal(4883 + 60);
    expect(show(read(unknown, since(13), {}, columns))).to.equal('Scan');
    // Where a few rows may be enough, nothing is counted before.
    expect(show(read(unknown, since(4), { limitHint: 1000 }, columns))).to.equal('Scan');
    const fresh = { ...unknown, sampledItems: 0 };
    expect(show(read(fresh, ofCustomer, {}, columns))).to.equal('IndexLookup by_customer S c');
  });

  it('are not where the index may lack items, or a consistent read is asked for', () => {
    expect(show(read(orders(), [eq('customer', 'c')], {}, columns))).to.equal('Scan');
    const scan = tableScan(orders(), columns, { filter: ofCustomer });
    expect(show(chooseRead(scan, { consistent: true, pushdown: true }))).to.equal('Scan');
  });

  it('filter the index by what it holds, and by nothing else', () => {
    const both = [...ofCustomer, eq('status', 'open'), eq('total', 5)];
    expect(read(orders(), both, {}, columns).filter).to.equal(null);
    expect(read(orders('INCLUDE'), both, {}, columns).filter?.names).to.deep.equal({ '#n0': 'status' });
  });

  it('stop where enough rows have come in the index order', () => {
    const newest = { limitHint: 3, orderHint: [{ column: scanColumn('day'), descending: true }] };
    const chosen = read(orders(), ofCustomer, newest, columns);
    expect(show(chosen)).to.equal('IndexLookup by_customer descending S c');
    expect(chosen).to.deep.include({ stopAfter: 3, pageLimit: 3, ordered: true });
  });
});
