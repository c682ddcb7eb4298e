import { expect } from 'chai';
import { buildMetadata } from '../../src/metadata/build-metadata.ts';
import type { EstimateRange } from '../../src/metadata/estimate-range.ts';
import type { Item } from '../../src/metadata/item-value.ts';
import { sampleTable } from '../../src/metadata/sample-table.ts';
import { randomOf, simulatedTable } from '../support/simulated-table.ts';

const signal = new AbortController().signal;

/** What a sample says of the attribute `v`, over partitions of a size. */
async function distinctOf(
  partitions: number,
  size: number,
  value: (partition: number, sort: number) => Item,
  seed = 1,
): Promise<EstimateRange> {
  const { tables, description } = simulatedTable(
    Array.from({ length: partitions }, () => size),
    { itemBytes: 400, random: randomOf(seed), itemOf: value },
  );
  const metadata = buildMetadata(description, await sampleTable(tables, description, signal), null, 0);
  const found = metadata.attributes.find(({ name }) => name === 'v')?.distinct;
  if (found === undefined) throw new Error('nothing is known of the attribute');
  return found;
}

const holds = ({ low, estimate, high }: EstimateRange, truth: number): void => {
  expect(low)
    .to.be.at.most(estimate)
    .and.at.most(truth * 1.01);
  expect(high)
    .to.be.at.least(estimate)
    .and.at.least(truth / 1.01);
};

describe('distinct values of an attribute, by a sample', () => {
  it('are few and told well where values repeat over partitions', async () => {
    const range = await distinctOf(20_000, 5, (partition, sort) => ({
      v: { S: `s${(partition * 7 + sort) % 6}` },
    }));
    holds(range, 6);
    expect(range.estimate).to.be.within(5.5, 7);
  });

  it('are as many as the partitions where each has one value of its own', async () => {
    const range = await distinctOf(10_000, 50, (partition) => ({ v: { S: `mail${partition}` } }));
    holds(range, 10_000);
    expect(range.estimate).to.be.within(5_000, 20_000);
  });

  it('are as many as the items where each has one of its own', async () => {
    const range = await distinctOf(10_000, 5, (partition, sort) => ({ v: { S: `o${partition}.${sort}` } }));
    holds(range, 50_000);
    expect(range.estimate).to.be.within(40_000, 50_000);
  });

  it('are a wide range where a sample cannot tell, never a number that says otherwise', async () => {
    // A few values in nine of ten items, and all others different: what is different of the sample tells little.
    const range = await distinctOf(100_000, 1, (partition) => ({
      v: { S: partition % 10 === 0 ? `rare${partition}` : `often${partition % 3}` },
    }));
    holds(range, 10_003);
    expect(range.high / range.low).to.be.greaterThan(50);
  });

  it('are counted of a table that was read whole', async () => {
    expect(await distinctOf(20, 5, (partition) => ({ v: { N: String(partition % 4) } }))).to.deep.equal({
      low: 4,
      estimate: 4,
      high: 4,
    });
  });
});
