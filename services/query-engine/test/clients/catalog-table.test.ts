import { expect } from 'chai';
import { toCatalogTable } from '../../src/clients/catalog-table.ts';
import { attribute, catalogTable } from '../dynamodb/fixtures.ts';
import { tableMessage } from '../host/table-message.ts';

describe('a table as the registry sends it', () => {
  it('keeps what is estimated and learned of it, the table apart from its indexes', () => {
    const range = { low: 20, estimate: 50, high: 90.5 };
    const learned = {
      keys: [null, 'byStatus'].map((index) => ({
        index, keyColumns: ['status', 'at'], keys: 8, missing: 1.5, items: 40, units: 4.5,
      })),
      filters: [null, 'byStatus'].map((index) => ({ index, form: 'total > ?', read: 100, passed: 3 })),
    }; // prettier-ignore
    const sent = catalogTable('id:S', {
      itemsPerKey: range,
      learned,
      attributes: [{ ...attribute('id', { S: 3 }, 3), distinct: range }, attribute('total', { N: 3 }, 2)],
    });
    const { itemsPerKey, learned: kept, attributes } = toCatalogTable(tableMessage(sent));
    expect({ itemsPerKey, learned: kept, attributes }).to.deep.equal({
      itemsPerKey: range,
      learned,
      attributes: sent.attributes,
    });
  });

  it('says nothing of what nobody told', () => {
    const table = toCatalogTable(tableMessage(catalogTable('id:S')));
    expect(table).to.not.have.any.keys('itemsPerKey', 'learned');
  });
});
