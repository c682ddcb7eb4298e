import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { CatalogTable } from '../../../src/catalog/table.ts';
import { createCheckedTables } from '../../../src/clients/checked-tables.ts';
import { resolutionsOf, toHostTable } from '../../../src/clients/host-tables.ts';
import { createQuestions } from '../../../src/host/queries/questions.ts';
import type { TableAnswer } from '../../../src/pipe/messages.ts';
import { customers, orders } from '../../engine/shop.ts';
import { tableMessage } from '../table-message.ts';

const SECRET = {
  accessKeyId: 'key',
  secretAccessKey: 'secret',
  sessionToken: 'token',
  expiration: new Date(5_000),
};

describe('what a host answers its workers', () => {
  let nowMs = 1_234;
  const withAllowlist = (tableAllowlist: readonly string[]): CatalogTable => ({
    ...orders().catalog,
    access: { ...orders().catalog.access, tableAllowlist },
  });
  const narrow = withAllowlist(['orders']);
  /** Of another schema over the same role. */
  const sibling = (schemaName: string, tableAllowlist: readonly string[]): CatalogTable => ({
    ...withAllowlist(tableAllowlist),
    schemaName,
  });
  const catalogs: Record<string, CatalogTable> = { orders: narrow, other: sibling('other', ['other']) };
  const questions = createQuestions({
    tables: createCheckedTables(
      {
        resolve: async (_, references) =>
          references.map(({ table }) =>
            table === 'gone'
              ? { kind: 'error', error: new PenstockError('TABLE_NOT_FOUND', 'Table not found: gone') }
              : {
                  kind: 'table',
                  table: toHostTable(tableMessage(catalogs[table] ?? customers().catalog)),
                },
          ),
      },
      { now: () => nowMs },
    ),
    sessions: { credentials: async () => SECRET, renew: async () => true },
  });
  const callOf = (tenantId: string) => ({
    tenantId,
    token: 't',
    requestId: 'r',
    signal: new AbortController().signal,
  });
  const ask = (tenantId: string, table: string, knownVersion: string | null = null) =>
    questions.tables(callOf(tenantId), {
      what: 'tables',
      references: [{ schema: 'shop', table, knownVersion, outdated: false }],
      maySample: true,
    });
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );

  it('is tables as the registry has them, with when they were checked', async () => {
    const { answer, bytes } = await ask('a', 'customers');
    const [found] = resolutionsOf(answer as TableAnswer[], bytes ?? new Uint8Array());
    expect(found).to.have.deep.property('table', { ...customers().catalog, foundEmpty: false });
    expect(found).to.include({ checkedAt: 1_234 });
  });

  it('is nothing new where the worker has a table, and its error where there is none', async () => {
    const { version } = customers().catalog;
    expect((await ask('a', 'customers', version)).answer).to.deep.equal([
      { kind: 'unchanged', checkedAt: 1_234 },
    ]);
    const [answer] = (await ask('a', 'gone')).answer as TableAnswer[];
    expect(answer).to.have.nested.property('error.message', 'Table not found: gone');
  });

  it('is credentials for tables that the tenant was given, and for no others', async () => {
    await ask('a', 'orders');
    const { access } = narrow;
    expect((await questions.credentials(callOf('a'), access)).answer).to.deep.equal({
      accessKeyId: 'key',
      secretAccessKey: 'secret',
      sessionToken: 'token',
      expiresAt: 5_000,
    });
    for (const [tenantId, wanted] of [
      ['b', access],
      ['a', { ...access, roleArn: 'arn:aws:iam::999988887777:role/r' }],
      ['a', { ...access, externalId: 'another' }],
      ['a', { ...access, tableAllowlist: ['customers'] }],
      ['a', { ...access, tableAllowlist: [] }],
    ] as const) {
      expect(await failure(questions.credentials(callOf(tenantId), wanted))).to.include({ code: 'INTERNAL' });
      const renewal = { what: 'renewal', access: wanted, used: null, why: 'denied' } as const;
      expect(await failure(questions.renewal(callOf(tenantId), renewal))).to.include({ code: 'INTERNAL' });
    }
  });

  it('is credentials by each schema over a role, by the newest allowlist of each', async () => {
    await ask('c', 'orders');
    await ask('c', 'other');
    const wanted = (tableAllowlist: readonly string[]) =>
      questions.credentials(callOf('c'), { ...narrow.access, tableAllowlist });
    for (const names of [['orders'], ['other']])
      expect(await wanted(names)).to.have.nested.property('answer.accessKeyId');
    // None of the two has both.
    expect(await failure(wanted(['orders', 'other']))).to.include({ code: 'INTERNAL' });
    catalogs['other'] = { ...sibling('other', ['less']), version: '2' };
    nowMs += 3_600_000;
    await ask('c', 'other');
    expect(await failure(wanted(['other']))).to.include({ code: 'INTERNAL' });
    expect(await wanted(['orders'])).to.have.nested.property('answer.accessKeyId');
  });
});
