import { expect } from 'chai';
import type { DynamoDbType, TableAttribute, TableDetails } from '../../src/clients/catalog-tables.ts';
import { columnShapes } from '../../src/clients/column-types.ts';

function attribute(
  name: string,
  types: Partial<Record<DynamoDbType, number>>,
  more: Partial<TableAttribute> = {},
): TableAttribute {
  const counts = new Map(Object.entries(types) as [DynamoDbType, number][]);
  return { name, types: counts, integerDigits: 0, scale: 0, distinctValues: 0, nested: [], ...more };
}

function details(attributes: readonly TableAttribute[], sampledItems: number): TableDetails {
  return {
    key: { partitionKey: { name: 'p', type: 'S' }, sortKey: { name: 's', type: 'N' } },
    indexes: [],
    itemCount: 10,
    sizeBytes: 100,
    attributes,
    sampledItems,
    describedAt: '2026-01-01T00:00:00.000Z',
  };
}

const typeOf = (types: Partial<Record<DynamoDbType, number>>, more: Partial<TableAttribute> = {}) =>
  columnShapes(details([attribute('a', types, more)], 4))[0]?.type;

describe('columns as they are described', () => {
  it('have the narrowest exact type of the numbers seen', () => {
    expect(typeOf({ N: 4 }, { integerDigits: 18 })).to.equal('BIGINT');
    expect(typeOf({ N: 4 }, { integerDigits: 19 })).to.equal('HUGEINT');
    expect(typeOf({ N: 4 }, { integerDigits: 5, scale: 2 })).to.equal('DECIMAL(7,2)');
    expect(typeOf({ N: 4 }, { integerDigits: 37, scale: 2 })).to.equal('DOUBLE');
  });

  it('are MIXED where types differ in SQL, not where only NULL or another kind of document comes along', () => {
    expect(typeOf({ S: 2, N: 2 })).to.equal('MIXED');
    expect(typeOf({ S: 2, NULL: 2 })).to.equal('VARCHAR');
    expect(typeOf({ M: 1, L: 1, SS: 1 })).to.equal('JSON');
    expect(typeOf({})).to.equal('unknown');
  });

  it('come keys first, with what is inside documents after them, and how full they are', () => {
    const inner = attribute('zip', { S: 1 });
    const shapes = columnShapes(
      details(
        [
          attribute('a', { M: 2, NULL: 2 }, { nested: [inner] }),
          attribute('s', { N: 4 }),
          attribute('p', { S: 4 }),
        ],
        4,
      ),
    );
    expect(shapes.map(({ name, filled }) => [name, filled])).to.deep.equal([
      ['p', 1],
      ['s', 1],
      ['a', 0.5],
      ['a.zip', 0.25],
    ]);
  });

  it('say nothing of fullness where no item was sampled', () => {
    expect(columnShapes(details([attribute('p', {})], 0))[0]).to.deep.equal({ name: 'p', type: 'unknown' });
  });
});
