import { expect } from 'chai';
import { ATTRIBUTES_MAX, METADATA_JSON_BYTES_MAX } from '../../src/limits.ts';
import { buildMetadata } from '../../src/metadata/build-metadata.ts';
import type { Item } from '../../src/metadata/item-value.ts';
import { firstRound, nextRound } from '../../src/metadata/sample-rounds.ts';
import type { TableSample } from '../../src/metadata/sample-table.ts';
import type { TableDescription, TableMetadata } from '../../src/metadata/table-metadata.ts';

const NOW = Date.parse('2026-06-01T00:00:00.000Z');
const DAY = 24 * 60 * 60 * 1000;

const description = (itemCount = 0): TableDescription => ({
  tableName: 'orders',
  key: { partitionKey: { name: 'id', type: 'S' }, sortKey: null },
  indexes: [],
  itemCount,
  sizeBytes: itemCount * 100,
});

const sample = (items: readonly Item[], complete = false): TableSample => ({
  items,
  sizeBytes: items.length * 50,
  readUnits: 1,
  complete,
  runs: [],
});

const names = (metadata: { attributes: readonly { name: string }[] }) =>
  metadata.attributes.map(({ name }) => name);

describe('building a table’s metadata', () => {
  it('holds the keys with their declared type, sampled or not', () => {
    const planned = buildMetadata(description(), null, null, NOW);
    expect(planned.attributes).to.deep.include.members([
      {
        name: 'id',
        types: [{ type: 'S', count: 0 }],
        integerDigits: 0,
        scale: 0,
        nested: [],
        distinctValues: 0,
      },
    ]);
    expect(planned).to.include({ sampledAt: null, sampledItems: 0 });
  });

  it('counts by the sample where DynamoDB has not counted yet, or the sample is everything', () => {
    const items = [{ id: { S: '1' } }, { id: { S: '2' } }];
    expect(buildMetadata(description(), sample(items, true), null, NOW)).to.include({
      itemCount: 2,
      sizeBytes: 100,
    });
    expect(buildMetadata(description(900), sample(items, true), null, NOW)).to.include({ itemCount: 2 });
    expect(buildMetadata(description(900), sample(items), null, NOW)).to.include({
      itemCount: 900,
      sizeBytes: 90_000,
    });
  });

  it('takes no count that a sample shows to lag for the table’s: it may be large', () => {
    const items = Array.from({ length: 256 }, (_, i) => ({ id: { S: String(i) } }));
    const index = {
      name: 'by_id',
      global: true,
      key: { partitionKeys: [{ name: 'id', type: 'S' as const }], sortKeys: [] },
      projection: 'ALL' as const,
      nonKeyAttributes: [],
      coverage: 'assumed' as const,
      itemCount: 3,
      sizeBytes: 300,
    };
    for (const counted of [0, 3]) {
      const fresh = buildMetadata({ ...description(counted), indexes: [index] }, sample(items), null, NOW);
      // The sizes of the items that were sampled are all that is known.
      expect(fresh).to.include({ itemCount: 0, sizeBytes: 256 * 50, sampledItems: 256 });
      expect(fresh.indexes[0]).to.include({ itemCount: 0, sizeBytes: 0 });
    }
    // What DynamoDB counted before is nearer than nothing.
    const before = buildMetadata(description(900), sample(items), null, NOW - DAY);
    expect(buildMetadata(description(), sample(items), before, NOW)).to.include({ itemCount: 900 });
    const small = buildMetadata(description(10), sample(items.slice(0, 10), true), null, NOW - DAY);
    expect(buildMetadata(description(10), sample(items), small, NOW)).to.include({ itemCount: 0 });
  });

  it('guesses by the sample where DynamoDB counts items and no bytes', () => {
    const items = [{ id: { S: '1' } }, { id: { S: '2' } }];
    const counted = { ...description(900), sizeBytes: 0 };
    expect(buildMetadata(counted, sample(items), null, NOW)).to.include({
      itemCount: 900,
      sizeBytes: 45_000,
    });
  });

  it('keeps what an earlier sample met for a month, and no longer', () => {
    const first = buildMetadata(description(900), sample([{ id: { S: '1' }, rare: { S: 'x' } }]), null, NOW);
    const missed = sample([{ id: { S: '2' } }]);
    const second = buildMetadata(description(900), missed, first, NOW + DAY);
    expect(names(second)).to.deep.equal(['id', 'rare']);
    const third = buildMetadata(description(900), missed, second, NOW + 30 * DAY);
    expect(names(third)).to.deep.equal(['id', 'rare']);
    expect(names(buildMetadata(description(900), missed, third, NOW + 32 * DAY))).to.deep.equal(['id']);
    const found = sample([{ id: { S: '1' }, rare: { S: 'x' } }]);
    const again = buildMetadata(description(900), found, third, NOW + 30 * DAY);
    expect(again.attributes[1]).to.not.have.property('unsampledSince');
  });

  it('keeps the places that attributes have had, and has what is met later behind them', () => {
    const places = ({ attributes }: TableMetadata): readonly string[] =>
      attributes.map(({ name, metSince }) => `${name} ${metSince === undefined ? 'first' : 'later'}`);
    const first = buildMetadata(description(900), sample([{ id: { S: '1' }, z: { S: 'x' } }]), null, NOW);
    expect(places(first)).to.deep.equal(['id first', 'z first']);
    const later = sample([{ id: { S: '2' }, a: { S: 'x' } }]);
    const second = buildMetadata(description(900), later, first, NOW + DAY);
    expect(places(second)).to.deep.equal(['a later', 'id first', 'z first']);
    // In the next sample or not, each keeps its place.
    for (const items of [[{ id: { S: '1' }, z: { S: 'x' } }], [{ id: { S: '1' }, a: { S: 'x' } }], null]) {
      const third = buildMetadata(description(900), items && sample(items), second, NOW + 2 * DAY);
      expect(places(third)).to.deep.equal(['a later', 'id first', 'z first']);
      expect(third.attributes[0]?.metSince).to.equal(second.attributes[0]?.metSince);
    }
  });

  it('forgets what is not there once every item has been read', () => {
    const first = buildMetadata(description(900), sample([{ id: { S: '1' }, rare: { S: 'x' } }]), null, NOW);
    expect(
      names(buildMetadata(description(1), sample([{ id: { S: '2' } }], true), first, NOW)),
    ).to.deep.equal(['id']);
  });

  it('keeps the most frequent attributes of very many, and always the keys', () => {
    const rare = Array.from(
      { length: 3000 },
      (_, i) => [`a${String(i).padStart(4, '0')}`, { S: 'x' }] as const,
    );
    const items = [{ ...Object.fromEntries(rare) }, { often: { S: 'x' } }, { often: { S: 'x' } }];
    const kept = names(buildMetadata(description(900), sample(items), null, NOW));
    expect(kept).to.have.length(ATTRIBUTES_MAX);
    expect(kept).to.include.members(['id', 'often']);
  });

  it('fits a message and an item even with names of 60 KB', () => {
    const long = Array.from({ length: 100 }, (_, i) => [`${i}`.padEnd(60_000, 'x'), { S: 'x' }] as const);
    const metadata = buildMetadata(description(900), sample([Object.fromEntries(long)]), null, NOW);
    expect(Buffer.byteLength(JSON.stringify(metadata))).to.be.at.most(METADATA_JSON_BYTES_MAX);
    expect(names(metadata)).to.include('id');
    expect(names(metadata).length).to.be.greaterThan(5);
  });
});

describe('the scans of a sample', () => {
  /** One partition, of which one item was read. */
  const oneOf = (totalSegments: number) => ({ totalSegments, items: 1, keys: 1, endedRuns: 0, cut: true });

  it('are sixteen short segments, four of a table that is not counted, or one for a table that is small', () => {
    expect(firstRound(description(0)).parts.map(({ limit }) => limit)).to.deep.equal([64, 64, 64, 64]);
    const first = firstRound(description(50_000));
    const rest = nextRound(description(50_000), first, { runs: [oneOf(3125)], readUnits: 2 });
    expect([first.kind, rest?.kind]).to.deep.equal(['first', 'short']);
    const parts = [...first.parts, ...(rest?.parts ?? [])].sort((a, b) => a.segment - b.segment);
    expect([first.parts.length, parts.length]).to.deep.equal([4, 16]);
    // 100 bytes each: sixteen items a segment, and twice as many may be read of one that has more.
    expect(parts[1]).to.deep.equal({ segment: 292, totalSegments: 3125, limit: 32 });
    expect(firstRound(description(256)).parts).to.deep.equal([{ segment: 0, totalSegments: 1, limit: 256 }]);
  });

  it('are larger ones where the first few are empty', () => {
    const first = firstRound(description(50_000));
    const none = { totalSegments: 3125, items: 0, keys: 0, endedRuns: 0, cut: false };
    const next = nextRound(description(50_000), first, { runs: [none, none, none, none], readUnits: 2 });
    expect(next?.kind).to.equal('probe');
    expect(next?.parts[0]?.totalSegments).to.equal(97);
  });

  it('go on where no segment is empty and none ends, however many partitions were met', () => {
    const probe = { kind: 'probe', parts: [{ segment: 0, totalSegments: 16, limit: 1 }] } as const;
    const runs = Array.from({ length: 16 }, () => oneOf(16));
    const next = nextRound(description(50_000), probe, { runs, readUnits: 10 });
    expect(next?.kind).to.equal('even');
  });

  it('read fewer segments of items that are large', () => {
    const large = { ...description(50_000), sizeBytes: 50_000 * 400_000 };
    const first = firstRound(large);
    const rest = nextRound(large, first, { runs: [oneOf(25_000)], readUnits: 25 });
    expect(first.parts.length + (rest?.parts.length ?? 0)).to.equal(4);
  });
});
