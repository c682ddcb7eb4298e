import { expect } from 'chai';
import type { CatalogTable, EstimateRange, LearnedStatistics } from '../../src/catalog/table.ts';
import { chooseRead } from '../../src/dynamodb/choose-read.ts';
import { filterForm } from '../../src/dynamodb/access-path/filter-form.ts';
import type { TableRead } from '../../src/dynamodb/table-read.ts';
import type { Expression } from '../../src/logical/expression.ts';
import type { TableScan } from '../../src/logical/plan.ts';
import { attribute, catalogTable, cmp, eq, index, tableScan } from './fixtures.ts';

const exactly = (figure: number): EstimateRange => ({ low: figure, estimate: figure, high: figure });

/** A hundred customers of fifty orders; a sample of 256 met eight of them. */
const orders: CatalogTable = catalogTable('customer:S, number:N', {
  itemCount: 5_000,
  sizeBytes: 5_000_000,
  sampledItems: 256,
  attributes: [
    attribute('customer', { S: 256 }, 8),
    attribute('status', { S: 256 }, 4),
    attribute('ref', { S: 256 }, 250),
  ],
  indexes: [index('byStatus', 'status:S', { itemCount: 1_000, sizeBytes: 1_000_000 })],
});

const MANY = Array.from({ length: 30 }, (_, i) => `attribute${i}`);
const COLUMNS = ['customer', 'number', 'status', 'total', 'secret', ...MANY];

const read = (table: CatalogTable, filter: readonly Expression[], more: Partial<TableScan> = {}): TableRead =>
  chooseRead(tableScan(table, COLUMNS, { filter, ...more }), {
    consistent: false,
    pushdown: true,
  });

const withDistinct = (name: string, distinct: EstimateRange): CatalogTable => ({
  ...orders,
  attributes: orders.attributes.map((one) => (one.name === name ? { ...one, distinct } : one)),
});

describe('estimates of a read', () => {
  it('go by the items of a partition, not by how many partitions a sample met', () => {
    expect(read(orders, [eq('customer', 'c1')]).estimate.rows).to.be.greaterThan(300);
    const known = read({ ...orders, itemsPerKey: exactly(50) }, [eq('customer', 'c1')]);
    expect(known.estimate).to.deep.equal({ ...known.estimate, rows: 50, units: 6.5 });
  });

  it('go by the distinct keys of an index and its own count of items', () => {
    const { path, estimate } = read(withDistinct('status', exactly(20)), [eq('status', 'open')]);
    expect(path.kind).to.equal('Query');
    expect(estimate.rows).to.equal(50);
  });
});

describe('what queries saw', () => {
  const learned = (more: Partial<LearnedStatistics>): CatalogTable => ({
    ...orders,
    itemsPerKey: exactly(50),
    learned: { keys: [], filters: [], ...more },
  });
  const hot = learned({
    keys: [{ index: null, keyColumns: ['customer'], keys: 8, missing: 0, items: 8_000, units: 1_000 }],
  });
  const byCustomer = [eq('customer', 'c1')];

  it('is the items of a key, where all rows are read', () => {
    expect(read(hot, byCustomer, { byLearned: true }).estimate.rows).to.be.within(900, 1_000);
  });

  it('says nothing of other keys and other indexes', () => {
    for (const place of [{ index: 'byStatus' }, { keyColumns: ['customer', 'number'] }]) {
      const keys = hot.learned?.keys.map((entry) => ({ ...entry, ...place })) ?? [];
      expect(read(learned({ keys }), byCustomer, { byLearned: true }).estimate.rows).to.equal(50);
    }
  });

  it('does not count where the read’s order does: pages of a statement come in one order', () => {
    expect(read(hot, byCustomer).estimate.rows).to.equal(50);
  });

  it('is the part that passes a filter of this form, whatever its values', () => {
    const filter = read(orders, [cmp('total', '>', 90)]).filter;
    if (filter === null) throw new Error('no filter');
    const form = filterForm(filter);
    const seen = learned({ filters: [{ index: null, form, read: 100, passed: 1 }] });
    const guessed = read(orders, [cmp('total', '>', 10)], { byLearned: true }).estimate.rows;
    const { rows, units } = read(seen, [cmp('total', '>', 10)], { byLearned: true }).estimate;
    expect(guessed).to.be.within(1_600, 1_700);
    expect(rows).to.be.within(50, 80);
    expect(units).to.equal(read(orders, [cmp('total', '>', 10)]).estimate.units);
    expect(read(seen, [cmp('total', '<', 10)], { byLearned: true }).estimate.rows).to.equal(guessed);
  });
});

describe('the form of a filter', () => {
  const formOf = (...filter: Expression[]): string => {
    const sent = read(orders, filter).filter;
    if (sent === null) throw new Error('no filter');
    return filterForm(sent);
  };

  it('names attributes and no values', () => {
    const form = formOf(eq('secret', 'tell-nobody'), cmp('total', '<', 123_456));
    expect(form).to.include('secret').and.include('total').and.include('?');
    expect(form).to.not.match(/tell-nobody|123456|:v|#n/);
    expect(formOf(eq('secret', 'other'), cmp('total', '<', 7))).to.equal(form);
  });

  it('is short whatever the filter', () => {
    const many = MANY.map((name) => eq(name, 'x'));
    expect(formOf(...many)).to.have.length.at.most(200);
    expect(formOf(...many)).to.not.equal(formOf(...many.slice(1)));
  });
});
