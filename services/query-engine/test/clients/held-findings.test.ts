import { expect } from 'chai';
import { createHeldFindings } from '../../src/clients/held-findings.ts';
import type { TableFindings } from '../../src/clients/catalog-client.ts';
import { READ_REPORT_MS } from '../../src/limits.ts';

const pointRead = (missing: number, tableName = 'orders'): TableFindings => ({
  schemaName: 'app',
  tableName,
  attributes: [],
  seen: {
    keys: [{ index: null, keyColumns: ['id'], keys: 1, missing, items: 1 - missing, units: 0.5 }],
    filters: [],
  },
});
const FILTER = { index: null, form: 'status = ?', read: 100, passed: 3 };

describe('findings of point reads', () => {
  it('are told at first, then together', () => {
    const clock = { ms: 1_000, now: () => clock.ms };
    const held = createHeldFindings(clock);
    expect(held.add('t1', pointRead(0))).to.deep.equal(pointRead(0));
    for (let i = 0; i < 3; i++) expect(held.add('t1', pointRead(1))).to.equal(null);
    clock.ms += READ_REPORT_MS - 1;
    expect(held.add('t1', pointRead(0))).to.equal(null);
    clock.ms += 1;
    expect(held.add('t1', pointRead(0))?.seen.keys).to.deep.equal([
      { index: null, keyColumns: ['id'], keys: 5, missing: 3, items: 2, units: 2.5 },
    ]);
    expect(held.add('t1', pointRead(0))).to.equal(null);
  });

  it('are of one table of one tenant', () => {
    const held = createHeldFindings({ now: () => 0 });
    held.add('t1', pointRead(0));
    expect(held.add('t2', pointRead(0))).to.deep.equal(pointRead(0));
    expect(held.add('t1', pointRead(0, 'items'))).to.deep.equal(pointRead(0, 'items'));
  });

  it('hold nothing back that says more, and go with it', () => {
    const held = createHeldFindings({ now: () => 0 });
    const attributes = [{ name: 'new', types: [['S', 1] as const] }];
    held.add('t1', pointRead(0));
    held.add('t1', pointRead(1));
    const filtered = { ...pointRead(0), seen: { keys: [], filters: [FILTER] } };
    expect(held.add('t1', filtered)).to.deep.equal({
      ...filtered,
      seen: { keys: pointRead(1).seen.keys, filters: [FILTER] },
    });
    expect(held.add('t1', { ...pointRead(0), attributes })?.attributes).to.deep.equal(attributes);
    const several = { ...pointRead(0).seen.keys[0]!, keys: 2 };
    const lookup = { ...pointRead(0), seen: { keys: [several], filters: [] } };
    expect(held.add('t1', lookup)).to.deep.equal(lookup);
  });
});
