import { expect } from 'chai';
import { attributeStatistics } from '../../src/metadata/attribute-statistics.ts';
import { mergeAttributes } from '../../src/metadata/merge-attributes.ts';
import type { Item } from '../../src/metadata/item-value.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const met = (...items: Item[]) => attributeStatistics(items);

describe('merging attributes', () => {
  it('adds attributes, types, digits and entries that were not known', () => {
    const known = met({ a: { N: '1' }, m: { M: { x: { S: '1' } } } });
    const merged = mergeAttributes(
      known,
      met({ a: { S: 'x' }, b: { S: 'y' }, m: { M: { y: { N: '12.5' } } } }),
      NOW,
    );
    expect(merged.map(({ name }) => name)).to.deep.equal(['a', 'b', 'm']);
    expect(merged[0]?.types).to.deep.equal([
      { type: 'N', count: 1 },
      { type: 'S', count: 1 },
    ]);
    expect(merged[1]).to.deep.include({ types: [{ type: 'S', count: 1 }], unsampledSince: NOW });
    expect(merged[2]?.nested.map(({ name }) => name)).to.deep.equal(['x', 'y']);
    expect(mergeAttributes(met({ a: { N: '1' } }), met({ a: { N: '1.25' } }), NOW)[0]).to.include({
      scale: 2,
    });
  });

  it('returns what was known where nothing is new, however often', () => {
    const known = met({ a: { N: '100' } }, { a: { N: '1' } });
    expect(mergeAttributes(known, met({ a: { N: '5' } }), NOW)).to.equal(known);
    const once = mergeAttributes(known, met({ b: { S: 'x' } }), NOW);
    expect(mergeAttributes(once, met({ b: { S: 'x' } }), '2027-01-01T00:00:00.000Z')).to.equal(once);
  });

  it('counts what the sample missed as rare, whatever the report says', () => {
    const reported = met(...Array.from({ length: 9 }, () => ({ b: { S: 'x' } })));
    expect(mergeAttributes(met({ a: { S: 'x' } }), reported, NOW)[1]?.types).to.deep.equal([
      { type: 'S', count: 1 },
    ]);
  });

  it('lets a full map be', () => {
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${from + i}`, { S: 'x' }]));
    const known = met({ m: { M: keys(0, 100) } });
    expect(mergeAttributes(known, met({ m: { M: keys(200, 50) } }), NOW)).to.equal(known);
  });
});
