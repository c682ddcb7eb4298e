/** How far estimates from samples are off, over tables of the shapes that DynamoDB is used in, and what samples cost. */
import { expect } from 'chai';
import { oneOf } from '../../../common/test/support/random-budget.ts';
import { SAMPLE_UNITS } from '../../src/limits.ts';
import { buildMetadata } from '../../src/metadata/build-metadata.ts';
import { sampleTable } from '../../src/metadata/sample-table.ts';
import { randomOf, simulatedTable } from '../support/simulated-table.ts';

const RUNS = 80;
const signal = new AbortController().signal;

const repeated = (count: number, size: number): number[] => Array.from({ length: count }, () => size);

/** Of large items fewer are read, so that more estimates are far off. */
const LARGE_ITEM_BYTES = 4_000;
const LARGE_ITEMS = 1.5;

/** Sizes of partitions; and the factor by which an estimate is off at most: the median, and 95 % of all. */
const SHAPES = {
  'unique keys': { sizes: repeated(100_000, 1), median: 1.1, p95: 1.3 },
  '50 items each': { sizes: repeated(20_000, 50), median: 1.25, p95: 2 },
  Zipf: {
    sizes: Array.from({ length: 20_000 }, (_, rank) => Math.max(1, Math.round(100_000 / (rank + 1)))),
    median: 1.25,
    p95: 1.7,
  },
  'one table for everything': {
    sizes: [...repeated(10_000, 1), ...repeated(5_000, 12), ...repeated(500, 200), ...repeated(20, 5_000)],
    median: 1.25,
    p95: 1.7,
  },
  'one partition with 90 %': { sizes: [900_000, ...repeated(10_000, 10)], median: 1.25, p95: 1.7 },
  '2,500 items each': { sizes: repeated(400, 2_500), median: 1.3, p95: 3.5 },
  '60,000 items each': { sizes: repeated(17, 60_000), median: 1.25, p95: 2 },
} as const;

interface Measured {
  readonly factor: number;
  readonly isWithin: boolean;
  readonly units: number;
}

async function measure(sizes: readonly number[], itemBytes: number, seed: number): Promise<Measured> {
  const { tables, description, partitions } = simulatedTable(sizes, { itemBytes, random: randomOf(seed) });
  const sample = await sampleTable(tables, description, signal);
  const { itemsPerKey, itemCount } = buildMetadata(description, sample, null, 0);
  if (itemsPerKey == null) throw new Error('no estimate');
  const truth = itemCount / partitions;
  const { low, estimate, high } = itemsPerKey;
  return {
    factor: Math.max(estimate / truth, truth / estimate),
    // Three digits are kept.
    isWithin: low <= truth * 1.01 && high >= truth / 1.01,
    units: sample.readUnits,
  };
}

/** What four segments of 64 items cost, which is what samples read before. */
const fourSegments = (itemBytes: number): number => 4 * (Math.ceil((64 * itemBytes) / 4096) / 2);

function quantile(figures: readonly number[], part: number): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(part * (figures.length - 1))] ?? Number.NaN;
}

describe('items of a partition, by a sample', () => {
  for (const [place, [shape, { sizes, median, p95 }]] of Object.entries(SHAPES).entries()) {
    for (const itemBytes of oneOf([512, LARGE_ITEM_BYTES], place)) {
      it(`are near the truth for ${shape}, of ${itemBytes} bytes`, async function () {
        this.timeout(60_000);
        const measured: Measured[] = [];
        for (let seed = 1; seed <= RUNS; seed++) measured.push(await measure(sizes, itemBytes, seed));
        const factors = measured.map(({ factor }) => factor);
        const units = measured.map((one) => one.units);
        const within = measured.filter(({ isWithin }) => isWithin).length / RUNS;
        const told = [0.5, 0.95].map((part) => quantile(factors, part).toFixed(2)).join(' / ');
        const cost = [0.5, 1].map((part) => quantile(units, part).toFixed(1)).join(' / ');
        const line = `off by ${told}, in its range ${within}, units ${cost}`;
        expect(quantile(factors, 0.5), line).to.be.at.most(median);
        const p95Max = itemBytes === LARGE_ITEM_BYTES ? p95 * LARGE_ITEMS : p95;
        expect(quantile(factors, 0.95), line).to.be.at.most(p95Max);
        expect(within, line).to.be.at.least(0.86);
        expect(Math.max(...units), line).to.be.at.most(Math.max(1.5 * SAMPLE_UNITS, fourSegments(itemBytes)));
        expect(quantile(units, 0.5), line).to.be.at.most(
          Math.max(1.1 * SAMPLE_UNITS, fourSegments(itemBytes)),
        );
      });
    }
  }

  it('go by partitions that ended where DynamoDB’s count is too small to be true', async () => {
    const random = randomOf(7);
    const { tables, description } = simulatedTable(repeated(200_000, 4), {
      itemBytes: 200,
      random,
      itemCount: 2_000,
    });
    const sample = await sampleTable(tables, description, signal);
    const { itemsPerKey } = buildMetadata(description, sample, null, 0);
    expect(itemsPerKey?.estimate).to.be.within(3.3, 4.8);
  });

  it('go by partitions that ended where DynamoDB has not counted', async () => {
    const { tables, description } = simulatedTable(repeated(20_000, 5), {
      itemBytes: 200,
      random: randomOf(8),
      itemCount: 0,
    });
    const sample = await sampleTable(tables, description, signal);
    const metadata = buildMetadata(description, sample, null, 0);
    expect(metadata.itemCount).to.equal(0);
    expect(metadata.itemsPerKey?.estimate).to.be.within(4, 6.5);
  });

  it('are told by longer reads where even the smallest segments are large', async function () {
    this.timeout(60_000);
    // As a table of a billion items: a millionth of it is a thousand items.
    const { tables, description } = simulatedTable(repeated(400_000, 50), {
      itemBytes: 300,
      random: randomOf(9),
    });
    const counted = { ...description, itemCount: 2_000_000_000, sizeBytes: 600_000_000_000 };
    const scans: { segment: number; totalSegments: number; limit: number }[] = [];
    const dense: typeof tables = {
      ...tables,
      // A hundredth of the segments, each as full as a segment of that table would be.
      scan: (name, part, abort) => {
        scans.push(part);
        const totalSegments = part.totalSegments / 100;
        return tables.scan(name, { ...part, segment: part.segment % totalSegments, totalSegments }, abort);
      },
    };
    const sample = await sampleTable(dense, counted, signal);
    const { itemsPerKey } = buildMetadata(counted, sample, null, 0);
    expect(scans.every(({ totalSegments }) => totalSegments <= 1_000_000)).to.equal(true);
    expect(itemsPerKey?.estimate).to.be.within(40, 65);
  });
});
