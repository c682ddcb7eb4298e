import { expect } from 'chai';
import type { Catalog } from '../../src/clients/catalog.ts';
import { withoutDeniedIndexes } from '../../src/clients/denied-indexes.ts';
import { DENIED_INDEX_MS } from '../../src/limits.ts';
import { catalogTable, index } from '../dynamodb/fixtures.ts';

describe('tables without denied indexes', () => {
  const table = catalogTable('id:S', { indexes: [index('by-a', 'a:S'), index('by-b', 'b:S')] });
  const call = (tenantId: string) => ({
    tenantId,
    token: 't',
    requestId: 'r',
    signal: new AbortController().signal,
  });

  it('lack them for that tenant and for some minutes, under a version of their own', async () => {
    let now = 0;
    const outdated: (string | null | undefined)[] = [];
    const catalog: Catalog = {
      resolve: async (_call, _references, _maySample, version) => {
        outdated.push(version);
        return [table];
      },
      report: () => undefined,
    };
    const without = withoutDeniedIndexes(catalog, { now: () => now });
    const shown = async (tenantId: string, version: string | null = null) => {
      const [one] = await without.resolve(call(tenantId), [{ schema: 's', table: 't' }], true, version);
      if (one === undefined || one instanceof Error) throw new Error('no table');
      return one;
    };
    expect(await shown('t1')).to.equal(table);
    without.deny('t1', table, 'by-a');
    const less = await shown('t1');
    expect(less.indexes.map(({ name }) => name)).to.deep.equal(['by-b']);
    expect(less.version).to.not.equal(table.version);
    expect(await shown('t2')).to.equal(table);
    // The registry knows only its own versions.
    await shown('t1', less.version);
    expect(outdated.at(-1)).to.equal(table.version);
    now = DENIED_INDEX_MS;
    expect(await shown('t1')).to.equal(table);
  });
});
