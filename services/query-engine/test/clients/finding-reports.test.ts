import { expect } from 'chai';
import type { CatalogCall, TableFindings } from '../../src/clients/catalog-client.ts';
import { createFindingReports } from '../../src/clients/finding-reports.ts';
import { REPORTED_READS_MAX } from '../../src/limits.ts';

const call = (tenantId: string, token = 'token'): CatalogCall => ({
  tenantId,
  token,
  requestId: 'r',
  signal: new AbortController().signal,
});
const keys = (more: object = {}) => ({
  index: null, keyColumns: ['id'], keys: 1, missing: 0, items: 5, units: 1, ...more,
}); // oxfmt-ignore
const findings = (seen: Partial<TableFindings['seen']>, more: Partial<TableFindings> = {}): TableFindings => ({
  schemaName: 'shop', tableName: 'orders', attributes: [], seen: { keys: [], filters: [], ...seen }, ...more,
}); // oxfmt-ignore

function recorder(fails = false) {
  const sent: { tenantId: string; token: string; requestId: string; found: TableFindings }[] = [];
  const reports = createFindingReports(
    {
      async report({ tenantId, token, requestId }, found) {
        sent.push({ tenantId, token, requestId, found });
        if (fails) throw new Error('the registry is away');
      },
    },
    60_000,
  );
  return { sent, reports };
}

describe('reports of findings', () => {
  it('tell what many queries saw together, each tenant’s and table’s apart', async () => {
    const { sent, reports } = recorder();
    for (let query = 0; query < 20; query++)
      reports.add(call('a', `token ${query}`), findings({ keys: [keys()] }));
    reports.add(call('b'), findings({ keys: [keys({ items: 7 })] }));
    reports.add(
      call('a'),
      findings({ filters: [{ index: 'i', form: 'x = ?', read: 9, passed: 1 }] }, { tableName: 'other' }),
    );
    expect(sent).to.have.length(0);
    await reports.close();
    expect(
      sent.map(({ tenantId, found }) => [tenantId, found.tableName, found.seen.keys[0]?.items]),
    ).to.deep.equal([
      ['a', 'orders', 100],
      ['b', 'orders', 7],
      ['a', 'other', undefined],
    ]);
    expect(sent[0]?.found.seen.keys).to.deep.equal([keys({ keys: 20, items: 100, units: 20 })]);
    expect(sent[0]?.token).to.equal('token 19');
    expect(sent.map(({ requestId }) => requestId)).to.not.include('r');
    await reports.close();
    expect(sent).to.have.length(3);
  });

  it('tell attributes at once', () => {
    const { sent, reports } = recorder();
    const attributes = [{ name: 'new', types: [['S', 1] as const] }];
    reports.add(call('a'), findings({}, { attributes }));
    expect(sent.map(({ found }) => found)).to.deep.equal([findings({}, { attributes })]);
  });

  it('are of bounded size, and failing is no harm', async () => {
    const { sent, reports } = recorder(true);
    for (let i = 0; i < 500; i++)
      reports.add(call('a'), findings({ keys: [keys({ keyColumns: [`k${i}`] })] }));
    await reports.close();
    expect(sent[0]?.found.seen.keys).to.have.length(REPORTED_READS_MAX);
  });
});
