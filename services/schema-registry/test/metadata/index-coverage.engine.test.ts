import { expect } from 'chai';
import { LACKING_INDEX_DAYS_MAX } from '../../src/limits.ts';
import { buildMetadata } from '../../src/metadata/build-metadata.ts';
import type { Item } from '../../src/metadata/item-value.ts';
import type {
  IndexKey,
  SecondaryIndex,
  TableDescription,
  TableMetadata,
} from '../../src/metadata/table-metadata.ts';
import { tableVersion } from '../../src/metadata/table-metadata.ts';
import type { SchemaRecord } from '../../src/schemas/schema-record.ts';

const NOW = Date.parse('2026-06-01T00:00:00.000Z');
const DAY = 24 * 60 * 60 * 1000;

const key: IndexKey = {
  partitionKeys: [{ name: 'status', type: 'S' }],
  sortKeys: [{ name: 'rank', type: 'N' }],
};

const description = (indexes: readonly SecondaryIndex[]): TableDescription => ({
  tableName: 'orders',
  key: { partitionKey: { name: 'id', type: 'S' }, sortKey: null },
  indexes,
  itemCount: 1000,
  sizeBytes: 1000,
});

const index = (more: Partial<SecondaryIndex> = {}): SecondaryIndex => ({
  name: 'by-status',
  global: true,
  key,
  projection: 'ALL',
  nonKeyAttributes: [],
  itemCount: 0,
  sizeBytes: 0,
  coverage: 'assumed',
  ...more,
});

const build = (
  items: readonly Item[] | null,
  { complete = false, previous = null as TableMetadata | null, one = index(), now = NOW } = {},
): TableMetadata => {
  const sample = items === null ? null : { items, sizeBytes: 1, readUnits: 1, complete, runs: [] };
  return buildMetadata(description([one]), sample, previous, now);
};
const coverage = (metadata: TableMetadata) => metadata.indexes[0]?.coverage;

const fit: Item = { id: { S: '1' }, status: { S: 'open' }, rank: { N: '1' } };
const unfit: readonly (readonly [string, Item])[] = [
  ['a sort key of another type', { ...fit, rank: { S: '07' } }],
  ['a partition key of another type', { ...fit, status: { N: '1' } }],
  ['an empty key', { ...fit, status: { S: '' } }],
  ['a partition key that is too long', { ...fit, status: { S: 'é'.repeat(1025) } }],
];

describe('what is known of the items that a global index lacks', () => {
  it('is nothing before a sample, and little after one that did not read all', () => {
    expect(coverage(build(null))).to.equal('assumed');
    expect(coverage(build([fit]))).to.equal('assumed');
  });

  it('is that there are none where every item was read, then and ever after', () => {
    const complete = build([fit], { complete: true });
    expect(coverage(complete)).to.equal('complete');
    expect(coverage(build([], { complete: true }))).to.equal('complete');
    expect(coverage(build([fit], { previous: complete }))).to.equal('complete');
    expect(coverage(build(null, { previous: complete }))).to.equal('complete');
    const other = index({ key: { ...key, sortKeys: [] } });
    expect(coverage(build([fit], { previous: complete, one: other }))).to.equal('assumed');
  });

  for (const [what, item] of unfit)
    it(`is that there are some where ${what} was met`, () => {
      expect(coverage(build([fit, item], { complete: true }))).to.equal('lacking');
      expect(coverage(build([fit, item]))).to.equal('lacking');
    });

  it('takes a sort key of more than 1024 bytes for too long, also the table’s own partition key', () => {
    const one = index({
      key: { partitionKeys: [{ name: 'status', type: 'S' }], sortKeys: [{ name: 'id', type: 'S' }] },
    });
    const item = (length: number): Item => ({ ...fit, id: { S: 'x'.repeat(length) } });
    expect(coverage(build([item(1024)], { one }))).to.equal('assumed');
    expect(coverage(build([item(1025)], { one }))).to.equal('lacking');
  });

  it('looks at every attribute of a key that has several, and takes their bytes together', () => {
    const text = (name: string) => ({ name, type: 'S' as const });
    const one = index({
      key: {
        partitionKeys: [text('status'), { name: 'year', type: 'N' }],
        sortKeys: [text('city'), text('street')],
      },
    });
    const item: Item = { ...fit, year: { N: '1' }, city: { S: 'x'.repeat(500) }, street: { S: 'y' } };
    const met = (more: Item) => coverage(build([{ ...item, ...more }], { one, complete: true }));
    expect(met({})).to.equal('complete');
    expect(met({ street: { S: 'y'.repeat(524) } })).to.equal('complete');
    expect(met({ street: { S: 'y'.repeat(525) } })).to.equal('lacking');
    expect(met({ status: { S: 'z'.repeat(2048 - 21) } })).to.equal('complete');
    expect(met({ status: { S: 'z'.repeat(2048 - 20) } })).to.equal('lacking');
    expect(met({ year: { S: '1' } })).to.equal('lacking');
    expect(met({ street: { S: '' } })).to.equal('lacking');
    expect(met({ street: { NULL: true }, year: { S: '1' } })).to.equal('complete');
  });

  it('does not count items that lack a key attribute, which no query of it is after', () => {
    const absent: Item = { id: { S: '1' }, rank: { S: '07' } };
    const nothing: Item = { ...absent, status: { NULL: true } };
    expect(coverage(build([absent, nothing], { complete: true }))).to.equal('complete');
  });

  it('is remembered for a month after such an item was last met, or until all items are read', () => {
    const met = build([...unfit.map(([, item]) => item)]);
    const later = (days: number, previous = met) => build([fit], { previous, now: NOW + days * DAY });
    expect(coverage(later(LACKING_INDEX_DAYS_MAX - 1))).to.equal('lacking');
    const soon = later(10);
    expect(coverage(later(LACKING_INDEX_DAYS_MAX + 1, soon))).to.equal('assumed');
    expect(coverage(build([fit], { previous: met, complete: true }))).to.equal('complete');
  });

  it('does not change the version where such items are only met again', () => {
    const record = {
      schemaName: 's',
      roleArn: 'r',
      externalId: 'e',
      region: 'x',
      tableAllowlist: [],
      readLimits: null,
    };
    const versionOf = (metadata: TableMetadata) =>
      tableVersion(record as unknown as SchemaRecord, { ...metadata, attributes: [] });
    const met = build([{ ...fit, rank: { S: '07' } }]);
    const again = build([{ ...fit, rank: { S: '07' } }], { previous: met, now: NOW + DAY });
    expect(versionOf(again)).to.equal(versionOf(met));
    expect(versionOf(build([fit]))).to.not.equal(versionOf(met));
  });
});
