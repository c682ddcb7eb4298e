import { expect } from 'chai';
import { chooseRead } from '../../src/dynamodb/choose-read.ts';
import type { CatalogTable } from '../../src/catalog/table.ts';
import type { Expression } from '../../src/logical/expression.ts';
import type { TableScan } from '../../src/logical/plan.ts';
import { likelyReadUnits } from '../../src/planning/likely-units.ts';
import type { FilteredScan } from '../../src/planning/physical-plan.ts';
import { catalogTable, eq, index, inList, tableScan } from '../dynamodb/fixtures.ts';

/** 1,000 items of 1 KB: 125 units. */
const orders: CatalogTable = {
  ...catalogTable('pk:S, sk:N', {
    itemCount: 1_000,
    sizeBytes: 1_024_000,
    indexes: [index('by-ref', 'ref:S'), index('by-status', 'status:S')],
  }),
  sampledItems: 100,
  attributes: [
    { name: 'ref', distinctValues: 100, distinct: { low: 900, estimate: 1_000, high: 1_000 } },
    { name: 'status', distinctValues: 5, distinct: { low: 5, estimate: 5, high: 5 } },
  ].map((attribute) => ({ ...attribute, types: { S: 100 }, integerDigits: 0, scale: 0, nested: [] })),
};

function likely(
  filter: readonly Expression[],
  more: Partial<TableScan> = {},
  how: { readonly pageRows?: number; readonly isFiltered?: boolean } = {},
): readonly [path: string, low: number, high: number] {
  const scan = tableScan(orders, ['pk', 'sk', 'ref', 'status'], { filter, ...more });
  const { pageRows, isFiltered = false } = how;
  const read = chooseRead(scan, {
    consistent: false,
    pushdown: true,
    ...(pageRows === undefined ? {} : { pageRows }),
  });
  const filteredScans = new Map(isFiltered ? [[0, {} as FilteredScan]] : []);
  const { low, high } = likelyReadUnits({ reads: [read], filteredScans, tries: new Map() });
  expect(low).to.be.at.least(read.estimate.low);
  expect(high).to.be.at.most(read.estimate.high);
  return [read.path.kind, low, high];
}

describe('likely read units', () => {
  it('of a scan to the end are those of the table, a tenth aside', () => {
    expect(likely([])).to.deep.equal(['Scan', 112.5, 137.5]);
    // A tenth of the items is not expected to fill a page of 1,000.
    expect(likely([eq('note', 'x')], {}, { pageRows: 1_000 })).to.deep.equal(['Scan', 112.5, 137.5]);
  });

  it('of a scan whose page may be full early are what is certain', () => {
    expect(likely([eq('note', 'x')], {}, { pageRows: 10 })).to.deep.equal(['Scan', 0.5, 137.5]);
  });

  it('of whole keys are half a unit each, be the page full or not', () => {
    const keys = [eq('pk', 'a'), inList('sk', [1, 2, 3, 4])];
    expect(likely(keys, {}, { pageRows: 10 }).slice(0, 2)).to.deep.equal(['BatchGetItem', 2]);
  });

  it('of keys that hardly two items share are half a unit each, or twice that', () => {
    expect(likely([inList('ref', ['a', 'b', 'c'])])).to.deep.equal(['Query', 1.5, 3]);
    const [, low, high] = likely([inList('ref', ['a', 'b', 'c'])], {}, { isFiltered: true });
    expect([low, high]).to.deep.equal([1.5, 2]);
  });

  it('of keys that many items share are what is certain', () => {
    const [path, low, high] = likely([eq('status', 'open')]);
    expect([path, low]).to.deep.equal(['Query', 0.5]);
    expect(high).to.be.above(100);
  });
});
