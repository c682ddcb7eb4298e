import { expect } from 'chai';
import { databaseObjects } from '../../../../src/postgres/servers/tables/database-objects.ts';
import type { TableObject } from '../../../../src/postgres/servers/tables/objects.ts';
import type { KnownTable } from '../../../../src/clients/catalog-tables.ts';
import { attribute, catalogTables, index, key, knownTable } from '../support/known-table.ts';

function tableOf(table: KnownTable): TableObject {
  const [found] =
    databaseObjects(catalogTables([table]))
      .get(table.schemaName)
      ?.tables.values() ?? [];
  if (found === undefined) throw new Error('the table is not shown');
  return found;
}

describe('a table as PostgreSQL has it', () => {
  it('has its keys first, then all other attributes by name, each of a type that holds all values', () => {
    const table = tableOf(
      knownTable('orders', {
        keys: [key('customer'), key('at', 'N')],
        attributes: [
          ...[
            attribute('total', 'N'),
            attribute('photo', 'B'),
            attribute('paid', 'BOOL'),
            attribute('lines', 'L'),
          ],
          ...[attribute('note', 'S', 'N'), attribute('gone', 'NULL'), attribute('Zed', 'S')],
        ],
      }),
    );
    expect(table.columns.map(({ name, type, notNull }) => [name, type, notNull])).to.deep.equal([
      ['customer', 'text', true],
      ['at', 'numeric', true],
      ['Zed', 'text', false],
      ['gone', 'text', false],
      ['lines', 'jsonb', false],
      ['note', 'text', false],
      ['paid', 'bool', false],
      ['photo', 'bytea', false],
      ['total', 'numeric', false],
    ]);
    const comments = new Map(table.columns.map(({ name, comment }) => [name, comment]));
    expect(comments.get('customer')).to.equal('Partition key, of DynamoDB type S.');
    expect(comments.get('note')).to.equal(
      'DynamoDB types in 10 sampled items: S in 3, N in 3. Values of several types are shown as text.',
    );
    expect(table.comment).to.equal(
      'DynamoDB table, described at 2026-11-29T00:00:00Z; columns are what 10 sampled items hold.',
    );
  });

  it('has a primary key, and indexes by the names that they have alone', () => {
    const indexes = [index('by_total', key('total', 'N'))];
    const objects = databaseObjects(
      catalogTables([
        knownTable('orders', { indexes }),
        knownTable('returns', { indexes: [...indexes, index('own', key('x'), key('y'))] }),
      ]),
    );
    const names = [...(objects.get('shop')?.tables.values() ?? [])].map((table) =>
      table.indexes.map((one) => one.name),
    );
    expect(names).to.deep.equal([
      ['orders_pkey', 'orders_by_total'],
      ['returns_pkey', 'returns_by_total', 'own'],
    ]);
  });

  it('has no more than 1,600 columns, and none that PostgreSQL has itself, and says so', () => {
    const many = Array.from({ length: 2_000 }, (_, i) => attribute(`a${i}`, 'S'));
    const table = tableOf(
      knownTable('wide', { attributes: [...many, attribute('xmin', 'S'), attribute('', 'S')] }),
    );
    expect(table.columns).to.have.length(1_600);
    expect(table.comment).to.include('PostgreSQL has no column called "", "xmin".');
    expect(table.comment).to.include('401 more attributes are not shown');
  });

  it('loses no index but one whose column is not there', () => {
    const table = tableOf(
      knownTable('odd', { indexes: [index('lost', key('ctid')), index('kept', key('a'), key('b'))] }),
    );
    expect(table.indexes.map(({ name }) => name)).to.deep.equal(['odd_pkey', 'kept']);
  });

  it('shows its name alone where it was not described, and where columns are too many', () => {
    const wide = Array.from({ length: 1_599 }, (_, i) => attribute(`a${i}`, 'S'));
    const tables = Array.from({ length: 64 }, (_, i) => knownTable(`t${i}`, { attributes: wide }));
    const objects = databaseObjects(
      catalogTables([{ schemaName: 'shop', tableName: 'new', details: null }, ...tables]),
    );
    const shown = [...(objects.get('shop')?.tables.values() ?? [])];
    expect(shown.find(({ name }) => name === 'new'))
      .to.include({ itemCount: 0 })
      .and.to.have.property('columns').empty;
    expect(shown.filter(({ columns }) => columns.length === 0)).to.have.length(3);
    expect(shown.reduce((sum, { columns }) => sum + columns.length, 0)).to.be.at.most(100_000);
  });

  it('is not there where PostgreSQL has no such name, which its schema says', () => {
    const objects = databaseObjects(
      catalogTables(
        [knownTable('a\0b'), knownTable('x', { schemaName: 'pg_mine' })],
        ['shop', 'pg_mine', 'information_schema'],
      ),
    );
    expect([...objects.keys()]).to.deep.equal(['shop']);
    expect(objects.get('shop')?.comment).to.include('1 tables are not shown');
  });

  it('has a name of its own among names that are cut to the same, indexes too', () => {
    const long = 'x'.repeat(80);
    const objects = databaseObjects(
      catalogTables(
        [`${long}1`, `${long}2`].map((name) => knownTable(name, { indexes: [index(long, key('a'))] })),
      ),
    );
    const tables = [...(objects.get('shop')?.tables.values() ?? [])];
    const names = tables.flatMap(({ name, indexes }) => [name, ...indexes.map((one) => one.name)]);
    expect(new Set(names).size).to.equal(6);
    for (const name of names) expect(Buffer.byteLength(name)).to.be.at.most(63);
  });
});
