import { expect } from 'chai';
import { chooseRead, type ReadOptions } from '../../src/dynamodb/choose-read.ts';
import type { Expression } from '../../src/logical/expression.ts';
import type { TableScan } from '../../src/logical/plan.ts';
import { between, catalogTable, eq, index, inList, isNull, or, tableScan } from './fixtures.ts';

const simple = catalogTable('id:S');
const composite = catalogTable('pk:S, sk:N');

interface Read {
  readonly path: string;
  readonly low: number;
  readonly high: number;
}

function bounds(
  table: typeof simple,
  filter: readonly Expression[],
  more: Partial<TableScan> = {},
  options: Partial<ReadOptions> = {},
): Read {
  const scan = tableScan(table, ['id', 'pk', 'sk', 'status', 'total'], { filter, ...more });
  const { path, estimate } = chooseRead(scan, { consistent: false, pushdown: true, ...options });
  expect(estimate.units).to.be.within(estimate.low, estimate.high);
  return { path: path.kind, low: estimate.low, high: estimate.high };
}

describe('bounds of read units', () => {
  it('of keys: half a unit each at least, whether they are found or not', () => {
    expect(bounds(simple, [eq('id', 'a')])).to.deep.equal({ path: 'GetItem', low: 0.5, high: 0.5 });
    expect(bounds(simple, [inList('id', ['a', 'b', 'c'])])).to.deep.equal({
      path: 'BatchGetItem',
      low: 1.5,
      high: 1.5,
    });
    expect(bounds(simple, [eq('id', 'a')], {}, { consistent: true })).to.include({ low: 1, high: 1 });
  });

  it('of keys: four times the size of an item at most, and no more than the table holds', () => {
    const large = { ...simple, itemCount: 1000, sizeBytes: 3_000_000 };
    expect(bounds(large, [inList('id', ['a', 'b'])])).to.include({ low: 1, high: 3 });
    const few = { ...simple, itemCount: 10, sizeBytes: 40_960 };
    // The table costs 5 units, 5.5 where it has grown, and each of eight keys rounds up by half a unit at most.
    expect(bounds(few, [inList('id', [...'abcdefgh'])])).to.include({ low: 4, high: 9.5 });
    const huge = { ...simple, itemCount: 1000, sizeBytes: 300_000_000 };
    expect(bounds(huge, [eq('id', 'a')])).to.include({ low: 0.5, high: 50 });
  });

  it('of a Query: half a unit a range at least, a scan at most', () => {
    expect(bounds(composite, [eq('pk', 'a')])).to.deep.equal({ path: 'Query', low: 0.5, high: 5371.5 });
    expect(bounds(composite, [inList('pk', ['a', 'b', 'c'])])).to.deep.equal({
      path: 'Query',
      low: 1.5,
      high: 5372.5,
    });
  });

  it('of ranges that hold one item at most: what keys cost', () => {
    const pairs = or(eq('sk', 1), between('sk', 3, 4));
    expect(bounds(composite, [eq('pk', 'a'), pairs])).to.include({ path: 'Query', low: 1 });
  });

  it('of a scan: its size, a tenth less or more', () => {
    expect(bounds(simple, [])).to.deep.equal({ path: 'Scan', low: 4394.5, high: 5371.5 });
    expect(bounds(simple, [], {}, { consistent: true })).to.include({ low: 8789, high: 10743 });
  });

  it('of a scan in segments: each rounds its last page up', () => {
    const wide = { ...simple, itemCount: 1e7, sizeBytes: 8_192_000_000 };
    const { low, high } = bounds(wide, []);
    expect([low, high]).to.deep.equal([900_000, 1_100_001.5]);
  });

  it('of a read that may stop early: a request at least, and no less than all at most', () => {
    expect(bounds(simple, [eq('total', 3)], { limitHint: 10 })).to.include({ low: 0.5, high: 5371.5 });
  });

  it('of a read that stops at so many items: as many of the largest', () => {
    expect(bounds(simple, [], { limitHint: 10 })).to.deep.equal({ path: 'Scan', low: 0.5, high: 2 });
    expect(bounds(composite, [eq('pk', 'a')], { limitHint: 100 })).to.include({ low: 0.5, high: 20 });
    expect(bounds(composite, [eq('pk', 'a')], { limitHint: 100 }, { pageRows: 200 })).to.include({
      low: 0.5,
      high: 39.5,
    });
  });

  it('of an index lookup: its entries alone at least, with all items that these may lead to at most', () => {
    const keysOnly = catalogTable('id:S', {
      indexes: [
        index('by_status', 'status:S', { projection: 'KEYS_ONLY', itemCount: 1000, sizeBytes: 50_000 }),
      ],
    });
    // 13 half units of entries, of a table that has grown; half a unit for each of 1,100 items.
    expect(bounds(keysOnly, [eq('status', 'x')])).to.deep.equal({
      path: 'IndexLookup',
      low: 0.5,
      high: 557.5,
    });
  });

  it('of an index that is scanned: its own size', () => {
    const sparse = catalogTable('id:S', {
      indexes: [index('by_status', 'status:S', { itemCount: 1000, sizeBytes: 409_600 })],
    });
    expect(bounds(sparse, [isNull('status', true)])).to.deep.equal({ path: 'Scan', low: 45, high: 55 });
  });

  it('of an OR by several keys: those of its branches together', () => {
    const keyed = catalogTable('id:S', {
      indexes: [index('by_status', 'status:S', { itemCount: 1000, sizeBytes: 409_600 })],
    });
    expect(bounds(keyed, [or(eq('id', 'a'), eq('status', 'b'))])).to.deep.equal({
      path: 'IndexUnion',
      low: 1,
      high: 55.5,
    });
  });

  it('of what was not counted: a request at least', () => {
    const uncounted = { ...simple, itemCount: 0, sizeBytes: 4_000, sampledItems: 10 };
    expect(bounds(uncounted, [])).to.include({ path: 'Scan', low: 0.5 });
  });

  it('of nothing: nothing', () => {
    expect(bounds(simple, [eq('id', 'a'), eq('id', 'b')])).to.deep.equal({
      path: 'Nothing',
      low: 0,
      high: 0,
    });
  });
});
