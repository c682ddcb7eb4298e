/** What Penstock could answer on the Query page: plans, results and names that are hard to lay out. */
import type { CatalogTable, Column } from '../../../../src/console/api/catalog.ts';
import type { SavedQuery, SavedQueryTexts } from '../../../../src/console/api/saved-queries.ts';
import type { Answer, Answers } from '../answers.ts';

const column = (name: string, sqlType: string, nested: readonly Column[] = []): Column => ({
  name,
  sqlName: /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`,
  sqlType,
  types: [{ type: sqlType === 'BIGINT' ? 'N' : nested.length > 0 ? 'M' : 'S', items: 100 }],
  filled: 1,
  distinctValues: 90,
  nested,
});

const details = (itemCount: number, columns: readonly Column[], index: string | null) => ({
  key: { partitionKeys: [{ name: columns[0]?.name ?? 'id', type: 'S' as const }], sortKeys: [] },
  indexes:
    index === null
      ? []
      : [
          {
            name: index,
            sqlName: `shop.orders.${index}`,
            kind: 'global' as const,
            projection: 'all' as const,
            nonKeyAttributes: [],
            partitionKeys: [{ name: 'region', type: 'S' as const }],
            sortKeys: [],
            itemCount,
            sizeBytes: itemCount * 300,
            filled: 0.82,
            coverage: 'complete' as const,
          },
        ],
  itemCount,
  sizeBytes: itemCount * 400,
  describedAt: '2026-11-26T07:00:00.000Z',
  sampledAt: '2026-11-26T07:00:00.000Z',
  sampledItems: 100,
  columns,
});

export const tables: readonly CatalogTable[] = [
  {
    schemaName: 'shop',
    tableName: 'customers',
    sqlName: 'shop.customers',
    details: details(
      12_480,
      [
        column('customer_id', 'VARCHAR'),
        column('address', 'JSON', [{ ...column('city', 'VARCHAR'), sqlName: 'address.city' }]),
        column('first name', 'VARCHAR'),
        column('joined', 'BIGINT'),
      ],
      null,
    ),
  },
  {
    schemaName: 'shop',
    tableName: 'orders',
    sqlName: 'shop.orders',
    details: details(
      1_204_993,
      [
        column('order_id', 'VARCHAR'),
        column('amount', 'DECIMAL(9,2)'),
        column('customer_id', 'VARCHAR'),
        column('region', 'VARCHAR'),
        column('status', 'VARCHAR'),
      ],
      'byRegion',
    ),
  },
];

export const plan = `Page: 100 rows (computed when everything is read)
  Sort: revenue DESC
    Aggregate: COUNT(*) AS orders, SUM(o.amount) AS revenue by c.address.city
      LookupJoin (inner): o.customer_id = c.customer_id
        Filter: o.status = 'PAID'
          Scan shop.orders as o
              segments: 4
              filter: status = 'PAID'
              projection: amount, customer_id, status
              estimate: 301248 rows, 5124.5 read units (5100–5150)
              why: no key or index is bound by the conditions
        BatchGetItem shop.customers as c
            key: customer_id = o.customer_id
            keys from: o.customer_id
            projection: customer_id, address
            estimate: 12480 rows, 6240 read units (0–7000)
            otherwise: Scan, 610.5 read units, where as many keys as there are cost more
            why: about 12480 keys expected, counted before this is read`;

export const planned = {
  plan,
  weight: 5200,
  estimatedReadUnits: { low: 5_124.5, high: 5_760 },
  normalizedSql: 'SELECT …',
  planTime: 4,
  warnings: [
    'shop.orders: with `AND region IS NOT NULL` index byRegion would serve: about 1280 read units for 5124.5, without the rows where region is NULL',
  ],
};

export const cheapPlan = {
  plan: `Page: 100 rows (rows as they are read, no more than are wanted)
  Project: order_id, amount
    Filter: customer_id = 'C001'
      Query shop.orders index byCustomer
          key: customer_id = 'C001'
          projection: order_id, amount
          estimate: 84 rows, 8.5 read units (8–12)
          why: index key bound by customer_id = 'C001'`,
  weight: 8.5,
  estimatedReadUnits: { low: 8.5, high: 12 },
  normalizedSql: 'SELECT …',
  planTime: 2,
};

export const hostile = {
  markup: '<img src=x onerror="document.title=\'pwned\'"><script>alert(1)</script>',
  direction: 'abc\u202egnp.exe',
  invisible: 'pass\u200bword',
  digits: '12345678901234567890123456789012345678',
};

export const columns = {
  columns: ['city', 'orders', 'revenue', 'since', 'is_open', 'note', 'profile', hostile.markup],
  columnTypes: ['VARCHAR', 'BIGINT', 'DECIMAL(38,0)', 'TIMESTAMP', 'BOOLEAN', 'VARCHAR', 'JSON', 'VARCHAR'],
};

const CITIES = ['Graz', 'Lyon', 'Porto', 'Turku', 'القاهرة', 'São Tomé', 'Nuku’alofa', '東京'];

/** A row as the engine writes it. */
export function row(at: number): string {
  const city = JSON.stringify(CITIES[at % CITIES.length]);
  const note =
    at % 5 === 0
      ? 'null'
      : at % 5 === 1
        ? '""'
        : JSON.stringify([hostile.markup, hostile.direction, hostile.invisible][at % 3]);
  const profile = `{"level":${at % 7},"total":${hostile.digits}.5,"tags":["a","b"],"text":"${'long '.repeat(at % 90)}"}`;
  const day = String((at % 28) + 1).padStart(2, '0');
  const revenue = at === 0 ? hostile.digits : String(20_091_500 + ((at * 7_919) % 90_000));
  return `[${city},${80 + ((at * 37) % 60)},${revenue},"2026-11-${day} 08:15:00",${at % 2 === 0},${note},${profile},"x"]`;
}

/** A result as NDJSON, whole. */
export function result(rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => row(at));
  const end = {
    rows,
    readUnits: 5_131.5,
    planTime: 4,
    execTime: 1_840,
    warnings: planned.warnings,
    reads: [
      { table: 'shop.orders', alias: 'o', readUnits: 5_131.5, items: 1_204_993 },
      { table: 'shop.customers', alias: 'c', readUnits: 0, items: 0 },
    ],
  };
  return [JSON.stringify(columns), ...lines, JSON.stringify(end), ''].join('\n');
}

export const saved: readonly SavedQuery[] = [
  {
    savedQueryId: 's1',
    name: 'Paid orders by city',
    sql: "SELECT c.address.city, COUNT(*) AS orders\nFROM shop.customers c JOIN shop.orders o ON o.customer_id = c.customer_id\nWHERE o.status = 'PAID'\nGROUP BY 1",
    version: 3,
    createdAt: '2026-11-20T08:00:00.000Z',
    updatedAt: '2026-11-25T08:00:00.000Z',
    updatedBy: 'grace.hopper@analytical-engines.example.com',
    createdBy: 'ada.lovelace@analytical-engines.example.com',
  },
  {
    savedQueryId: 's2',
    name: hostile.markup,
    sql: 'SELECT 1',
    version: 1,
    createdAt: '2026-11-20T08:00:00.000Z',
    updatedAt: '2026-11-25T08:00:00.000Z',
    updatedBy: 'ada.lovelace@analytical-engines.example.com',
    createdBy: 'ada.lovelace@analytical-engines.example.com',
  },
];

/** What the first of them is and was. */
export const texts: SavedQueryTexts = {
  texts: [
    {
      number: 3,
      sql: saved[0]?.sql ?? '',
      savedAt: '2026-11-25T08:00:00.000Z',
      savedBy: 'grace.hopper@analytical-engines.example.com',
    },
    {
      number: 2,
      sql: 'SELECT 2 AS what_ada_had',
      savedAt: '2026-11-21T08:00:00.000Z',
      savedBy: 'ada.lovelace@analytical-engines.example.com',
    },
  ],
};

export const reference = {
  functions: [
    {
      name: 'ROUND',
      aliases: [],
      group: 'Numbers',
      arguments: '1 to 2',
      gives: 'Rounded to so many decimals (0 if not given), halves away from zero.',
      example: 'ROUND(2.567, 1) → 2.6',
    },
    {
      name: 'COUNT',
      aliases: [],
      group: 'Aggregates',
      arguments: '1',
      gives: 'How many rows, or how many that are not NULL.',
      example: 'COUNT(*)',
    },
  ],
  keywords: ['AND', 'AS', 'BY', 'COUNT', 'FROM', 'GROUP', 'JOIN', 'LIMIT', 'ON', 'ORDER', 'SELECT', 'WHERE'],
};

/** What the page asks for by itself. */
export const known: Answers = {
  'GET /console/api/catalog': { data: { tables } },
  'GET /console/api/sql-reference': { data: reference },
  'GET /console/api/saved-queries': { data: { items: saved } },
};

const isPlan = (body: string): boolean => (JSON.parse(body) as { mode?: string }).mode === 'plan';

/** Plans, and what a run is answered with; `null`: never. */
export const answering = (run: Answer, plan: Answer = { data: planned }): Answer => ({
  by: (body) => (isPlan(body) ? plan : run),
});

export const failure = (error: string, detailedError: string): Answer => ({
  json: { success: false, error, detailedError },
});
