/**
 * Tables of five shapes, the same for the same seed. Each has a large table, of customers' orders, whose
 * partitions are as the shape says; a table of customers; and `picks`, a few rows that refer to both.
 */
import type { SecondaryIndex } from '../../../../src/catalog/table.ts';
import { choiceFrom, type Choice } from '../../choice.ts';
import { n, s } from '../../shop.ts';
import type { EngineTable, TestItem } from '../../engine-table.ts';
import { key } from '../tables.ts';
import { indexOf, table } from './build-table.ts';
import { singleTable } from './single-table.ts';
import { CITIES, day, halving, numbered, padding, PICKS, REGIONS, type Sizes, STATUSES } from './values.ts';

export const SHAPES = Object.freeze(['unique', 'fifty', 'zipf', 'single', 'hot'] as const);
export type Shape = (typeof SHAPES)[number];

/** What a shape is, for the table of results. */
export const SHAPE_NAMES: Readonly<Record<Shape, string>> = Object.freeze({
  unique: 'unique keys',
  fifty: '50 items a partition',
  zipf: 'Zipf',
  single: 'single-table design',
  hot: '90 % in one partition',
});

/** Which customer each order is of. */
type CustomerOf = (i: number, choice: Choice, sizes: Sizes) => number;

const CUSTOMER_OF: Readonly<Record<Exclude<Shape, 'single'>, CustomerOf>> = {
  unique: (_, choice, { buyers }) => choice.int(buyers),
  fifty: (i, _, { buyers }) => i % buyers,
  // The k-th has one k-th as many as the first.
  zipf: (_, choice, { customers }) => Math.floor(customers ** (choice.int(10_000) / 10_000)) - 1,
  hot: (_, choice, { buyers }) => (choice.maybe(0.9) ? 0 : 1 + choice.int(buyers)),
};

function orders(shape: Exclude<Shape, 'single'>, choice: Choice, sizes: Sizes): readonly TestItem[] {
  const numbers = new Map<number, number>();
  return Array.from({ length: sizes.orders }, (_, i) => {
    const customer = CUSTOMER_OF[shape](i, choice, sizes);
    const number = numbers.get(customer) ?? 0;
    numbers.set(customer, number + 1);
    return {
      ...(shape === 'unique' ? { id: s(numbered('o', i, 4)) } : {}),
      customer: s(numbered('c', customer)),
      number: n(number),
      ref: s(numbered('r', (i * 7919) % sizes.orders, 4)),
      region: s(choice.pick(REGIONS)),
      status: s(halving(choice, STATUSES)),
      placed: s(day(choice.int(366))),
      quantity: n(1 + choice.int(20)),
      ...(choice.maybe(0.85) ? { amount: n(choice.int(10_000)) } : {}),
      ...padding(choice, 450),
    };
  });
}

const refs = (): SecondaryIndex => indexOf('by-ref', key('ref'));
const regions = (): SecondaryIndex =>
  indexOf('by-region', key('region', 'amount:N'), { projection: 'KEYS_ONLY' });
const statuses = (): SecondaryIndex =>
  indexOf('by-status', key('status', 'placed'), {
    projection: 'INCLUDE',
    nonKeyAttributes: ['amount', 'quantity'],
  });

function ordersTable(shape: Exclude<Shape, 'single'>, choice: Choice, sizes: Sizes): EngineTable {
  if (shape === 'unique')
    return table(`${shape}_orders`, key('id'), orders(shape, choice, sizes), [
      refs(),
      regions(),
      statuses(),
      indexOf('by-customer', key('customer', 'placed')),
    ]);
  return table(`${shape}_orders`, key('customer', 'number:N'), orders(shape, choice, sizes), [
    refs(),
    regions(),
    statuses(),
    indexOf('by-amount', key('customer', 'amount:N'), { global: false, projection: 'KEYS_ONLY' }),
  ]);
}

function customersTable(shape: Shape, choice: Choice, sizes: Sizes): EngineTable {
  const items = Array.from({ length: sizes.customers }, (_, i): TestItem => ({
    id: s(numbered('c', i)),
    city: s(numbered('t', i % CITIES)),
    tier: s(i % 20 === 3 ? 'gold' : i % 3 === 0 ? 'silver' : 'plain'),
    parent: s(numbered('c', choice.int(sizes.customers))),
    ...padding(choice, 300),
  }));
  return table(`${shape}_customers`, key('id'), items, [indexOf('by-city', key('city'))]);
}

function picksTable(shape: Shape, choice: Choice, sizes: Sizes): EngineTable {
  const items = Array.from({ length: PICKS }, (_, i): TestItem => ({
    id: s(numbered('k', i)),
    customer: s(numbered('c', choice.int(sizes.buyers))),
    ref: s(numbered('r', choice.int(sizes.orders), 4)),
    weight: n(i),
  }));
  return table(`${shape}_picks`, key('id'), items, []);
}

export function tablesOf(shape: Shape, seed: number, sizes: Sizes): readonly EngineTable[] {
  const choice = choiceFrom(seed + SHAPES.indexOf(shape));
  if (shape === 'single') return singleTable(choice, sizes);
  return [
    ordersTable(shape, choice, sizes),
    customersTable(shape, choice, sizes),
    picksTable(shape, choice, sizes),
  ];
}
