import { expect } from 'chai';
import { filteredBounds, type Prices } from '../../../src/dynamodb/bounded-regret/filtered-bounds.ts';

const certain = { low: 527, units: 586, high: 645 };
const ranges: Prices = {
  price: { keys: 1, floor: 0.5, scan: 586 },
  isWhole: false,
  one: { low: 0.5, units: 1, high: 645 },
  certain,
};
const items: Prices = { ...ranges, isWhole: true, one: { low: 0.5, units: 0.5, high: 2 } };

describe('bounds of a dynamically filtered scan', () => {
  it('are from nothing, where there may be no key, to what lookups promise', () => {
    expect(filteredBounds(ranges, { least: 0, most: 12 })).to.deep.equal({ low: 0, high: 592 });
    expect(filteredBounds(ranges, { least: 12, most: 12 })).to.deep.equal({ low: 6, high: 592 });
  });

  it('are those of as many keys as are looked up at all where there may be more', () => {
    // 879 keys: then the scan may still take over. With more, it is taken at once.
    const high = 586 + 879 / 2;
    expect(filteredBounds(ranges, { least: 0, most: 5000 })).to.deep.equal({ low: 0, high });
    expect(filteredBounds(ranges, { least: 5000, most: 5000 })).to.deep.equal({ low: 527, high });
  });

  it('of whole keys are those of large items, and never more than the table', () => {
    expect(filteredBounds(items, { least: 0, most: 4 })).to.deep.equal({ low: 0, high: 8 });
    expect(filteredBounds(items, { least: 0, most: 400 })).to.deep.equal({ low: 0, high: 786 });
  });
});
