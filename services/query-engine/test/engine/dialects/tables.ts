/** A small shop, as the statements of other dialects name it. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { engineTable, n, s } from '../shop.ts';
import type { EngineTable, TestItem } from '../engine-table.ts';

const CUSTOMERS = [
  ['c1', 'Ann', 'ann@mail.ch', 'Bern', 10, '2024-01-15'],
  ['c2', 'Bob', 'bob@web.no', 'Oslo', 25, '2024-02-29'],
  ['c3', 'Cem', null, 'Bern', 40, '2023-12-31'],
  ['c4', 'Dee', 'dee@mail.ch', null, 5, '2024-03-10'],
] as const;

const ORDERS = [
  ['c1', 1, '12.5', 'paid', '2024-03-01T10:00:00Z'],
  ['c1', 2, '30', 'open', '2024-03-15T18:30:00Z'],
  ['c2', 3, '7.25', 'paid', '2024-02-10T08:15:00Z'],
  ['c3', 4, '100', 'sent', '2024-03-15T23:59:59Z'],
  ['c2', 5, '55.5', 'paid', '2024-04-02T12:00:00Z'],
] as const;

const ITEMS = [
  [1, 'A-1', 2, '5', 'red'],
  [1, 'B-2', 1, '2.5', 'blue'],
  [3, 'C-3', 3, '2.25', null],
  [4, 'A-1', 20, '5', 'red'],
] as const;

const orNothing = (name: string, value: string | null): Record<string, AttributeValue> =>
  value === null ? {} : { [name]: s(value) };

/** Their customers, orders and the items of these. */
export function shopTables(): readonly EngineTable[] {
  const customers = CUSTOMERS.map(([id, name, email, city, points, joined]): TestItem => ({
    ...{ id: s(id), name: s(name), points: n(points), joined: s(joined) },
    ...orNothing('email', email),
    ...orNothing('city', city),
  }));
  const orders = ORDERS.map(([customer, number, total, status, placed]): TestItem => ({
    ...{ customer: s(customer), number: n(number), total: n(total), status: s(status), placed: s(placed) },
  }));
  const items = ITEMS.map(([order, sku, quantity, price, color]): TestItem => ({
    ...{ order_number: n(order), sku: s(sku), quantity: n(quantity), price: n(price) },
    ...(color === null ? {} : { details: { M: { color: s(color) } }, labels: { L: [s('new'), s(color)] } }),
  }));
  return [
    engineTable('customers', { partitionKey: { name: 'id', type: 'S' }, sortKey: null }, customers),
    engineTable(
      'orders',
      { partitionKey: { name: 'customer', type: 'S' }, sortKey: { name: 'number', type: 'N' } },
      orders,
    ),
    engineTable(
      'items',
      { partitionKey: { name: 'order_number', type: 'N' }, sortKey: { name: 'sku', type: 'S' } },
      items,
    ),
  ];
}
