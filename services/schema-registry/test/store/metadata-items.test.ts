import { expect } from 'chai';
import { METADATA_STORED_BYTES_MAX } from '../../src/limits.ts';
import type { AttributeStatistics, TableMetadata } from '../../src/metadata/table-metadata.ts';
import { fromMetadataItem, toMetadataItem } from '../../src/store/metadata-items.ts';
import { randomBytes } from 'node:crypto';

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
  unusedIndexes: [],
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

  it('loses the global indexes that an older release stored, which may have had several key attributes', () => {
    const key = { partitionKey: { name: 'id', type: 'S' as const }, sortKey: null };
    const index = (name: string, global: boolean) => ({
      name, global, key, projection: 'ALL' as const, nonKeyAttributes: [], itemCount: 1, sizeBytes: 1,
    }); // prettier-ignore
    const older = { ...metadata([attribute('id')]), indexes: [index('global', true), index('local', false)] };
    const { format: _format, ...item } = toMetadataItem(owner, older as unknown as TableMetadata, 3, 0);
    const read = fromMetadataItem(item);
    expect(read.isCurrent).to.equal(false);
    expect(read.metadata.indexes).to.deep.equal([{ ...index('local', false), coverage: 'complete' }]);
    expect(read.metadata.unusedIndexes).to.deep.equal([]);
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
