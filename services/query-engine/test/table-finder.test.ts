import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { expect } from 'chai';
import { tablesNamed } from '../src/binder/table-names.ts';
import type { Resolved } from '../src/clients/catalog.ts';
import type { TableReference } from '../src/clients/catalog-client.ts';
import { parse } from '../src/parser/parse.ts';
import { withIndexHints } from '../src/table-finder.ts';
import { catalogTable, index } from './dynamodb/fixtures.ts';

const ORDERS = catalogTable('id:S', { indexes: [index('byRegion', 'region:S')] });
const NO_SCHEMA = new PenstockError('SCHEMA_NOT_FOUND', 'Schema not found: orders');

describe('a schema that is not found', () => {
  /** The error's detail, and what the catalog was asked. */
  async function hinted(sql: string, answer: Resolved): Promise<[string | undefined, TableReference[]]> {
    const asked: TableReference[] = [];
    const [error] = await withIndexHints(tablesNamed(parse(sql)), [NO_SCHEMA], async (references) => {
      asked.push(...references);
      return [answer];
    });
    if (!(error instanceof PenstockError)) throw new Error('the error is gone');
    expect(error).to.include({ code: NO_SCHEMA.code, message: NO_SCHEMA.message });
    return [error.detail, asked];
  }

  it('where it is a table, and its table an index, tells how that is named', async () => {
    const [detail, asked] = await hinted('SELECT 1 FROM orders.BYREGION', ORDERS);
    expect(detail).to.equal(
      'to read index byRegion of table orders, name it with its schema: shop.orders.byRegion',
    );
    expect(asked).to.deep.equal([{ schema: null, table: 'orders' }]);
  });

  it('is only that where the table has no such index, or there is no such table', async () => {
    expect((await hinted('SELECT 1 FROM orders.byCity', ORDERS))[0]).to.equal(undefined);
    const missing = new PenstockError('SCHEMA_REQUIRED', 'Schema required for table: orders');
    expect((await hinted('SELECT 1 FROM orders.byRegion', missing))[0]).to.equal(undefined);
  });

  it('is only that where three parts were named', async () => {
    expect(await hinted('SELECT 1 FROM orders.t.byRegion', ORDERS)).to.deep.equal([undefined, []]);
  });
});
