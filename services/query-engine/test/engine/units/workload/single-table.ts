/** Customers, their orders, the orders' lines, and products, all in one table, with an index whose keys mean different things. */
import type { Choice } from '../../choice.ts';
import { n, s } from '../../shop.ts';
import type { EngineTable, TestItem } from '../../engine-table.ts';
import { key } from '../tables.ts';
import { indexOf, table } from './build-table.ts';
import { CITIES, day, halving, numbered, padding, PICKS, STATUSES, type Sizes } from './values.ts';

/** A third of the items are orders, as there are lines too. */
export const singleOrders = ({ orders }: Sizes): number => Math.ceil(orders / 3);
export const singleCustomers = ({ customers }: Sizes): number => Math.ceil(customers / 2);
export const PRODUCTS = 60;
/** At most; one at least. */
const LINES = 4;

export const customerKey = (i: number): string => numbered('CUSTOMER#', i);
export const orderKey = (i: number): string => numbered('ORDER#', i, 4);
export const productKey = (i: number): string => numbered('PRODUCT#', i);

function customers(choice: Choice, sizes: Sizes): readonly TestItem[] {
  return Array.from({ length: singleCustomers(sizes) }, (_, i) => ({
    pk: s(customerKey(i)),
    sk: s('PROFILE'),
    kind: s('customer'),
    g1pk: s(numbered('CITY#', i % CITIES)),
    g1sk: s(customerKey(i)),
    tier: s(i % 20 === 3 ? 'gold' : 'plain'),
    ...padding(choice, 300),
  }));
}

function orders(choice: Choice, sizes: Sizes): readonly TestItem[] {
  return Array.from({ length: singleOrders(sizes) }, (_, i) => ({
    // Some customers order more than others.
    pk: s(customerKey(Math.min(choice.int(singleCustomers(sizes)), choice.int(singleCustomers(sizes))))),
    sk: s(orderKey(i)),
    kind: s('order'),
    g1pk: s(`STATUS#${halving(choice, STATUSES)}`),
    g1sk: s(day(choice.int(366))),
    ref: s(orderKey(i)),
    amount: n(choice.int(10_000)),
    ...padding(choice, 450),
  }));
}

function lines(choice: Choice, sizes: Sizes): readonly TestItem[] {
  return Array.from({ length: singleOrders(sizes) }, (_, i) =>
    Array.from({ length: 1 + choice.int(LINES) }, (_unused, line): TestItem => {
      const product = productKey(choice.int(PRODUCTS));
      return {
        pk: s(orderKey(i)),
        sk: s(numbered('LINE#', line, 2)),
        kind: s('line'),
        g1pk: s(product),
        g1sk: s(orderKey(i)),
        quantity: n(1 + choice.int(20)),
        ...padding(choice, 350),
      };
    }),
  ).flat();
}

function products(choice: Choice): readonly TestItem[] {
  return Array.from({ length: PRODUCTS }, (_, i) => ({
    pk: s(productKey(i)),
    sk: s('PROFILE'),
    kind: s('product'),
    price: n(choice.int(500)),
    ...padding(choice, 300),
  }));
}

export function singleTable(choice: Choice, sizes: Sizes): readonly EngineTable[] {
  const items = [
    ...customers(choice, sizes),
    ...orders(choice, sizes),
    ...lines(choice, sizes),
    ...products(choice),
  ];
  const picks = Array.from({ length: PICKS }, (_, i): TestItem => ({
    id: s(numbered('k', i)),
    customer: s(customerKey(choice.int(singleCustomers(sizes)))),
    ref: s(orderKey(choice.int(singleOrders(sizes)))),
    weight: n(i),
  }));
  return [
    table('single_things', key('pk', 'sk'), items, [
      indexOf('by-g1', key('g1pk', 'g1sk'), { projection: 'INCLUDE', nonKeyAttributes: ['kind', 'amount'] }),
      indexOf('by-ref', key('ref'), { projection: 'KEYS_ONLY' }),
    ]),
    table('single_picks', key('id'), picks, []),
  ];
}
