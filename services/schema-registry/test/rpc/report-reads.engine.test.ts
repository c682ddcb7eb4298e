import { expect } from 'chai';
import { refusal, resolvedTable } from '../support/registry.ts';
import { accountsOf, useTestStack } from '../support/suite.ts';
import { schemaOf } from '../support/tables.ts';

const keys = (more: object = {}) => ({
  index: '',
  keyColumns: ['id'],
  keys: 4,
  missing: 1,
  items: 3,
  units: 2,
  ...more,
});
const filter = (more: object = {}) => ({ index: '', form: 'status = ?', read: 100, passed: 7, ...more });

describe('reporting what reads saw', () => {
  const stack = useTestStack();
  const accountWith = accountsOf(stack, 300_000_000_910);
  const place = { schemaName: 'Shop', tableName: 'orders' };
  const orders = { schema: 'shop', table: 'orders' };

  async function tenantWith(name: string) {
    const account = await accountWith(['orders']);
    const tenant = stack.as(name);
    await tenant.create(schemaOf(account, 'Shop'));
    return { tenant, account };
  }

  it('shows it to all engines and in the description, with a version of its own', async () => {
    const { tenant } = await tenantWith('t-learned');
    const before = await resolvedTable(tenant, orders);
    expect(before.metadata.learned).to.equal(undefined);
    await tenant.reportReads({ ...place, seen: { keys: [keys()], filters: [filter()] } });
    const after = await resolvedTable(tenant, orders);
    expect(after.version).to.not.equal(before.version);
    expect(after.metadata.learned?.keys[0]).to.include({ keys: 4, missing: 1, items: 3, units: 2 });
    expect(after.metadata.learned?.filters[0]).to.include({ form: 'status = ?', read: 100, passed: 7 });
    const described = await tenant.describe({ schemaName: 'shop', tableName: 'orders' });
    expect(described.metadata?.learned?.filters[0]).to.include({ form: 'status = ?' });
    // The same again changes no plan.
    await tenant.reportReads({ ...place, seen: { keys: [keys()], filters: [filter()] } });
    const { version } = await resolvedTable(tenant, orders);
    expect(version).to.equal(after.version);
    const { tables } = await tenant.resolve({
      tables: [{ ...orders, knownVersion: version }],
      maySample: true,
    });
    expect(tables[0]?.result.case).to.equal('unchanged');
  });

  it('loses no report of engines that tell at the same time', async function () {
    this.timeout(30_000);
    const { tenant } = await tenantWith('t-learned-at-once');
    await resolvedTable(tenant, orders);
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        tenant.reportReads({ ...place, seen: { keys: [], filters: [filter({ form: `f${i} = ?` })] } }),
      ),
    );
    const { metadata } = await resolvedTable(tenant, orders);
    expect(metadata.learned?.filters).to.have.length(12);
  });

  it('is the tenant’s own, and goes with the schema', async () => {
    const { tenant, account } = await tenantWith('t-learned-own');
    const { tenant: other } = await tenantWith('t-learned-other');
    await resolvedTable(tenant, orders);
    await resolvedTable(other, orders);
    await tenant.reportReads({ ...place, seen: { keys: [keys()], filters: [] } });
    expect((await resolvedTable(other, orders)).metadata.learned).to.equal(undefined);
    await tenant.remove('shop');
    await tenant.create(schemaOf(account, 'Shop'));
    expect((await resolvedTable(tenant, orders)).metadata.learned).to.equal(undefined);
    const gone = await refusal(
      tenant.reportReads({ ...place, schemaName: 'gone', seen: { keys: [keys()] } }),
    );
    expect(gone.code).to.equal('SCHEMA_NOT_FOUND');
  });

  it('ignores what cannot be true of the table, and tables that are not known', async () => {
    const { tenant } = await tenantWith('t-learned-wrong');
    await tenant.reportReads({ ...place, seen: { keys: [keys()], filters: [] } });
    expect((await resolvedTable(tenant, orders)).metadata.learned).to.equal(undefined);
    const wrong = [
      {
        keys: [
          keys({ index: 'none' }),
          keys({ keyColumns: ['note'] }),
          keys({ keys: 0 }),
          keys({ missing: 9 }),
        ],
      },
      { filters: [filter({ index: 'none' }), filter({ read: 0, passed: 0 }), filter({ passed: 101 })] },
    ];
    for (const seen of wrong) await tenant.reportReads({ ...place, seen });
    expect((await resolvedTable(tenant, orders)).metadata.learned).to.equal(undefined);
    for (const seen of [{ keys: [keys({ items: -1 })] }, { filters: [filter({ read: Number.NaN })] }])
      expect((await refusal(tenant.reportReads({ ...place, seen }))).code).to.equal('VALIDATION_ERROR');
  });

  it('lets a reader say that the table itself is outdated', async function () {
    this.timeout(20_000);
    const { tenant } = await tenantWith('t-learned-outdated');
    await resolvedTable(tenant, orders);
    await tenant.reportReads({ ...place, seen: { keys: [keys()], filters: [] } });
    const { version, metadata } = await resolvedTable(tenant, orders);
    stack.clock.forward(10_000);
    await tenant.resolve({ tables: [{ ...orders, knownVersion: version, outdated: true }], maySample: true });
    const now = await resolvedTable(tenant, orders);
    expect(Date.parse(now.metadata.describedAt)).to.be.greaterThan(Date.parse(metadata.describedAt));
  });
});
