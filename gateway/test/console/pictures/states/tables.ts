import type { States } from '../state.ts';
import { HOSTILE_TABLE, ORDERS, schemaOf, TABLES } from './catalog.ts';
import { AWAY, HOSTILE } from './session.ts';

const list = {
  'GET /v1/schemas': {
    data: {
      items: [
        schemaOf(),
        schemaOf({ schemaName: 'billing' }),
        schemaOf({ schemaName: 'old', status: 'disabled' }),
      ],
    },
  },
  'GET /console/api/catalog': { data: { tables: TABLES } },
};
const orders = { ...list, 'GET /console/api/catalog/shop/orders': { data: ORDERS } };

const items = {
  success: true,
  data: {
    columns: ['customer_id', 'order_no', 'address', 'coupon', 'total'],
    columnTypes: [],
    data: [
      ['C001', 17, { city: 'Lyon' }, null, 20.5],
      ['C002', 3, { city: 'Porto' }, '', 7],
      [HOSTILE, 1, null, 'x'.repeat(500), 'free'],
    ],
    readUnits: 1.5,
  },
};

export const tablesStates: States = {
  tables: { path: 'tables', answers: list, shows: 'order_events' },
  'tables-empty': {
    path: 'tables',
    answers: { ...list, 'GET /v1/schemas': { data: { items: [] } } },
    shows: 'No tables yet',
  },
  'tables-schema': { path: 'tables/shop', answers: list, shows: /1,234,567/ },
  'tables-schema-disabled': { path: 'tables/old', answers: list, shows: /This schema is disabled/ },
  'tables-schema-refreshing': {
    path: 'tables/shop',
    answers: { ...list, 'POST /v1/schemas/shop/refresh-metadata': null },
    shows: /1,234,567/,
    act: async (page) => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText(/of 3 tables/).waitFor();
    },
  },
  'tables-schema-refreshed': {
    path: 'tables/shop',
    answers: {
      ...list,
      'POST /v1/schemas/shop/refresh-metadata': {
        data: {
          ok: false,
          message:
            '2 tables refreshed, 1 failed (order_events: the role may not perform dynamodb:Scan), 0 deleted',
          refreshedAt: '2026-11-26T02:20:00.000Z',
          tableCount: 2,
          failedTableCount: 1,
          deletedCount: 0,
          skipped: false,
          readUnits: 3.5,
        },
      },
    },
    shows: /1,234,567/,
    act: async (page) => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText(/3\.5 read units/).waitFor();
    },
  },
  'tables-table': { path: 'tables/shop/orders', answers: orders, shows: 'by_status' },
  'tables-table-sample': {
    path: 'tables/shop/orders',
    answers: { ...orders, 'POST /v1/query': { json: items } },
    shows: 'by_status',
    act: async (page) => {
      await page.getByRole('button', { name: /Read 10 items/ }).click();
      await page.getByText('1.5 read units').waitFor();
    },
  },
  'tables-table-hostile': {
    path: 'tables/shop/orders',
    answers: { ...orders, 'GET /console/api/catalog/shop/orders': { data: HOSTILE_TABLE } },
    shows: 'by_status',
  },
  'tables-table-loading': {
    path: 'tables/shop/orders',
    answers: { ...orders, 'GET /console/api/catalog/shop/orders': null },
    shows: 'Loading the table…',
  },
  'tables-table-missing': {
    path: 'tables/shop/nothing',
    answers: {
      ...orders,
      'GET /console/api/catalog/shop/nothing': {
        status: 404,
        code: 'NOT_FOUND',
        message: 'Table not found: shop.nothing',
      },
    },
    shows: 'Table not found: shop.nothing',
  },
  'tables-search': {
    path: 'tables/shop/orders',
    answers: orders,
    shows: 'by_status',
    act: async (page) => {
      if (await page.getByRole('searchbox').isVisible()) await page.getByRole('searchbox').fill('inv');
    },
  },
  'tables-away': {
    path: 'tables/shop/orders',
    answers: { ...orders, 'GET /console/api/catalog/shop/orders': AWAY },
    shows: /does not answer at the moment/,
  },
};
