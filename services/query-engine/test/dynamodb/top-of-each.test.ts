/** Reads of which only the first rows of each group are wanted. */
import { expect } from 'chai';
import { chooseRead } from '../../src/dynamodb/choose-read.ts';
import { mayRepeat, type TableRead } from '../../src/dynamodb/table-read.ts';
import type { Expression } from '../../src/logical/expression.ts';
import type { ScanColumn, TableScan, TopOfEach } from '../../src/logical/plan.ts';
import { attribute, between, catalogTable, cmp, eq, index, inList, isNull, like, or, scanColumn, tableScan } from './fixtures.ts'; // oxfmt-ignore

const LOCAL = { global: false };
const table = catalogTable('pk:S, sk:N', {
  indexes: [
    index('by-day', 'pk:S, day:S', LOCAL),
    index('by-site', 'site:S, day:S'),
    index('by-place', 'site:S & floor:N, day:S & level:N'),
    index('keys-only', 'pk:S, level:N', { ...LOCAL, projection: 'KEYS_ONLY' }),
  ],
  attributes: ['pk', 'site'].map((name) => attribute(name, { S: 1000 }, 50)),
  sampledItems: 1000,
});
const NAMES = ['pk', 'sk', 'day', 'site', 'floor', 'level', 'note'];

type Asked = Partial<Pick<TopOfEach, 'rows' | 'ties' | 'nullsLast'>>;

const column = (name: string): ScanColumn => scanColumn(name);

/** `order`: e.g. `sk` or `day DESC, level`. */
function top(
  by: string,
  order: string,
  { rows = 1, ties = 'all', nullsLast = false }: Asked = {},
): { topOfEach: TopOfEach } {
  const list = (text: string): readonly string[] => (text === '' ? [] : text.split(', '));
  return {
    topOfEach: {
      by: list(by).map(column),
      order: list(order).map((text) => {
        const [name = '', direction] = text.split(' ');
        return { column: column(name), descending: direction === 'DESC' };
      }),
      rows,
      ties,
      nullsLast,
    },
  };
}

const read = (
  filter: readonly Expression[],
  more: Partial<TableScan>,
  { columns = NAMES, consistent = false }: { columns?: readonly string[]; consistent?: boolean } = {},
): TableRead => chooseRead(tableScan(table, columns, { filter, ...more }), { consistent, pushdown: true });

/** E.g. `Query by-day, 4 ranges, descending: 1 with equal day`. */
function show({ path }: TableRead): string {
  if (path.kind !== 'Query') return path.kind;
  const { topOfEach: first } = path;
  const ranges = `${path.ranges.length} range${path.ranges.length === 1 ? '' : 's'}`;
  const direction = path.descending ? ', descending' : '';
  const equal = first === undefined || first.ties.length === 0 ? '' : ` with equal ${first.ties.join(', ')}`;
  const items = first === undefined ? 'all' : `${first.rows}${equal}`;
  return `Query${path.index === null ? '' : ` ${path.index}`}, ${ranges}${direction}: ${items}`;
}

const PKS = inList('pk', ['a', 'b', 'c', 'd']);
const SITES = inList('site', ['a', 'b', 'c', 'd']);
const HAS_DAY = isNull('day', true);

describe('chooseRead: the first rows of each group', () => {
  it('reads the first items of each partition, in either direction', () => {
    expect(show(read([PKS], top('pk', 'sk')))).to.equal('Query, 4 ranges: 1');
    expect(show(read([PKS], top('pk', 'sk DESC', { rows: 3 })))).to.equal('Query, 4 ranges, descending: 3');
    expect(show(read([PKS], top('', 'sk')))).to.equal('Query, 4 ranges: 1');
    expect(show(read([PKS], top('pk', 'pk DESC, sk')))).to.equal('Query, 4 ranges: 1');
    expect(show(read([eq('pk', 'a')], top('pk', 'sk', { ties: 'none' })))).to.equal('Query, 1 range: 1');
    expect(show(read([PKS], top('pk', 'sk'), { consistent: true }))).to.equal('Query, 4 ranges: 1');
  });

  it('reads those of each range, where a group has several', () => {
    expect(show(read([PKS, cmp('sk', '>', 5)], top('pk', 'sk')))).to.equal('Query, 4 ranges: 1');
    expect(show(read([PKS, between('sk', 5, 9)], top('pk', 'sk DESC')))).to.equal(
      'Query, 4 ranges, descending: 1',
    );
    const apart = or(cmp('sk', '<', 5), cmp('sk', '>', 90));
    expect(show(read([PKS, apart], top('pk', 'sk')))).to.equal('Query, 8 ranges: 1');
  });

  it('brings what is equal to the last of them where an index may have several', () => {
    expect(show(read([PKS, HAS_DAY], top('pk', 'day DESC', { rows: 2 })))).to.equal(
      'Query by-day, 4 ranges, descending: 2 with equal day',
    );
    expect(show(read([SITES, HAS_DAY], top('site', 'day')))).to.equal(
      'Query by-site, 4 ranges: 1 with equal day',
    );
    // What comes behind the key in the order decides among these.
    expect(show(read([SITES, HAS_DAY], top('site', 'day, note DESC')))).to.equal(
      'Query by-site, 4 ranges: 1 with equal day',
    );
    // Of the table none are equal, whatever else there is in the order.
    expect(show(read([PKS], top('pk', 'sk, note DESC')))).to.equal('Query, 4 ranges: 1');
  });

  it('does without where any of them will do', () => {
    expect(show(read([SITES, HAS_DAY], top('site', 'day DESC', { ties: 'any' })))).to.equal(
      'Query by-site, 4 ranges, descending: 1',
    );
  });

  it('goes by all attributes of a key, from left to right', () => {
    const place = [SITES, eq('floor', 1), HAS_DAY, isNull('level', true)];
    const ofPlace = (by: string, order: string, more: Asked = {}): string =>
      show(read(place, top(by, order, { ties: 'any', ...more })));
    expect(ofPlace('site, floor', 'day')).to.equal('Query by-place, 4 ranges: 1');
    expect(ofPlace('floor', 'day DESC, level DESC')).to.equal('Query by-place, 4 ranges, descending: 1');
    expect(ofPlace('site, floor', 'day DESC, level')).to.equal(
      'Query by-place, 4 ranges, descending: 1 with equal day',
    );
    expect(ofPlace('site', 'day, level', { ties: 'all' })).to.equal(
      'Query by-place, 4 ranges: 1 with equal day, level',
    );
    const ofDay = show(read([...place, eq('day', 'm')], top('site, day', 'level', { ties: 'any' })));
    expect(ofDay).to.equal('Query by-place, 4 ranges: 1');
  });

  const WHOLE: readonly (readonly [what: string, filter: readonly Expression[], more: Partial<TableScan>])[] = [
    ['a group is part of a partition', [PKS], top('pk, note', 'sk')],
    ['a group is of other columns', [PKS], top('note', 'sk')],
    ['the order is another', [PKS], top('pk', 'note')],
    ['the order begins otherwise', [PKS], top('pk', 'note, sk')],
    ['rows are filtered', [PKS, eq('note', 'x')], top('pk', 'sk')],
    ['a condition is checked again', [PKS, like('note', 'x%y')], top('pk', 'sk')],
    ['rows of one order may be equal, and none should be', [SITES, HAS_DAY], top('site', 'day', { ties: 'none' })],
    ['so many rows of all are wanted', [PKS], { ...top('pk', 'sk'), limitHint: 5 }],
  ]; // oxfmt-ignore
  for (const [what, filter, more] of WHOLE)
    it(`reads all where ${what}`, () => {
      const { path } = read(filter, more);
      expect(path.kind).to.equal('Query');
      expect(path).not.to.have.property('topOfEach');
    });

  it('scans where no keys are known, and reads whole keys as they are', () => {
    expect(show(read([], top('pk', 'sk')))).to.equal('Scan');
    expect(show(read([cmp('sk', '>', 5)], top('pk', 'sk')))).to.equal('Scan');
    expect(show(read([eq('pk', 'a'), eq('sk', 1)], top('pk', 'sk')))).to.equal('GetItem');
  });

  it('does not go by an index that lacks rows, or columns', () => {
    expect(show(read([PKS], top('pk', 'day')))).to.equal('Query, 4 ranges: all');
    const lookup = read([PKS, isNull('level', true)], top('pk', 'level'));
    expect([lookup.path.kind, 'topOfEach' in lookup.path]).to.deep.equal(['Query', false]);
    const keys = read([PKS, isNull('level', true)], top('pk', 'level', { ties: 'any' }), {
      columns: ['pk', 'level'],
    });
    expect(show(keys)).to.equal('Query keys-only, 4 ranges: 1');
  });

  it('tries an index that may lack rows that come last, and says what has all', () => {
    const last = { nullsLast: true };
    const tried = read([SITES], top('site', 'day DESC', { ...last, rows: 3 }));
    expect(show(tried)).to.equal('Query by-site, 4 ranges, descending: 3 with equal day');
    expect(tried.otherwise?.path.kind).to.equal('Scan');
    expect(tried.estimate.high).to.be.at.least(tried.otherwise?.estimate.high ?? Infinity);
    const local = read([PKS], top('pk', 'day', { ...last, ties: 'any' }));
    expect(show(local)).to.equal('Query by-day, 4 ranges: 1');
    expect(local.otherwise && show(local.otherwise)).to.equal('Query, 4 ranges: all');
    // Nothing is to be tried where an index has all.
    expect(read([SITES, HAS_DAY], top('site', 'day', last))).not.to.have.property('otherwise');
    expect(read([PKS], top('pk', 'sk', last))).not.to.have.property('otherwise');
  });

  const NOT_TRIED: readonly (readonly [what: string, filter: readonly Expression[], more: Partial<TableScan>])[] = [
    ['rows that it lacks come first', [SITES], top('site', 'day')],
    ['it lacks rows that come among others', [SITES, eq('floor', 1)], top('site, floor', 'day', { nullsLast: true })],
    ['so many partitions cost almost as much', [inList('pk', Array.from({ length: 60 }, (_, i) => `k${i}`))], top('pk', 'day', { nullsLast: true, rows: 900 })],
    ['rows are filtered', [SITES, eq('note', 'x')], top('site', 'day', { nullsLast: true })],
  ]; // oxfmt-ignore
  for (const [what, filter, more] of NOT_TRIED)
    it(`does not try it where ${what}`, () => {
      const chosen = read(filter, more);
      expect(chosen).not.to.have.property('otherwise');
      expect(chosen.path).not.to.have.property('topOfEach');
    });

  it('is not filtered, and leaves no item out that came before', () => {
    const first = read([SITES, HAS_DAY], top('site', 'day'));
    expect([first.filter, first.isExact, mayRepeat(first)]).to.deep.equal([null, true, false]);
    expect(mayRepeat(read([SITES, HAS_DAY], {}))).to.equal(true);
  });

  it('costs half a unit for each partition, and no more than large items do', () => {
    const { estimate } = read([PKS], top('pk', 'sk'));
    expect(estimate).to.deep.equal({ rows: 4, units: 2, low: 2, high: 2 });
    // 4 × 400 B are guessed to be an item's size at most: 20 of them are 32 KB
    expect(read([PKS], top('pk', 'sk', { rows: 20 })).estimate).to.deep.equal({
      rows: 80,
      units: 4,
      low: 2,
      high: 16,
    });
    // Nobody knows how many are equal: each partition may come in some 14 requests, which round up.
    const whole = read([SITES, HAS_DAY], {}).estimate.high;
    const equal = read([SITES, HAS_DAY], top('site', 'day')).estimate;
    expect(equal.low).to.equal(2);
    expect(equal.high - whole).to.be.within(4 * 0.5 * 12, 4 * 0.5 * 14);
  });
});
