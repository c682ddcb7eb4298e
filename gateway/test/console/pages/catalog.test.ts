import { expect } from 'chai';
import type { CatalogTable } from '../../../src/console/api/catalog.ts';
import {
  askCatalog,
  isCatalogKnown,
  loadCatalog,
  tables,
} from '../../../src/console/web/pages/common/catalog.ts';
import { createSchema, deleteSchema, refreshTables } from '../../../src/console/web/pages/common/schemas.ts';

const table = (tableName: string): CatalogTable => ({
  ...{ schemaName: 'shop', tableName, sqlName: `shop.${tableName}` },
  details: null,
});
const NEW_SCHEMA = {
  ...{ schemaName: 'shop', region: 'eu-west-1', accountId: '111122223333' },
  ...{ roleArn: 'arn:aws:iam::111122223333:role/r', externalId: 'x1', tableAllowlist: [] },
};

describe('The catalog of the console', () => {
  const { fetch } = globalThis;
  let known: readonly CatalogTable[] = [];
  const asked: string[] = [];
  before(() => {
    globalThis.fetch = async (path, init) => {
      asked.push(`${init?.method} ${path as string}`);
      return Response.json({ success: true, data: { tables: known } });
    };
  });
  beforeEach(() => (asked.length = 0));
  after(() => {
    globalThis.fetch = fetch;
  });
  const names = (): readonly string[] => tables.value.map(({ tableName }) => tableName);

  it('is asked for each time while it has no table: the first may have come meanwhile', async () => {
    await loadCatalog();
    expect([names(), isCatalogKnown.value]).to.deep.equal([[], true]);
    known = [table('orders')];
    await loadCatalog();
    expect(names()).to.deep.equal(['orders']);
    await loadCatalog();
    expect(asked).to.have.length(2);
  });

  for (const [what, change] of [
    ['a schema was made', () => createSchema(NEW_SCHEMA)],
    ['a schema was deleted', () => deleteSchema('shop')],
    ['its tables were looked at', () => refreshTables('shop')],
  ] as const)
    it(`is old once ${what}`, async () => {
      known = [table('orders'), table(what)];
      await loadCatalog();
      expect(names()).not.to.include(what);
      await change();
      await loadCatalog();
      expect(names()).to.include(what);
    });

  it('is what any page has asked for last', async () => {
    known = [table('customers')];
    await askCatalog();
    expect(names()).to.deep.equal(['customers']);
    asked.length = 0;
    await loadCatalog();
    expect(asked).to.deep.equal([]);
  });

  it('is asked for again where something changed while it was on its way', async () => {
    const asking = askCatalog();
    await deleteSchema('shop');
    await asking;
    known = [];
    await loadCatalog();
    expect(names()).to.deep.equal([]);
  });
});
