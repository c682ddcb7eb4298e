import { expect } from 'chai';
import { attributeNames, byUtf8 } from '../../src/catalog/attributes.ts';
import type { Attribute } from '../../src/catalog/table.ts';
import { matchesOf, nameIndex, positionsOf } from '../../src/catalog/name-index.ts';
import { table } from '../binder/fixture.ts';

describe('attribute names', () => {
  it('are the keys, then all others by UTF-8 bytes, keys of indexes among them', () => {
    const orders = {
      ...table('orders', ['id', 'zeta', 'Alpha', 'alpha', '\u{1F600}', '\uFF5E']),
      key: { partitionKey: { name: 'id', type: 'S' as const }, sortKey: { name: 'at', type: 'N' as const } },
      indexes: [
        {
          name: 'by-email',
          global: true,
          key: { partitionKeys: [{ name: 'email', type: 'S' as const }], sortKeys: [] },
          projection: 'ALL' as const,
          nonKeyAttributes: [],
          itemCount: 0,
          sizeBytes: 0,
          coverage: 'complete' as const,
        },
      ],
    };
    expect(attributeNames(orders)).to.deep.equal([
      'id',
      'at',
      'Alpha',
      'alpha',
      'email',
      'zeta',
      '\uFF5E',
      '\u{1F600}',
    ]);
  });

  it('have what was met after the first sample last, in the order in which it was', () => {
    const met = (name: string, metSince: string) => (attribute: Attribute) =>
      attribute.name === name ? { ...attribute, metSince } : attribute;
    const orders = table('orders', ['id', 'a', 'b', 'c', 'd']);
    const attributes = orders.attributes
      .map(met('a', '2026-11-02'))
      .map(met('d', '2026-11-01'))
      .map(met('c', '2026-11-01'));
    expect(attributeNames({ ...orders, attributes })).to.deep.equal(['id', 'b', 'c', 'd', 'a']);
  });

  it('are ordered as DynamoDB orders text, not by UTF-16 units', () => {
    expect(['\u{1F600}', '\uFF5E'].sort(byUtf8)).to.deep.equal(['\uFF5E', '\u{1F600}']);
  });
});

describe('a name index', () => {
  const index = nameIndex(['Total', 'total', 'City', 'city', 'Id', 'Id']);

  it('matches exactly, or whatever the case, and gives every position', () => {
    expect(positionsOf(index, 'total', 'exact')).to.deep.equal([1]);
    expect(positionsOf(index, 'TOTAL', 'folded')).to.deep.equal([0, 1]);
    expect(positionsOf(index, 'Id', 'exact')).to.deep.equal([4, 5]);
    expect(positionsOf(index, 'constructor', 'exact')).to.deep.equal([]);
  });

  it('is asked for quoted names exactly only', () => {
    expect(matchesOf({ quoted: true })).to.deep.equal(['exact']);
    expect(matchesOf({ quoted: false })).to.deep.equal(['exact', 'folded']);
  });
});
