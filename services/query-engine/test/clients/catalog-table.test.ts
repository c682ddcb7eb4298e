import { create } from '@bufbuild/protobuf';
import {
  AttributeType,
  CatalogTableSchema,
  IndexCoverage,
  Projection,
} from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { expect } from 'chai';
import { toCatalogTable } from '../../src/clients/catalog-table.ts';
import { attribute, catalogTable, index } from '../dynamodb/fixtures.ts';
import { tableMessage } from '../host/table-message.ts';

describe('a table as the registry sends it', () => {
  it('keeps what is estimated and learned of it, the table apart from its indexes', () => {
    const range = { low: 20, estimate: 50, high: 90.5 };
    const learned = {
      keys: [null, 'byStatus'].map((index) => ({
        index, keyColumns: ['status', 'at'], keys: 8, missing: 1.5, items: 40, units: 4.5,
      })),
      filters: [null, 'byStatus'].map((index) => ({ index, form: 'total > ?', read: 100, passed: 3 })),
    }; // oxfmt-ignore
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

  it('has what was met after the first sample last, in the order in which it was', () => {
    const met = (name: string, metSince?: string) => ({
      ...attribute(name, { S: 1 }, 1),
      ...(metSince !== undefined && { metSince }),
    });
    const sent = catalogTable('pk:S, at:N', {
      attributes: [
        met('a', '2026-11-02'),
        met('at'),
        met('b', '2026-11-01'),
        met('c'),
        met('pk'),
        met('z', '2026-11-01'),
      ],
    });
    const { attributes } = toCatalogTable(tableMessage(sent));
    expect(attributes.map(({ name }) => name)).to.deep.equal(['pk', 'at', 'c', 'b', 'z', 'a']);
  });

  it('says nothing of what nobody told', () => {
    const table = toCatalogTable(tableMessage(catalogTable('id:S')));
    expect(table).to.not.have.any.keys('itemsPerKey', 'learned');
  });

  it('has every key attribute of its indexes, which come by name', () => {
    const table = catalogTable('id:S', {
      indexes: [index('by-both', 'a:S & b:N, c:B & d:S'), index('by-one', 'a:S, b:N')],
    });
    const message = tableMessage(table);
    // Apart: an older engine would take the first attribute for the whole key.
    expect(message.metadata?.indexes.map(({ name }) => name)).to.deep.equal(['by-one']);
    expect(toCatalogTable(message).indexes).to.deep.equal(table.indexes);
  });

  it('has the keys that an older registry sends, one attribute of each kind', () => {
    const part = (name: string) => ({ name, type: AttributeType.S });
    const message = tableMessage(catalogTable('id:S'));
    const older = {
      name: 'by-one',
      global: true,
      key: { partitionKey: part('a'), sortKey: part('b') },
      projection: Projection.ALL,
      coverage: IndexCoverage.COMPLETE,
    };
    const { access, version } = message;
    const metadata = { tableName: 'orders', key: { partitionKey: part('id') }, indexes: [older] };
    const read = toCatalogTable(create(CatalogTableSchema, { version, ...(access && { access }), metadata }));
    expect(read.indexes.map(({ key }) => key)).to.deep.equal([index('by-one', 'a:S, b:S').key]);
  });
});
