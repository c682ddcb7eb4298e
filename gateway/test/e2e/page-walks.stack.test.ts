/** Walks over pages of REST and of run_sql, by two engines: what they give, what they cost, and what ends their positions. */
import { expect } from 'chai';
import type { CustomerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { clearRequests, requestsOf } from './support/request-log.ts';
import { seedWide } from './support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';
import { takesEffect } from './support/takes-effect.ts';
import {
  newAccount,
  newTenant,
  registerSchema,
  type QueryEnvelope,
  type TestTenant,
} from './support/tenant.ts';

const COUNT = 1_500;
const ITEM_BYTES = 1_000;
const MAX_ROWS = 50;

describe('a walk over pages', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let other: CustomerAccount;

  before(async () => {
    stack = await sharedStack();
    tenant = await newTenant(stack);
    [account, other] = [newAccount(stack), newAccount(stack)];
    await seedWide(account, 'items', COUNT, ITEM_BYTES);
    await seedWide(other, 'items', 120, 10);
  });
  after(() => {
    account.close();
    other.close();
  });

  const page = async (sql: string, resumeIdx: number, maxRows = MAX_ROWS) => {
    const { status, body } = await tenant.call<QueryEnvelope>('POST', '/v1/query', {
      json: { sql, options: { resumeIdx, maxRows } },
    });
    return { status, body };
  };
  const units = async (): Promise<number> =>
    (await requestsOf(stack, account)).reduce((sum, { consumedUnits }) => sum + (consumedUnits ?? 0), 0);

  /** All rows, page by page. */
  async function walk(sql: string): Promise<{ readonly rows: readonly string[]; readonly pages: number }> {
    const rows: string[] = [];
    let pages = 0;
    for (let resumeIdx: number | undefined = 0; resumeIdx !== undefined; pages++) {
      const { body }: Awaited<ReturnType<typeof page>> = await page(sql, resumeIdx);
      rows.push(...body.data!.data.map((row) => JSON.stringify(row)));
      ({ resumeIdx } = body.data!);
    }
    return { rows, pages };
  }

  for (const [what, where] of [
    ['all rows', ''],
    ['rows that a filter leaves', ' WHERE n % 3 <> 1'],
  ] as const)
    it(`costs what one read costs, and half a unit a page: ${what}`, async () => {
      const schemaName = `walk${where.length}`;
      await registerSchema(stack, tenant, account, { schemaName });
      const sql = `SELECT id, n FROM ${schemaName}.items${where}`;
      const whole = await tenant.call('POST', '/v1/query', {
        json: { sql },
        headers: { accept: 'application/x-ndjson' },
      });
      await clearRequests(stack, account);
      await tenant.query(`SELECT COUNT(filler) FROM ${schemaName}.items`);
      const once = await units();
      await clearRequests(stack, account);
      const walked = await walk(sql);
      expect([...walked.rows].sort()).to.deep.equal(whole.text.trimEnd().split('\n').slice(0, -1).sort());
      expect(await units(), `${walked.pages} pages`).to.be.at.most(1.1 * once + walked.pages / 2);
    });

  it('goes on in the other account, once the schema is of that', async () => {
    const { roleArn, externalId } = await registerSchema(stack, tenant, account, { schemaName: 'moving' });
    const elsewhere = await registerSchema(stack, tenant, other, { schemaName: 'elsewhere' });
    const sql = 'SELECT n, LENGTH(filler) AS size FROM moving.items';
    await page(sql, 0);
    const before = await page(sql, MAX_ROWS);
    const moved = await tenant.call('PATCH', '/v1/schemas/moving', {
      json: {
        accountId: other.accountId,
        roleArn: elsewhere.roleArn,
        externalId: elsewhere.externalId,
      },
    });
    expect(moved.status, moved.text).to.equal(200);
    const expected = await page('SELECT n, LENGTH(filler) AS size FROM elsewhere.items', MAX_ROWS);
    const isThere = async (): Promise<boolean> => {
      const { body } = await page(sql, MAX_ROWS);
      return JSON.stringify(body.data?.data) === JSON.stringify(expected.body.data!.data);
    };
    await takesEffect(isThere, 'its pages are those of the other account');
    const there = await page(sql, MAX_ROWS);
    expect(there.body.data!.data).not.to.deep.equal(before.body.data!.data);
    const last = await page(sql, 2 * MAX_ROWS);
    expect(last.body.data!.data).to.have.length(20);
    await tenant.call('PATCH', '/v1/schemas/moving', {
      json: { accountId: account.accountId, roleArn, externalId },
    });
  });

  for (const [what, method, json, error] of [
    ['the table is not allowed any more', 'PATCH', { tableAllowlist: ['others'] }, /^Table not found/],
    ['the schema is disabled', 'PATCH', { status: 'disabled' }, /disabled/],
    ['the schema is deleted', 'DELETE', undefined, /^Schema not found/],
  ] as const)
    it(`ends, and reads nothing more, where ${what}`, async () => {
      const schemaName = `ending${what.length}`;
      await registerSchema(stack, tenant, account, { schemaName });
      const sql = `SELECT n FROM ${schemaName}.items`;
      expect((await page(sql, 0)).body.data!.resumeIdx).to.equal(MAX_ROWS);
      await tenant.call(method, `/v1/schemas/${schemaName}`, json === undefined ? {} : { json });
      const isOver = async (): Promise<boolean> => error.test((await page(sql, MAX_ROWS)).body.error ?? '');
      await takesEffect(isOver, 'the walk has ended');
      await clearRequests(stack, account);
      expect((await page(sql, MAX_ROWS)).body.error).to.match(error);
      // The change has its tables described in the background, whenever it is their turn.
      const reads = (await requestsOf(stack, account)).filter(
        ({ operation }) => operation !== 'DescribeTable',
      );
      expect(reads).to.deep.equal([]);
    });
});
