import { expect } from 'chai';
import { chooseRead } from '../../../src/dynamodb/choose-read.ts';
import { topOfRange, type RangeEnd } from '../../../src/dynamodb/reader/top-of-range.ts';
import type { TableRead } from '../../../src/dynamodb/table-read.ts';
import { batchOf, type TestCell } from '../../execution/batches.ts';
import { catalogTable, eq, tableScan } from '../fixtures.ts';

/** The first items of a partition, those equal in `ties` included; the columns are `pk` and `sk`. */
function rangeEnd(rows: number, ties: readonly string[], tiedItemsMin = 1): RangeEnd {
  const scan = tableScan(catalogTable('pk:S, sk:N'), ['pk', 'sk'], { filter: [eq('pk', 'a')] });
  const read = chooseRead(scan, { consistent: false, pushdown: true });
  if (read.path.kind !== 'Query') throw new Error('no Query');
  const limited: TableRead = { ...read, path: { ...read.path, topOfEach: { rows, ties, tiedItemsMin } } };
  const end = topOfRange(limited);
  if (end === null) throw new Error('the range has no end');
  return end;
}

/** Pages of sort keys, and how many items are asked for before each and behind the last; null: it is reached. */
function asked(end: RangeEnd, pages: readonly (readonly TestCell[])[]): readonly (number | null)[] {
  const next = (): number | null => (end.isReached() ? null : end.nextItems());
  const all = [next()];
  for (const page of pages) {
    const rows = page.map((value) => ['a', value]);
    end.read(batchOf(rows, 2));
    all.push(next());
  }
  return all;
}

const many = (count: number, value: TestCell): readonly TestCell[] =>
  Array.from({ length: count }, () => value);

describe('the first items of a range', () => {
  it('are as many, in as many pages as they come in', () => {
    expect(asked(rangeEnd(1, []), [[1]])).to.deep.equal([1, null]);
    expect(asked(rangeEnd(5, []), [[1, 2], [], [3, 4, 5]])).to.deep.equal([5, 3, 3, null]);
  });

  it('go on to the first that is not equal to the last of them', () => {
    expect(asked(rangeEnd(2, ['sk']), [[1, 2, 3]])).to.deep.equal([3, null]);
    expect(
      asked(rangeEnd(2, ['sk']), [
        [1, 2, 2],
        [2, 2, 2],
        [2, 9],
      ]),
    ).to.deep.equal([3, 3, 6, null]);
    expect(asked(rangeEnd(1, ['sk']), [[7], [7], [7], [8]])).to.deep.equal([2, 1, 2, 3, null]);
    expect(asked(rangeEnd(3, ['sk']), [[1], [1, 2], [2], [3]])).to.deep.equal([4, 3, 1, 4, null]);
  });

  it('are asked for by so many, where they may be many, as cost no more than one', () => {
    expect(asked(rangeEnd(2, ['sk'], 50), [[1, 2, 2], many(50, 2), many(53, 2)])).to.deep.equal([
      3, 50, 53, 106,
    ]);
    expect(asked(rangeEnd(5, [], 50), [[1, 2]])).to.deep.equal([5, 3]);
  });

  it('are equal where their numbers are, and differ where their texts do', () => {
    expect(asked(rangeEnd(1, ['sk']), [[{ n: '1' }, { n: '1.0' }]])).to.deep.equal([2, 2]);
    expect(asked(rangeEnd(1, ['sk']), [[{ n: '100' }, { n: '1E2' }, { n: '101' }]])).to.deep.equal([2, null]);
    expect(asked(rangeEnd(1, ['sk']), [['1', '1.0']])).to.deep.equal([2, null]);
  });

  it('are all there once as many have come, whatever may be equal to the last', () => {
    const end = rangeEnd(2, ['sk']);
    asked(end, [[1]]);
    expect([end.isFull(), end.isReached()]).to.deep.equal([false, false]);
    asked(end, [[1]]);
    expect([end.isFull(), end.isReached()]).to.deep.equal([true, false]);
  });
});
