import { expect } from 'chai';
import { conditionsOf } from '../../src/dynamodb/access-path/condition.ts';
import { keyRangesOf } from '../../src/dynamodb/access-path/key-ranges.ts';
import { chooseRead } from '../../src/dynamodb/choose-read.ts';
import type { KeyValue, TableRead } from '../../src/dynamodb/table-read.ts';
import type { Expression } from '../../src/logical/expression.ts';
import type { TableScan } from '../../src/logical/plan.ts';
import { and, attribute, between, catalogTable, cmp, eq, index, inList, isNull, like, or, scanColumn, tableScan } from './fixtures.ts'; // oxfmt-ignore

const NAMES = ['id', 'cup', 'zone', 'round', 'bracket', 'slot', 'score'];
const KEY = 'cup:S & zone:N, round:N & bracket:S & slot:N';
const matches = catalogTable('id:S', { indexes: [index('by-place', KEY)] });

const read = (filter: readonly Expression[], more: Partial<TableScan> = {}, table = matches, names = NAMES) =>
  chooseRead(tableScan(table, names, { filter, ...more }), { consistent: false, pushdown: true });

/** What each Query says: partition values, then what is said of the sort key. */
function show({ path }: TableRead): string {
  if (path.kind !== 'Query') return path.kind;
  const text = (values: readonly KeyValue[]) => values.map(({ value }) => value).join(' ');
  const ranges = path.ranges.map(({ partition, sort }) => {
    if (sort === null) return text(partition);
    const { equals, last } = sort;
    const bounds = last.operator === 'BETWEEN' ? [last.low, last.high] : [last.value];
    return `${text(partition)} / ${[...equals.map(({ value }) => value), last.operator, ...bounds.map(({ value }) => value)].join(' ')}`;
  });
  return `${path.merged ? 'merged ' : ''}${path.descending ? 'descending ' : ''}${ranges.join(', ')}`;
}

const larger = { ...matches, itemCount: 100_000_000, sizeBytes: 40_000_000_000 };
const place = [eq('cup', 'w'), eq('zone', 1)];
/** The index holds only items that have all of its key attributes. */
const present = ['round', 'bracket', 'slot'].map((name) => isNull(name, true));
const by = (...filter: Expression[]) => show(read([...place, ...present, ...filter]));

describe('chooseRead: an index with several key attributes', () => {
  it('is queried by all attributes of its partition key, each by equality', () => {
    expect(by()).to.equal('w 1');
    expect(show(read([eq('cup', 'w'), ...present]))).to.equal('Scan');
    expect(show(read([eq('cup', 'w'), cmp('zone', '>', 1), ...present]))).to.equal('Scan');
  });

  it('is queried once for each product of lists, in order', () => {
    expect(show(read([inList('cup', ['w', 's']), inList('zone', [10, 9]), ...present]))).to.equal(
      's 9, s 10, w 9, w 10',
    );
  });

  it('takes pairs as they come', () => {
    const pair = (cup: string, zone: number) => and(eq('cup', cup), eq('zone', zone));
    expect(show(read([or(pair('w', 1), pair('s', 2)), ...present]))).to.equal('s 2, w 1');
    const unique = {
      ...larger,
      attributes: ['cup', 'zone'].map((name) => attribute(name, { S: 100 }, 100)),
      sampledItems: 100,
    };
    for (const count of [900, 1500]) {
      const pairs = Array.from({ length: count }, (_, i) => pair(`c${i}`, i));
      const { path } = read([or(...pairs), ...present], {}, unique);
      expect(path.kind === 'Query' && path.ranges.length, String(count)).to.equal(count);
    }
  });

  it('binds sort key attributes from left to right, and the last one that is bound by a range', () => {
    expect(by(eq('round', 2))).to.equal('w 1 / = 2');
    expect(by(cmp('round', '>', 2))).to.equal('w 1 / > 2');
    expect(by(eq('round', 2), eq('bracket', 'up'))).to.equal('w 1 / 2 = up');
    expect(by(eq('round', 2), like('bracket', 'u%'))).to.equal('w 1 / 2 begins_with u');
    expect(by(eq('round', 2), between('bracket', 'a', 'f'))).to.equal('w 1 / 2 BETWEEN a f');
    expect(by(eq('round', 2), eq('bracket', 'up'), cmp('slot', '<=', 5))).to.equal('w 1 / 2 up <= 5');
    expect(by(eq('slot', 5), eq('bracket', 'up'), eq('round', 2))).to.equal('w 1 / 2 up = 5');
  });

  it('binds nothing behind a gap or a range, and leaves that to be checked', () => {
    expect(by(eq('bracket', 'up'))).to.equal('w 1');
    expect(by(eq('round', 2), eq('slot', 5))).to.equal('w 1 / = 2');
    expect(by(cmp('round', '>', 2), eq('bracket', 'up'))).to.equal('w 1 / > 2');
    const open = read([...place, ...present, eq('round', 2), eq('slot', 5)]);
    expect([open.isExact, open.filter]).to.deep.equal([false, null]);
    expect(read([...place, ...present, eq('round', 2), eq('bracket', 'up')]).isExact).to.equal(true);
  });

  it('reads ranges below each value of those before, none of which overlaps another', () => {
    const of = (...filter: Expression[]) => show(read([...place, ...present, ...filter], {}, larger));
    expect(of(inList('round', [3, 1]), cmp('bracket', '>', 'm'))).to.equal('w 1 / 1 > m, w 1 / 3 > m');
    expect(
      of(or(and(eq('round', 1), eq('bracket', 'up')), and(eq('round', 2), eq('bracket', 'low')))),
    ).to.equal('w 1 / 1 = up, w 1 / 2 = low');
    expect(of(or(and(eq('round', 1), cmp('bracket', '>=', 'm')), eq('round', 1)))).to.equal('w 1 / = 1');
  });

  it('does not take two ranges for one that one key condition cannot say', () => {
    const split = (...filter: Expression[]) => {
      const columns = NAMES.map(scanColumn);
      const { key } = index('by-place', KEY);
      const ranges = keyRangesOf(conditionsOf([...place, ...filter], columns), key).at(-1)?.partitions[0]
        ?.sorts;
      return ranges?.map(
        (sort) => sort && [...sort.equals.map(({ value }) => value), sort.last.operator].join(' '),
      );
    };
    // The end of round 1 touches the rounds after it.
    const end = and(eq('round', 1), cmp('bracket', '>=', 'm'));
    expect(split(or(end, cmp('round', '>', 1)))).to.deep.equal(['1 >=', '>']);
    expect(split(or(end, cmp('round', '>=', 1)))).to.deep.equal(['>=']);
    expect(split(or(and(eq('round', 3), cmp('bracket', '<', 'm')), eq('round', 3), between('round', 1, 2)))).to.deep.equal([
      'BETWEEN', '=',
    ]); // oxfmt-ignore
  });

  it('is left alone where an item may lack any of its key attributes', () => {
    for (const lacking of ['round', 'bracket', 'slot']) {
      const others = ['round', 'bracket', 'slot'].filter((name) => name !== lacking);
      expect(show(read([...place, ...others.map((name) => isNull(name, true))])), lacking).to.equal('Scan');
    }
    expect(show(read([...place, ...present, isNull('round')]))).to.equal('Nothing');
  });

  it('is left alone where a value of any of them may be no key of it', () => {
    const assumed = catalogTable('id:S', {
      indexes: [index('by-place', 'cup:S & zone:S, round:S & slot:S', { coverage: 'lacking' })],
    });
    const bound = (slot: string) =>
      read([eq('cup', 'w!'), eq('zone', 'z!'), eq('round', 'r!'), eq('slot', slot)], {}, assumed);
    expect(show(bound('s!'))).to.equal('w! z! / r! = s!');
    expect(show(bound('07'))).to.equal('Scan');
    // Whether the bytes of each attribute count or of all together is not documented.
    expect(show(bound('é!'.repeat(170)))).to.match(/^w! z! \/ r! = é!/);
    expect(show(bound('é!'.repeat(171)))).to.equal('Scan');
  });

  it('sends no more bytes of keys than one key may have', () => {
    const texts = catalogTable('id:S', { indexes: [index('by-text', 'a:S & b:S, c:S & d:S')] });
    const of = (a: number, c: number, d: number) =>
      show(read([eq('a', 'a'.repeat(a)), eq('b', 'b'), eq('c', 'c'.repeat(c)), eq('d', 'd'.repeat(d))], {}, texts, ['id', 'a', 'b', 'c', 'd']))
        .replace(/(\w)\1+/g, '$1'); // oxfmt-ignore
    expect(of(1, 500, 524)).to.equal('a b / c = d');
    expect(of(1, 500, 525)).to.equal('a b / = c');
    expect(of(2048, 1, 1)).to.equal('Scan');
    // What is shortened to the same is read once.
    const lists = [
      eq('a', 'a'),
      eq('b', 'b'),
      eq('c', 'c'.repeat(1000)),
      inList('d', ['d', 'd'.repeat(99), 'e'.repeat(99)]),
    ];
    const { path } = read(lists, {}, texts, ['id', 'a', 'b', 'c', 'd']);
    expect(path.kind === 'Query' && path.ranges.map(({ sort }) => sort?.last.operator)).to.deep.equal(['=']);
  });

  it('names none of its key attributes in a filter', () => {
    const { filter } = read([...place, ...present, cmp('slot', '>', 5), eq('score', 7)]);
    expect(Object.values(filter?.names ?? {})).to.deep.equal(['score']);
  });

  describe('gives the order', () => {
    const wanted = (...names: readonly string[]): Partial<TableScan> => ({
      limitHint: 3,
      orderHint: names.map((name) => ({
        column: scanColumn(name.replace('-', '')),
        descending: name.startsWith('-'),
      })),
    });
    const ordered = (order: readonly string[], ...filter: Expression[]) => {
      const chosen = read([...present, ...filter], wanted(...order));
      return [show(chosen), chosen.ordered, chosen.stopAfter];
    };

    it('of its sort key attributes from left to right, all in one direction', () => {
      expect(ordered(['round'], ...place)).to.deep.equal(['w 1', true, 3]);
      expect(ordered(['round', 'bracket'], ...place)).to.deep.equal(['w 1', true, 3]);
      expect(ordered(['-round', '-bracket', '-slot'], ...place)).to.deep.equal(['descending w 1', true, 3]);
      expect(ordered(['round', '-bracket'], ...place)[1]).to.equal(false);
      expect(ordered(['bracket'], ...place)[1]).to.equal(false);
      expect(ordered(['round', 'slot'], ...place)[1]).to.equal(false);
    });

    it('of those behind attributes that have one value', () => {
      expect(ordered(['bracket'], ...place, eq('round', 2))).to.deep.equal(['w 1 / = 2', true, 3]);
      expect(ordered(['cup', 'round', 'bracket'], ...place, eq('round', 2))[1]).to.equal(true);
      expect(ordered(['-slot'], ...place, eq('round', 2), eq('bracket', 'up'))).to.deep.equal([
        'descending w 1 / 2 = up', true, 3,
      ]); // oxfmt-ignore
      expect(ordered(['bracket'], ...place, inList('round', [2, 3]))[1]).to.equal(false);
    });

    it('of several partitions, merged by the whole of it', () => {
      expect(ordered(['round', 'bracket'], eq('cup', 'w'), inList('zone', [1, 2]))).to.deep.equal([
        'merged w 1, w 2', true, 3,
      ]); // oxfmt-ignore
      expect(ordered(['zone', 'round'], eq('cup', 'w'), inList('zone', [1, 2]))).to.deep.equal([
        'w 1, w 2', true, 3,
      ]); // oxfmt-ignore
    });
  });

  it('is told of in a warning where it could serve but for an attribute', () => {
    const large = catalogTable('id:S', {
      itemCount: 10_000_000,
      sizeBytes: 4_000_000_000,
      indexes: [index('by-place', KEY)],
      attributes: [attribute('cup', { S: 10 })],
      sampledItems: 10,
    });
    expect(read([...place, ...present.slice(1)], {}, large).warnings.join()).to.match(
      /index by-place cannot serve the query, since items without round are not in it/,
    );
    expect(read([eq('cup', 'w'), ...present], {}, large).warnings.join()).to.match(
      /partition key cup would help/,
    );
  });
});
