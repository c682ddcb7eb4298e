import { expect } from 'chai';
import { METADATA_STORED_BYTES_MAX } from '../../src/limits.ts';
import type {
  AttributeStatistics,
  IndexKey,
  SecondaryIndex,
  TableMetadata,
} from '../../src/metadata/table-metadata.ts';
import { fromMetadataItem, toMetadataItem } from '../../src/store/metadata-items.ts';
import type { StoredItem } from '../../src/store/stored-item.ts';
import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';

const owner = { tenantId: 't', incarnation: 'i' };

const attribute = (name: string): AttributeStatistics => ({
  name,
  types: [{ type: 'S', count: 1 }],
  integerDigits: 0,
  scale: 0,
  nested: [],
  distinctValues: 1,
});

const metadata = (attributes: readonly AttributeStatistics[]): TableMetadata => ({
  kind: 'table-metadata',
  tableName: 'orders',
  key: { partitionKey: { name: 'id', type: 'S' }, sortKey: null },
  indexes: [],
  itemCount: 1,
  sizeBytes: 1,
  attributes,
  sampledItems: 1,
  describedAt: '2026-01-01T00:00:00.000Z',
  sampledAt: null,
});

describe('metadata as an item', () => {
  it('comes back as it was', () => {
    const stored = metadata([attribute('id'), attribute('über')]);
    expect(fromMetadataItem(toMetadataItem(owner, stored, 3, 0))).to.deep.equal({
      metadata: stored,
      isCurrent: true,
      revision: 3,
    });
  });

  const one = (name: string) => ({ name, type: 'S' as const });
  const index = (name: string, global: boolean, key: IndexKey): SecondaryIndex => ({
    name, global, key, projection: 'ALL', nonKeyAttributes: [], itemCount: 1, sizeBytes: 1, coverage: 'complete',
  }); // oxfmt-ignore
  const single: IndexKey = { partitionKeys: [one('id')], sortKeys: [] };
  const several: IndexKey = { partitionKeys: [one('id'), one('a')], sortKeys: [one('b'), one('c')] };
  const withIndexes = (...indexes: readonly SecondaryIndex[]) => ({
    ...metadata([attribute('id')]),
    indexes,
  });
  const bodyOf = (item: StoredItem) =>
    JSON.parse(gunzipSync(item['body']?.B ?? new Uint8Array()).toString()) as Record<string, unknown>;
  const withBody = (item: StoredItem, body: object, format: string): StoredItem => ({
    ...item,
    body: { B: gzipSync(JSON.stringify(body)) },
    format: { N: format },
  });

  it('keeps every attribute of an index’s key', () => {
    const stored = withIndexes(index('both', true, several), index('one', true, single));
    expect(fromMetadataItem(toMetadataItem(owner, stored, 3, 0)).metadata).to.deep.equal(stored);
    // To the letter: versions are made of the text.
    const text = JSON.stringify(fromMetadataItem(toMetadataItem(owner, stored, 3, 0)).metadata.indexes);
    expect(text).to.equal(JSON.stringify(stored.indexes));
  });

  it('can be read by the release before, which knows of single keys only', () => {
    const stored = withIndexes(index('both', true, several), index('one', true, single));
    const body = bodyOf(toMetadataItem(owner, stored, 3, 0));
    expect(body['indexes']).to.deep.equal([
      { ...index('one', true, single), key: { partitionKey: one('id'), sortKey: null } },
    ]);
    expect(body['unusedIndexes']).to.deep.equal([{ name: 'both', ...several }]);
  });

  it('is what the release before stored, and is described again where that left an index out', () => {
    const item = toMetadataItem(owner, withIndexes(index('one', true, single)), 3, 0);
    const { multiAttributeIndexes: _several, ...body } = bodyOf(item);
    const read = fromMetadataItem(withBody(item, body, '2'));
    expect(read.isCurrent).to.equal(true);
    expect(read.metadata.indexes).to.deep.equal([index('one', true, single)]);
    const lacking = { ...body, unusedIndexes: [{ name: 'both', ...several }] };
    expect(fromMetadataItem(withBody(item, lacking, '2')).isCurrent).to.equal(false);
  });

  it('loses the global indexes that an older release stored, which may have had several key attributes', () => {
    const item = toMetadataItem(
      owner,
      withIndexes(index('global', true, single), index('local', false, single)),
      3,
      0,
    );
    const { multiAttributeIndexes: _several, unusedIndexes: _unused, ...body } = bodyOf(item);
    const read = fromMetadataItem(withBody(item, body, '1'));
    expect(read.isCurrent).to.equal(false);
    expect(read.metadata.indexes).to.deep.equal([index('local', false, single)]);
  });

  it('fits an item although its names do not compress', () => {
    const names = Array.from({ length: 60 }, () => randomBytes(6_000).toString('base64'));
    const item = toMetadataItem(owner, metadata([attribute('id'), ...names.map(attribute)]), 1, 0);
    expect(item['body']?.B?.byteLength).to.be.at.most(METADATA_STORED_BYTES_MAX);
    const kept = fromMetadataItem(item).metadata.attributes.map(({ name }) => name);
    expect(kept).to.include('id').and.to.have.length.greaterThan(10);
  });

  it('may be removed by DynamoDB after a month, counted in seconds', () => {
    expect(toMetadataItem(owner, metadata([]), 1, 1_000)['expiresAt']?.N).to.equal(
      String(1 + 30 * 24 * 60 * 60),
    );
  });
});
