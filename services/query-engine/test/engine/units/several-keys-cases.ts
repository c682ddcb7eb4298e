/**
 * Queries by indexes with several key attributes, with the least units that these allow. `several-keys-tables.ts` has the
 * sizes: half a unit for each 4 KB begun of a Query, and for each item that is read by key.
 */
import type { RelatedCase } from './related-cases.ts';

type Row = readonly [sql: string, units: number, requests: Readonly<Record<string, number>>, rows: number];

// oxfmt-ignore
const groups: Readonly<Record<string, readonly Row[]>> = {
  'a partition of several attributes': [
    [`SELECT * FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round > 0 AND bracket > ''`, 2.5, { Query: 1 }, 20],
    [`SELECT count(*) FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round IS NOT NULL AND bracket IS NOT NULL`, 2.5, { Query: 1 }, 1],
    [`SELECT * FROM shop.matches WHERE cup = 'nobody' AND region = 'r1' AND round > 0 AND bracket > ''`, 0.5, { Query: 1 }, 0],
    // Without one of its attributes, or where an item may lack one, it does not serve.
    [`SELECT id FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round = 1`, 35, { Scan: 1 }, 4],
    [`SELECT score FROM shop.matches WHERE region = 'r1' AND round = 1 AND bracket = 'upper'`, 35, { Scan: 1 }, 8],
  ],
  'the sort key from left to right': [
    [`SELECT * FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round = 3 AND bracket > ''`, 0.5, { Query: 1 }, 4],
    [`SELECT * FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round = 3 AND bracket = 'upper'`, 0.5, { Query: 1 }, 2],
    [`SELECT * FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round = 3 AND bracket LIKE 'up%'`, 0.5, { Query: 1 }, 2],
    // Two rounds, 8 KB
    [`SELECT * FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round BETWEEN 2 AND 3 AND bracket > ''`, 1, { Query: 1 }, 8],
    // Behind a range, the bracket is checked: the same 8 KB
    [`SELECT * FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round >= 4 AND bracket = 'upper'`, 1, { Query: 1 }, 4],
    // A gap: of a round, what the slot leaves
    [`SELECT * FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round = 2 AND bracket > '' AND slot = 1`, 0.5, { Query: 1 }, 2],
  ],
  'products and pairs': [
    // 2 × 2 partitions, of each a bracket
    [`SELECT id FROM shop.matches WHERE cup IN ('c0', 'c1') AND region IN ('r0', 'r1') AND round = 3 AND bracket = 'upper'`, 2, { Query: 4 }, 8],
    [`SELECT id FROM shop.matches WHERE (cup, region) IN (('c0', 'r1'), ('c2', 'r2')) AND round = 1 AND bracket = 'upper'`, 1, { Query: 2 }, 4],
    [`SELECT id FROM shop.matches WHERE (cup, region, round, bracket) IN (('c0', 'r1', 1, 'upper'), ('c2', 'r2', 5, 'lower'))`, 1, { Query: 2 }, 4],
  ],
  'order': [
    // Of 4 KB and less, three items
    [`SELECT round, bracket FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round > 0 AND bracket > '' ORDER BY round DESC, bracket DESC LIMIT 3`, 0.5, { Query: 1 }, 3],
    [`SELECT bracket FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round = 4 AND bracket > '' ORDER BY bracket LIMIT 1`, 0.5, { Query: 1 }, 1],
    // Two partitions side by side, four of each
    [`SELECT round, bracket FROM shop.matches WHERE cup = 'c1' AND region IN ('r0', 'r1') AND round > 1 AND bracket > '' ORDER BY round, bracket LIMIT 4`, 1, { Query: 2 }, 4],
    [`SELECT max(round) FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round > 0 AND bracket IS NOT NULL`, 0.5, { Query: 1 }, 1],
    [`SELECT min(bracket) FROM shop.matches WHERE cup = 'c1' AND region = 'r1' AND round = 2 AND bracket IS NOT NULL`, 0.5, { Query: 1 }, 1],
  ],
  'lookups': [
    // The index has the keys of three items, one a region: 0.5 + 3 × 0.5
    [`SELECT score FROM shop.matches WHERE cup = 'c1' AND round = 3 AND bracket = 'upper' AND slot = 1`, 2, { Query: 1, BatchGetItem: 1 }, 3],
    [`SELECT id FROM shop.matches WHERE cup = 'c1' AND round = 3 AND bracket = 'upper' AND slot = 1`, 0.5, { Query: 1 }, 3],
    // The three fixtures, then a round or a bracket for each: 0.5 + 3 × 0.5
    [`SELECT m.id FROM shop.fixtures f JOIN shop.matches m ON m.cup = f.cup AND m.region = f.region WHERE m.round = 1 AND m.bracket = 'upper' AND f.id > 'f'`, 2, { Scan: 1, Query: 3 }, 6],
    [`SELECT m.id FROM shop.fixtures f JOIN shop.matches m ON m.cup = f.cup AND m.region = f.region AND m.round = f.round WHERE m.bracket > '' AND f.id > 'f'`, 2, { Scan: 1, Query: 3 }, 12],
  ],
};

export const severalKeysCases: Readonly<Record<string, readonly RelatedCase[]>> = Object.fromEntries(
  Object.entries(groups).map(([group, rows]) => [
    group,
    rows.map(([sql, units, requests, count]): RelatedCase => ({ sql, units, requests, rows: count })),
  ]),
);
