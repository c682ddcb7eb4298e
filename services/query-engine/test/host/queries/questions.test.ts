import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
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
  const narrow = { ...orders().catalog, access: { ...orders().catalog.access, tableAllowlist: ['orders'] } };
  const questions = createQuestions({
    tables: createCheckedTables(
      {
        resolve: async (_, references) =>
          references.map(({ table }) =>
            table === 'gone'
              ? { kind: 'error', error: new PenstockError('TABLE_NOT_FOUND', 'Table not found: gone') }
              : {
                  kind: 'table',
                  table: toHostTable(tableMessage(table === 'orders' ? narrow : customers().catalog)),
                },
          ),
      },
      { now: () => 1_234 },
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
});
