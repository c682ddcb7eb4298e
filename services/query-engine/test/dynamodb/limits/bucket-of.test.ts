import { expect } from 'chai';
import { bucketOf } from '../../../src/dynamodb/limits/bucket-of.ts';
import { catalogTable, index } from '../fixtures.ts';

const set = (unitsPerSecond: number | null) => ({ unitsPerSecond, unitsPerQuery: null });

describe('the bucket that a page counts on', () => {
  it('is half of the capacity of a provisioned table, and none of a table on demand', () => {
    expect(bucketOf(catalogTable('pk', { readCapacity: 40 }), null, null)).to.include({
      unitsPerSecond: 20,
      isSet: false,
    });
    expect(bucketOf(catalogTable('pk'), null, null)).to.equal(null);
    expect(bucketOf(catalogTable('pk'), null, 300)).to.include({ unitsPerSecond: 300, isSet: false });
  });

  it("is what the schema's owner set, up to the table's capacity", () => {
    const provisioned = catalogTable('pk', { readCapacity: 40, readLimits: set(30) });
    expect(bucketOf(provisioned, null, null)).to.include({ unitsPerSecond: 30, isSet: true });
    // The capacity was lowered since.
    expect(bucketOf({ ...provisioned, readCapacity: 10 }, null, null)).to.include({ unitsPerSecond: 10 });
    expect(bucketOf(catalogTable('pk', { readLimits: set(7) }), null, 300)).to.include({ unitsPerSecond: 7 });
    // Units of a query say nothing of units a second.
    expect(bucketOf(catalogTable('pk', { readLimits: set(null) }), null, null)).to.equal(null);
  });

  it("is an index's own where the index has capacity of its own, else its table's", () => {
    const indexes = [
      index('own', 'a', { readCapacity: 8 }),
      index('shared', 'b'),
      index('local', 'pk, c', { global: false }),
    ];
    const table = catalogTable('pk, sk', { readCapacity: 40, indexes });
    const name = bucketOf(table, null, null)?.name;
    expect(bucketOf(table, 'own', null)).to.include({ unitsPerSecond: 4 });
    expect(bucketOf(table, 'own', null)?.name).to.not.equal(name);
    for (const other of ['shared', 'local'])
      expect(bucketOf(table, other, null)).to.deep.include({ unitsPerSecond: 20, name });
  });

  it('is shared by schemas that lead to one table, unless they set limits', () => {
    const one = catalogTable('pk', { readCapacity: 40 });
    const other = { ...one, schemaName: 'other' };
    expect(bucketOf(one, null, null)?.name).to.equal(bucketOf(other, null, null)?.name);
    const [limited, otherLimited] = [one, other].map((table) => ({ ...table, readLimits: set(5) }));
    expect(bucketOf(limited!, null, null)?.name).to.not.equal(bucketOf(otherLimited!, null, null)?.name);
  });
});
