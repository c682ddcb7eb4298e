/** ORDER BY … LIMIT by indexes that lack items or columns, with the least units. `ordered-tables.ts` has the sizes. */
export interface OrderedCase {
  readonly sql: string;
  readonly units: number;
  readonly requests: Readonly<Record<string, number>>;
}

type Row = readonly [sql: string, units: number, requests: Readonly<Record<string, number>>];

// oxfmt-ignore
const groups: Readonly<Record<string, readonly Row[]>> = {
  'items without the key come last': [
    // 3 × 1 KB of the local index
    [`SELECT seq, amount FROM shop.payments WHERE account = 'a1' ORDER BY amount DESC LIMIT 3`, 0.5, { Query: 1 }],
    [`SELECT seq, amount FROM shop.payments WHERE account = 'a1' ORDER BY amount NULLS LAST LIMIT 4`, 0.5, { Query: 1 }],
    [`SELECT seq, amount FROM shop.payments WHERE account = 'a1' ORDER BY amount DESC LIMIT 2 OFFSET 2`, 0.5, { Query: 1 }],
    [`SELECT label, amount * 2 AS double FROM shop.payments WHERE account = 'a1' ORDER BY amount DESC LIMIT 1`, 0.5, { Query: 1 }],
    // 20 × 1 KB: 5 steps, as much as a tenth of the partition
    [`SELECT seq FROM shop.payments WHERE account = 'a1' ORDER BY amount DESC LIMIT 20`, 2.5, { Query: 1 }],
    // Of both partitions, merged
    [`SELECT seq, account FROM shop.payments WHERE account IN ('a1', 'a2') ORDER BY amount DESC LIMIT 4`, 1, { Query: 2 }],
    // An entry's page, and three items by key
    [`SELECT id, weight, state FROM shop.parcels WHERE depot = 'd1' ORDER BY weight DESC LIMIT 3`, 2, { Query: 1, BatchGetItem: 1 }],
    // Below a join
    [`SELECT a.owner, p.amount FROM (SELECT * FROM shop.payments WHERE account = 'a1' ORDER BY amount DESC LIMIT 3) p JOIN shop.accounts a ON a.id = p.account`, 1, { Query: 1, GetItem: 1 }],
  ],
  'items without the key may be among the first': [
    // 200 × 1 KB: 50 steps
    [`SELECT seq, amount FROM shop.payments WHERE account = 'a1' ORDER BY amount LIMIT 3`, 25, { Query: 1 }],
    [`SELECT seq, amount FROM shop.payments WHERE account = 'a1' ORDER BY amount DESC NULLS FIRST LIMIT 3`, 25, { Query: 1 }],
    [`SELECT seq, amount FROM shop.payments WHERE account = 'a1' ORDER BY coalesce(amount, 5000) DESC LIMIT 3`, 25, { Query: 1 }],
  ],
  'more may be wanted than the index has': [
    // 120 rows are wanted, and the index has 100: as a scan of the partition costs so little more, it is not tried.
    [`SELECT seq FROM shop.payments WHERE account = 'a1' ORDER BY amount DESC LIMIT 120`, 25, { Query: 1 }],
    // Two payments of the account have an amount: half a unit is lost, as it is where there are none at all.
    [`SELECT seq, amount FROM shop.payments WHERE account = 'a3' ORDER BY amount DESC LIMIT 3`, 25.5, { Query: 2 }],
    [`SELECT seq, amount FROM shop.payments WHERE account = 'none' ORDER BY amount DESC LIMIT 3`, 1, { Query: 2 }],
  ],
  'filtered after they are read': [
    // Every second is fragile: 7 are asked for, 3 or 4 pass
    [`SELECT id, weight FROM shop.parcels WHERE depot = 'd1' AND weight > 0 AND kind = 'fragile' ORDER BY weight DESC LIMIT 3`, 4, { Query: 1, BatchGetItem: 1 }],
    [`SELECT id, weight FROM shop.parcels WHERE depot = 'd1' AND kind = 'fragile' ORDER BY weight DESC LIMIT 3`, 4, { Query: 1, BatchGetItem: 1 }],
    // There are two states, so 7 are asked for; the heaviest are late.
    [`SELECT id, weight FROM shop.crates WHERE yard = 'y' AND weight > 0 AND state = 'late' ORDER BY weight DESC LIMIT 3`, 4, { Query: 1, BatchGetItem: 1 }],
    // What is late is light.
    [`SELECT id, weight FROM shop.parcels WHERE depot = 'd1' AND weight > 0 AND state = 'late' ORDER BY weight LIMIT 5`, 4.5, { Query: 1, BatchGetItem: 1 }],
  ],
};

export const orderedCases: Readonly<Record<string, readonly OrderedCase[]>> = Object.fromEntries(
  Object.entries(groups).map(([group, rows]) => [
    group,
    rows.map(([sql, units, requests]): OrderedCase => ({ sql, units, requests })),
  ]),
);
