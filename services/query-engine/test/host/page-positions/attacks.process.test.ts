/**
 * Knowledge of where pages begin is of use for its tenant, its statement and its schema alone, for minutes, and nobody depends on it.
 *
 * Takes turns: it starts three hosts of workers.
 */
import { expect } from 'chai';
import type { CatalogTable } from '../../../src/catalog/table.ts';
import type { HostedQuery } from '../test-host.ts';
import { startTwoEngines, type TwoEngines } from './two-engines.ts';
import { parts } from './walk-tables.ts';

const KEPT_MS = 120_000;
const PER_TENANT_MAX = 5;
const SQL = 'SELECT p, k, amount FROM shop.parts WHERE rank >= 0';
const MAX_ROWS = 50;
const TENANT = 'tenant-1';

describe('what is kept of where pages begin', function () {
  this.timeout(120_000);
  let both: TwoEngines;
  const table = parts();
  before(async () => {
    both = await startTwoEngines([table], { keptMs: KEPT_MS, perTenantMax: PER_TENANT_MAX });
  });
  after(() => both.close());
  beforeEach(async () => {
    both.describe([table.catalog]);
    await both.client.flushall();
    both.outcomes();
  });

  const entriesOf = (tenantId: string): string => `penstock:page-positions:{${tenantId}}`;
  const timesOf = (tenantId: string): string => `${entriesOf(tenantId)}:at`;
  const page = (resumeIdx: number, query: HostedQuery = {}, sql = SQL) =>
    both.engines[resumeIdx === 0 ? 0 : 1]!.run(sql, { maxRows: MAX_ROWS, resumeIdx, ...query });
  /** As if so much time had gone by, milliseconds, since what Redis has was kept: by its scores, and until its keys expire. */
  async function goBy(ms: number): Promise<void> {
    const { client } = both;
    const names = await client.zrange(timesOf(TENANT), 0, '-1');
    for (const name of names) await client.zincrby(timesOf(TENANT), -ms, name);
    for (const key of [entriesOf(TENANT), timesOf(TENANT)]) {
      const leftMs = await client.pttl(key);
      expect(leftMs, key).to.be.within(1, KEPT_MS);
      await client.pexpire(key, Math.max(0, leftMs - ms));
    }
  }
  /** The page behind the first is right, and what was known of where it begins. */
  async function secondPage(query: HostedQuery = {}, sql = SQL): Promise<string> {
    const known = await page(MAX_ROWS, query, sql);
    const alone = await both.fresh.run(sql, { maxRows: MAX_ROWS, resumeIdx: MAX_ROWS, ...query });
    expect(known.json).to.equal(alone.json);
    return both.outcomes().join();
  }
  const describedAs = (more: Partial<CatalogTable>): void => both.describe([{ ...table.catalog, ...more }]);

  it('shows nobody who reads Redis a statement, a table or a value', async () => {
    await page(0, {}, `${SQL} AND note <> 'a secret'`);
    const [entries = {}, names] = await Promise.all([
      both.client.hgetall(entriesOf(TENANT)),
      both.client.keys('*'),
    ]);
    expect(names).to.have.length(2);
    const text = JSON.stringify([entries, names]);
    const decoded = Object.values(entries).map((entry) => Buffer.from(entry, 'base64url').toString('latin1'));
    // Long words alone: two or three characters come up by chance in a thousand sealed ones. Values stand behind `{"S":"`.
    for (const word of ['secret', 'parts', 'amount', '{"S":"'])
      expect(text + decoded.join(), word).not.to.include(word);
    expect(await both.client.pttl(entriesOf(TENANT))).to.be.within(1, KEPT_MS);
    expect(await both.client.pttl(timesOf(TENANT))).to.be.within(1, KEPT_MS);
  });

  it('is of use once for all engines', async () => {
    await page(0);
    expect(await secondPage()).to.equal('used');
  });

  it('is refused where it was changed, cut, or put in the place of another', async () => {
    await page(0);
    const [[name = '', sealed = ''] = []] = Object.entries(await both.client.hgetall(entriesOf(TENANT)));
    const flipped = Buffer.from(sealed, 'base64url');
    flipped[40]! ^= 1;
    for (const text of [flipped.toString('base64url'), sealed.slice(0, 60), sealed.slice(0, 9), '', '{}']) {
      await page(0);
      await both.client.hset(entriesOf(TENANT), name, text);
      expect(await secondPage(), text.slice(0, 20)).to.equal('refused');
    }
    await both.client.flushall();
    await page(0, {}, `${SQL} AND k > 0`);
    const [[, other = ''] = []] = Object.entries(await both.client.hgetall(entriesOf(TENANT)));
    await page(0);
    await both.client.hset(entriesOf(TENANT), name, other);
    expect(await secondPage()).to.equal('refused');
  });

  it('is of no use to another tenant, also where it is given its entry', async () => {
    await page(0);
    expect(await secondPage({ tenantId: 'tenant-2' })).to.equal('absent');
    const stolen = await both.client.hgetall(entriesOf(TENANT));
    await both.client.flushall();
    await page(0, { tenantId: 'tenant-2' });
    const own = await both.client.hkeys(entriesOf('tenant-2'));
    expect(own).not.to.deep.equal(Object.keys(stolen));
    await both.client.hset(entriesOf('tenant-2'), own[0]!, Object.values(stolen)[0]!);
    expect(await secondPage({ tenantId: 'tenant-2' })).to.equal('refused');
  });

  it('is of no use for other parameters, options and statements', async () => {
    const sql = 'SELECT p, k, amount FROM shop.parts WHERE rank >= ?';
    await page(0, { parameters: [10] }, sql);
    expect(await secondPage({ parameters: [10] }, sql)).to.equal('used');
    expect(await secondPage({ parameters: [11] }, sql)).to.equal('absent');
    expect(await secondPage({ parameters: [10], consistentRead: true }, sql)).to.equal('absent');
    expect(await secondPage({ parameters: [10] }, `${sql} `)).to.equal('absent');
    expect(await secondPage({ parameters: [10], rowFormat: 'object' }, sql)).to.equal('used');
  });

  it('is gone after some minutes', async () => {
    await page(0);
    await goBy(KEPT_MS);
    expect(await both.client.keys('*')).to.deep.equal([]);
    expect(await secondPage()).to.equal('absent');
  });

  it('is gone after some minutes while the tenant goes on to ask for others', async () => {
    await page(0);
    await goBy(KEPT_MS / 2);
    await page(0, {}, `${SQL} AND k > 0`);
    await goBy(KEPT_MS / 2);
    expect(await both.client.hlen(entriesOf(TENANT))).to.be.above(0);
    expect(await secondPage()).to.equal('absent');
    await page(0, {}, `${SQL} AND k > 1`);
    expect(await both.client.hlen(entriesOf(TENANT))).to.be.at.most(3);
  });

  it(`is no more than ${PER_TENANT_MAX} pages of a tenant, the newest`, async () => {
    for (let i = 0; i < PER_TENANT_MAX + 3; i++) await page(0, {}, `${SQL} AND k > -${i}`);
    expect(await both.client.hlen(entriesOf(TENANT))).to.equal(PER_TENANT_MAX);
    expect(await both.client.zcard(timesOf(TENANT))).to.equal(PER_TENANT_MAX);
    expect(await secondPage({}, `${SQL} AND k > -${PER_TENANT_MAX + 2}`)).to.equal('used');
    expect(await secondPage({}, `${SQL} AND k > -0`)).to.equal('absent');
  });

  it('is of no use once the schema has another role, external ID or allowlist', async () => {
    const { access } = table.catalog;
    for (const [i, changed] of [
      {},
      { roleArn: 'arn:aws:iam::999988887777:role/r' },
      { externalId: 'another' },
      { tableAllowlist: ['parts'] },
    ].entries()) {
      // The engine that the second page is asked of has not seen this tenant's tables before: it knows them as they are now.
      const tenantId = `tenant-schema-${i}`;
      both.describe([table.catalog]);
      await page(0, { tenantId });
      describedAs({ version: JSON.stringify(changed), access: { ...access, ...changed } });
      expect(await secondPage({ tenantId }), JSON.stringify(changed)).to.equal(i === 0 ? 'used' : 'absent');
    }
  });

  it('is not missed where Redis is gone', async () => {
    await page(0);
    await both.redis.close();
    expect(await secondPage()).to.equal('away');
    expect((await page(0)).resumeIdx).to.equal(MAX_ROWS);
  });
});
