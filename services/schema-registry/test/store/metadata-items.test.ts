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
      revision: 3,
    });
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
