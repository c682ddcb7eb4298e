import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { sampleTable } from '../../src/metadata/sample-table.ts';
import type { TableDescription } from '../../src/metadata/table-metadata.ts';
import type { ScanPage, TenantTables } from '../../src/dynamodb/tenant-tables.ts';

const table: TableDescription = {
  tableName: 'orders',
  key: { partitionKey: { name: 'id', type: 'S' }, sortKey: null },
  indexes: [],
  itemCount: 0,
  sizeBytes: 0,
};

/** Tables whose segments answer as given. */
function segments(answer: (segment: number) => ScanPage): TenantTables {
  const unused = () => Promise.reject(new Error('not asked for'));
  return {
    connect: unused,
    describe: unused,
    list: unused,
    probeIndex: unused,
    scan: async (_table, { segment }) => answer(segment),
  };
}

const page = (id: string, ended = false): ScanPage => ({ items: [{ id: { S: id } }], readUnits: 0.5, ended });
const signal = new AbortController().signal;

describe('sampling a table', () => {
  it('puts the segments together and adds up what they consumed', async () => {
    const sample = await sampleTable(
      segments((segment) => page(`i${segment}`)),
      table,
      signal,
    );
    expect(sample.items.map(({ id }) => id?.S)).to.deep.equal(['i0', 'i1', 'i2', 'i3']);
    expect(sample).to.include({ readUnits: 2, sizeBytes: 16, complete: false });
  });

  it('is complete when every segment has ended', async () => {
    expect(
      (
        await sampleTable(
          segments(() => page('i', true)),
          table,
          signal,
        )
      ).complete,
    ).to.equal(true);
  });

  it('goes without segments that are throttled, but not without any', async () => {
    const throttled = new PenstockError('THROTTLED', 'too much');
    const some = segments((segment) => {
      if (segment > 1) throw throttled;
      return page(`i${segment}`, true);
    });
    expect(await sampleTable(some, table, signal)).to.include({ complete: false, readUnits: 1 });
    const none = segments(() => {
      throw throttled;
    });
    expect(await sampleTable(none, table, signal).catch((error: unknown) => error)).to.equal(throttled);
  });

  it('fails where a segment may not be read', async () => {
    const denied = new PenstockError('ACCESS_DENIED', 'no');
    const tables = segments((segment) => {
      if (segment === 3) throw denied;
      return page('i');
    });
    expect(await sampleTable(tables, table, signal).catch((error: unknown) => error)).to.equal(denied);
  });
});
