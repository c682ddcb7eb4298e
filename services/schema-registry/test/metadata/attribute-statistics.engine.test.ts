import { expect } from 'chai';
import { DISTINCT_VALUES_MAX, NESTED_ATTRIBUTES_MAX } from '../../src/limits.ts';
import { attributeStatistics } from '../../src/metadata/attribute-statistics.ts';
import type { ItemValue } from '../../src/metadata/item-value.ts';

describe('attribute statistics', () => {
  it('count the types of every attribute, by name', () => {
    const all: ItemValue[] = [
      { S: 'x' },
      { N: '1' },
      { B: 'AA==' },
      { BOOL: true },
      { NULL: true },
      { M: {} },
      { L: [] },
      { SS: ['a'] },
      { NS: ['1'] },
      { BS: ['AA=='] },
    ];
    const [b, a] = attributeStatistics([
      ...all.map((value) => ({ b: value })),
      { b: { S: 'x' }, Z: { S: '' } },
    ]).toReversed();
    expect(a?.name).to.equal('Z');
    expect(b?.types).to.deep.equal(
      ['B', 'BOOL', 'BS', 'L', 'M', 'N', 'NS', 'NULL', 'S', 'SS'].map((type) => ({
        type,
        count: type === 'S' ? 2 : 1,
      })),
    );
    expect(b?.distinctValues, 'scalars only').to.equal(4);
  });

  it('keep the most digits before and after the point', () => {
    const [n] = attributeStatistics([{ n: { N: '12.5' } }, { n: { N: '1E+20' } }, { n: { N: '0.125' } }]);
    expect(n).to.include({ integerDigits: 21, scale: 3 });
    const [s] = attributeStatistics([{ s: { S: '12' } }]);
    expect(s).to.include({ integerDigits: 0, scale: 0 });
  });

  it('follow maps for three levels', () => {
    const deep: ItemValue = { M: { one: { M: { two: { M: { three: { M: { four: { S: 'x' } } } } } } } } };
    const [top] = attributeStatistics([{ top: deep }]);
    const three = top?.nested[0]?.nested[0]?.nested[0];
    expect(three?.name).to.equal('three');
    expect(three?.nested).to.deep.equal([]);
  });

  it('keep the most frequent entries of a map that is a dictionary', () => {
    const items = Array.from({ length: 300 }, (_, i) => ({
      m: { M: { [`key-${String(i).padStart(3, '0')}`]: { S: 'x' }, always: { S: 'y' } } },
    }));
    const [m] = attributeStatistics(items);
    expect(m?.nested).to.have.length(NESTED_ATTRIBUTES_MAX);
    expect(m?.nested.map(({ name }) => name)).to.include('always');
  });

  it('count distinct values up to a bound, long ones by their content', () => {
    const long = 'x'.repeat(1000);
    const [a] = attributeStatistics([
      { a: { S: `${long}1` } },
      { a: { S: `${long}2` } },
      { a: { S: `${long}2` } },
    ]);
    expect(a?.distinctValues).to.equal(2);
    const [many] = attributeStatistics(Array.from({ length: 600 }, (_, i) => ({ a: { S: String(i) } })));
    expect(many?.distinctValues).to.equal(DISTINCT_VALUES_MAX);
  });

  it('take names for what they are', () => {
    const item = JSON.parse('{"__proto__":{"S":"a"},"constructor":{"M":{"__proto__":{"N":"1"}}}}') as Record<
      string,
      ItemValue
    >;
    const statistics = attributeStatistics([item]);
    expect(statistics.map(({ name }) => name)).to.deep.equal(['__proto__', 'constructor']);
    expect(statistics[1]?.nested[0]?.name).to.equal('__proto__');
  });
});
