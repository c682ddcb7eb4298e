/**
 * Queries with the least units that their keys and indexes allow. Reads are eventually consistent unless said
 * otherwise: half a unit for every 4 KB begun, of a page together for Query and Scan, of each item for GetItem and
 * BatchGetItem; at least half a unit. `tables.ts` has the sizes.
 */
import type { TestQuery } from '../test-engine.ts';

export interface UnitCase {
  readonly sql: string;
  readonly units: number;
  /** Requests, by operation. */
  readonly operations: readonly string[];
  readonly options?: TestQuery;
  readonly rows?: number;
}

const G = 'GetItem';
const B = 'BatchGetItem';
const Q = 'Query';
const S = 'Scan';
const consistent: TestQuery = { consistentRead: true };

type Row = readonly [
  sql: string,
  units: number,
  operations: readonly string[],
  rows?: number,
  options?: TestQuery,
];

const list = (letter: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `'${letter}${String(i).padStart(3, '0')}'`).join(', ');

// oxfmt-ignore
const groups: Readonly<Record<string, readonly Row[]>> = {
  'whole keys, items of 1 KB (half a unit each)': [
    [`SELECT * FROM shop.users WHERE id = 'u001'`, 0.5, [G], 1],
    [`SELECT name FROM shop.users WHERE 'u001' = id`, 0.5, [G], 1],
    // An item that is not there costs what the smallest does.
    [`SELECT * FROM shop.users WHERE id = 'nobody'`, 0.5, [G], 0],
    [`SELECT * FROM shop.users WHERE id = 'u001'`, 1, [G], 1, consistent],
    [`SELECT * FROM shop.users WHERE id = 'nobody'`, 1, [G], 0, consistent],
    // 3 × 0.5
    [`SELECT * FROM shop.users WHERE id IN ('u001', 'u002', 'u003')`, 1.5, [B], 3],
    // 3 × 0.5, one of them for an item that is not there
    [`SELECT * FROM shop.users WHERE id IN ('u001', 'u002', 'nobody')`, 1.5, [B], 2],
    [`SELECT * FROM shop.users WHERE id IN ('u001', 'u001')`, 0.5, [G], 1],
    [`SELECT * FROM shop.users WHERE id IN ('u001', 'u002', 'u001', NULL)`, 1, [B], 2],
    [`SELECT * FROM shop.users WHERE id IN ('u001', 'u002')`, 2, [B], 2, consistent],
    [`SELECT * FROM shop.users WHERE id = 'u001' OR id = 'u002'`, 1, [B], 2],
    [`SELECT * FROM shop.users WHERE (id = 'u001' OR id = 'u002') AND city = 'Oslo'`, 1, [B], 1],
    // Only u002 is in both lists.
    [`SELECT * FROM shop.users WHERE id IN ('u001', 'u002') AND id IN ('u002', 'u003')`, 0.5, [G], 1],
    [`SELECT count(*) FROM shop.users WHERE id = 'u001'`, 0.5, [G], 1],
    [`SELECT name FROM shop.users WHERE id = 'u001' AND age > 1000`, 0.5, [G], 0],
    [`SELECT name FROM shop.users WHERE id = 'u001' AND (city = 'Bern' OR age = 1)`, 0.5, [G], 1],
    [`SELECT upper(name) FROM shop.users u WHERE u.id = ?`, 0.5, [G], 1, { parameters: ['u007'] }],
    [`SELECT name FROM shop.counters c JOIN shop.users u ON u.age = c.value WHERE c.id = 7 AND u.id = 'u007'`, 1, [G, G], 1],
    [`SELECT * FROM shop.counters WHERE id = 7`, 0.5, [G], 1],
    [`SELECT * FROM shop.counters WHERE id = 7.0`, 0.5, [G], 1],
    [`SELECT * FROM shop.counters WHERE id = '7'`, 0.5, [G], 1],
    [`SELECT * FROM shop.counters WHERE id IN (1, 1.0, 2)`, 1, [B], 2],
    [`SELECT * FROM shop.counters WHERE id = -1`, 0.5, [G], 0],
  ],
  'items of several steps of 4 KB': [
    // ceil(1000 / 4096) = 1 step
    [`SELECT * FROM shop.docs WHERE id = 'd1'`, 0.5, [G], 1],
    // 4096 B are one step, 4097 B two
    [`SELECT * FROM shop.docs WHERE id = 'd4'`, 0.5, [G], 1],
    [`SELECT * FROM shop.docs WHERE id = 'd5'`, 1, [G], 1],
    [`SELECT * FROM shop.docs WHERE id = 'd5'`, 2, [G], 1, consistent],
    // 10,000 / 4096 = 2.4: 3 steps
    [`SELECT * FROM shop.docs WHERE id = 'd10'`, 1.5, [G], 1],
    // 40,000 / 4096 = 9.8: 10 steps
    [`SELECT * FROM shop.docs WHERE id = 'd40'`, 5, [G], 1],
    // 400,000 / 4096 = 97.7: 98 steps
    [`SELECT * FROM shop.docs WHERE id = 'd400'`, 49, [G], 1],
    // Each on its own: 0.5 + 1 + 1.5
    [`SELECT * FROM shop.docs WHERE id IN ('d1', 'd5', 'd10')`, 3, [B], 3],
    // Together: 459,193 / 4096 = 112.1: 113 steps
    [`SELECT * FROM shop.docs`, 56.5, [S], 6],
  ],
  'scans': [
    // 204,800 / 4096 = 50 steps
    [`SELECT * FROM shop.users`, 25, [S], 200],
    [`SELECT name FROM shop.users`, 25, [S], 200],
    [`SELECT count(*) FROM shop.users`, 25, [S], 1],
    [`SELECT count(*) FROM shop.users`, 50, [S], 1, consistent],
    [`SELECT * FROM shop.users WHERE age < 5`, 25, [S], 5],
    [`SELECT * FROM shop.users WHERE id > 'u190'`, 25, [S], 9],
    [`SELECT * FROM shop.users WHERE id LIKE 'u00%'`, 25, [S], 10],
    // An OR branch that leaves the key open
    [`SELECT * FROM shop.users WHERE id = 'u001' OR city = 'Bern'`, 25, [S], 101],
    [`SELECT * FROM shop.users WHERE id <> 'u001'`, 25, [S], 199],
    [`SELECT * FROM shop.users ORDER BY name LIMIT 3`, 25, [S], 3],
    [`SELECT city, count(*) FROM shop.users GROUP BY city`, 25, [S], 2],
    [`SELECT a.name FROM shop.users a JOIN shop.users b ON a.age = b.age + 1`, 25, [S], 199],
    [`SELECT name FROM shop.users WHERE city = 'Bern' UNION SELECT name FROM shop.users WHERE city = 'Oslo'`, 25, [S], 200],
    [`WITH u AS (SELECT city, age FROM shop.users) SELECT max(age) FROM u UNION ALL SELECT count(*) FROM u`, 25, [S], 2],
    // 2,457,600 / 4096 = 600 steps, in pages of 1 MB
    [`SELECT count(*) FROM shop.wide`, 300, [S, S, S], 1],
    [`SELECT id FROM shop.wide WHERE part = 1`, 300, [S, S, S], 100],
    // A number key and a predicate on it that is no equality: 5000 / 4096 = 2 steps
    [`SELECT * FROM shop.counters WHERE id < 3`, 1, [S], 3],
  ],
  'scans that stop early': [
    // 10 × 1024 / 4096 = 2.5: 3 steps
    [`SELECT * FROM shop.users LIMIT 10`, 1.5, [S], 10],
    [`SELECT name FROM shop.users FETCH FIRST 4 ROWS ONLY`, 0.5, [S], 4],
    // 20 KB = 5 steps
    [`SELECT * FROM shop.users LIMIT 10 OFFSET 10`, 2.5, [S], 10],
    [`SELECT * FROM shop.users`, 1.5, [S], 10, { maxRows: 10 }],
    // 30 KB = 7.5: 8 steps
    [`SELECT * FROM shop.users`, 4, [S], 10, { maxRows: 10, resumeIdx: 20 }],
    [`SELECT * FROM shop.users LIMIT 100`, 0.5, [S], 4, { maxRows: 4 }],
    // The page ends where LIMIT does: 12 KB = 3 steps
    [`SELECT * FROM shop.users LIMIT 12`, 1.5, [S], 2, { maxRows: 10, resumeIdx: 10 }],
    [`SELECT * FROM shop.users WHERE id IS NOT NULL LIMIT 4`, 0.5, [S], 4],
    [`SELECT * FROM (SELECT name, age FROM shop.users) u LIMIT 4`, 0.5, [S], 4],
    [`SELECT name || '!' FROM shop.users LIMIT 4`, 0.5, [S], 4],
    // 3 × 8192 = 6 steps
    [`SELECT * FROM shop.wide LIMIT 3`, 3, [S], 3],
    // 200 × 8192: 128 items in the first page of 1 MB, 72 in the second
    [`SELECT id FROM shop.wide LIMIT 200`, 200, [S, S], 200],
  ],
  'partitions, 100 items of 512 B': [
    // 51,200 / 4096 = 12.5: 13 steps
    [`SELECT * FROM shop.events WHERE device = 'd0'`, 6.5, [Q], 100],
    [`SELECT * FROM shop.events WHERE device = 'd0'`, 13, [Q], 100, consistent],
    [`SELECT count(*) FROM shop.events WHERE device = 'd0'`, 6.5, [Q], 1],
    [`SELECT sum(size) FROM shop.events WHERE device = 'd0' AND size > 50`, 6.5, [Q], 1],
    // A partition that is not there
    [`SELECT * FROM shop.events WHERE device = 'zz'`, 0.5, [Q], 0],
    [`SELECT * FROM shop.events WHERE device IN ('d0', 'd1')`, 13, [Q, Q], 200],
    [`SELECT * FROM shop.events WHERE device = 'd0' OR device = 'd1'`, 13, [Q, Q], 200],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND device IN ('d0', 'd1')`, 6.5, [Q], 100],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND tick = 5`, 0.5, [G], 1],
    [`SELECT * FROM shop.events WHERE (device, tick) = ('d0', 5)`, 0.5, [G], 1],
    [`SELECT * FROM shop.events WHERE (device, tick) IN (('d0', 5), ('d1', 6))`, 1, [B], 2],
    [`SELECT * FROM shop.events WHERE (device = 'd0' AND tick = 5) OR (device = 'd1' AND tick = 6)`, 1, [B], 2],
    // Four whole keys: what lies between ticks 1 and 2 is not known, so no Query over both is sure to cost less.
    [`SELECT * FROM shop.events WHERE device IN ('d0', 'd1') AND tick IN (1, 2)`, 2, [B], 4],
    // 8 × 512 = 1 step; 9 × 512 = 1.1: 2 steps
    [`SELECT * FROM shop.events WHERE device = 'd0' AND tick < 8`, 0.5, [Q], 8],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND tick <= 8`, 1, [Q], 9],
    [`SELECT count(*) FROM shop.events WHERE device = 'd0' AND tick < 8`, 0.5, [Q], 1],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND tick > 91`, 0.5, [Q], 8],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND NOT tick < 92`, 0.5, [Q], 8],
    // 16 × 512 = 2 steps
    [`SELECT * FROM shop.events WHERE device = 'd0' AND tick BETWEEN 10 AND 25`, 1, [Q], 16],
    // DynamoDB's BETWEEN includes both ends, so the 26th is read along: 17 × 512 = 2.1: 3 steps
    [`SELECT * FROM shop.events WHERE device = 'd0' AND tick >= 10 AND tick < 26`, 1.5, [Q], 16],
    [`SELECT * FROM shop.events WHERE device IN ('d0', 'd1') AND tick < 8`, 1, [Q, Q], 16],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND tick > 500`, 0.5, [Q], 0],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND size > 90`, 6.5, [Q], 9],
    [`SELECT * FROM shop.events WHERE tick = 5`, 50, [S], 8],
  ],
  'ranges, each by itself': [
    // 5 × 512 B at either end
    [`SELECT * FROM shop.events WHERE device = 'd0' AND (tick < 5 OR tick > 94)`, 1, [Q, Q], 10],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND NOT tick BETWEEN 5 AND 94`, 1, [Q, Q], 10],
    [`SELECT * FROM shop.events WHERE (device = 'd0' AND tick < 5) OR (device = 'd1' AND tick > 94)`, 1, [Q, Q], 10],
    [`SELECT * FROM shop.events WHERE (device = 'd0' AND tick < 5) OR (device = 'd1' AND tick = 7)`, 1, [Q, Q], 6],
    [`SELECT * FROM shop.events WHERE (device = 'd0' AND tick < 5) OR (device = 'd0' AND tick < 8)`, 0.5, [Q], 8],
    [`SELECT * FROM shop.events WHERE (device = 'd0' AND tick < 8) OR (device = 'd1' AND tick < 8) OR device = 'zz'`, 1.5, [Q, Q, Q], 16],
    // A branch that leaves the partition open
    [`SELECT * FROM shop.events WHERE (device = 'd0' AND tick < 5) OR tick > 98`, 50, [S], 13],
    // 10 × 512 B each: 2 steps
    [`SELECT * FROM shop.events WHERE device = 'd0' AND level IN (1, 9)`, 2, [Q, Q], 20],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND tick BETWEEN 5 AND 5`, 0.5, [G], 1],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND tick >= 5 AND tick <= 5`, 0.5, [G], 1],
    [`SELECT * FROM shop.events WHERE device BETWEEN 'd0' AND 'd0' AND tick IN (5)`, 0.5, [G], 1],
    // The page ends within the first range.
    [`SELECT * FROM shop.events WHERE device = 'd0' AND (tick < 50 OR tick > 94)`, 0.5, [Q], 8, { maxRows: 8 }],
  ],
  'orders over several partitions': [
    // 4 × 512 B of each
    [`SELECT * FROM shop.events WHERE device IN ('d0', 'd1') ORDER BY tick DESC LIMIT 4`, 1, [Q, Q], 4],
    [`SELECT * FROM shop.events WHERE device = 'd0' OR device = 'd1' ORDER BY tick LIMIT 8`, 1, [Q, Q], 8],
    [`SELECT * FROM shop.events WHERE device IN ('d0', 'd1') ORDER BY tick`, 1, [Q, Q], 8, { maxRows: 8 }],
    [`SELECT * FROM shop.events WHERE device IN ('d0', 'd1', 'zz') ORDER BY tick, device LIMIT 3`, 1.5, [Q, Q, Q], 3],
    [`SELECT max(tick) FROM shop.events WHERE device IN ('d0', 'd1')`, 1, [Q, Q], 1],
    // The order goes on by what is no key: the first four of each all the same, as no two of a device have one tick
    [`SELECT * FROM shop.events WHERE device IN ('d0', 'd1') ORDER BY tick, size LIMIT 4`, 1, [Q, Q], 4],
    // All 13 units of them
    [`SELECT * FROM shop.events WHERE device IN ('d0', 'd1') ORDER BY size, tick LIMIT 4`, 13, [Q, Q], 4],
    // 2 × 1000 B of each
    [`SELECT * FROM shop.logs WHERE day IN ('a', 'b') ORDER BY time LIMIT 2`, 1, [Q, Q], 2],
  ],
  'orders and limits within a partition': [
    // 3 × 512 B
    [`SELECT * FROM shop.events WHERE device = 'd0' ORDER BY tick DESC LIMIT 3`, 0.5, [Q], 3],
    [`SELECT * FROM shop.events WHERE device = 'd0' ORDER BY tick LIMIT 8`, 0.5, [Q], 8],
    [`SELECT * FROM shop.events WHERE device = 'd0' ORDER BY tick LIMIT 9`, 1, [Q], 9],
    [`SELECT * FROM shop.events WHERE device = 'd0' ORDER BY tick DESC LIMIT 8 OFFSET 8`, 1, [Q], 8],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND tick > 50 ORDER BY tick LIMIT 8`, 0.5, [Q], 8],
    [`SELECT * FROM shop.events WHERE device = 'd0'`, 0.5, [Q], 8, { maxRows: 8 }],
    [`SELECT * FROM shop.events WHERE device = 'd0'`, 1, [Q], 8, { maxRows: 8, resumeIdx: 8 }],
    [`SELECT * FROM shop.events WHERE device = 'd0' ORDER BY tick DESC`, 0.5, [Q], 8, { maxRows: 8 }],
    [`SELECT * FROM shop.events WHERE device IN ('d0', 'd1') ORDER BY device, tick LIMIT 5`, 0.5, [Q], 5],
    [`SELECT * FROM shop.events WHERE device = 'd0' ORDER BY size LIMIT 5`, 6.5, [Q], 5],
    [`SELECT * FROM shop.events LIMIT 8`, 0.5, [S], 8],
    [`SELECT tick FROM shop.events WHERE device = 'd0' ORDER BY tick DESC FETCH NEXT ROW ONLY`, 0.5, [Q], 1],
  ],
  'text sort keys, hours of 10 × 1000 B': [
    // 10,000 / 4096 = 2.4: 3 steps
    [`SELECT * FROM shop.logs WHERE day = 'a' AND time LIKE '03:%'`, 1.5, [Q], 10],
    [`SELECT * FROM shop.logs WHERE day = 'a' AND time LIKE '03:_4'`, 1.5, [Q], 1],
    [`SELECT * FROM shop.logs WHERE day IN ('a', 'b') AND time LIKE '03:%'`, 3, [Q, Q], 20],
    [`SELECT * FROM shop.logs WHERE day = 'a' AND time LIKE '03:05'`, 0.5, [G], 1],
    // The last two of an hour, and no more
    [`SELECT * FROM shop.logs WHERE day = 'a' AND time LIKE '03:%' AND time >= '03:08'`, 0.5, [Q], 2],
    // Two hours of 1.5 each, not the three between them
    [`SELECT * FROM shop.logs WHERE day = 'a' AND (time LIKE '01:%' OR time LIKE '04:%')`, 3, [Q, Q], 20],
    [`SELECT * FROM shop.logs WHERE day = 'a' AND time = '03:05'`, 0.5, [G], 1],
    [`SELECT * FROM shop.logs WHERE day = 'a' AND time >= '05:00'`, 1.5, [Q], 10],
    // 4 × 1000 B
    [`SELECT * FROM shop.logs WHERE day = 'a' AND time BETWEEN '00:00' AND '00:03'`, 0.5, [Q], 4],
    // 60,000 / 4096 = 14.6: 15 steps; LIKE without a beginning, or in any case, is no range
    [`SELECT * FROM shop.logs WHERE day = 'a' AND time LIKE '%:05'`, 7.5, [Q], 6],
    [`SELECT * FROM shop.logs WHERE day = 'a' AND time ILIKE '03:%'`, 7.5, [Q], 10],
    [`SELECT * FROM shop.logs WHERE day = 'a' AND time NOT LIKE '03:%'`, 7.5, [Q], 50],
  ],
  'local secondary indexes': [
    // Levels 3 and 4 of the 75 that have one: 10 + 5 items, 15 × 512 = 1.9: 2 steps
    [`SELECT * FROM shop.events WHERE device = 'd0' AND level BETWEEN 3 AND 4`, 1, [Q], 15],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND level BETWEEN 3 AND 4`, 2, [Q], 15, consistent],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND level = 3`, 1, [Q], 10],
    // 3 of level 9, backwards
    [`SELECT * FROM shop.events WHERE device = 'd0' AND level IS NOT NULL ORDER BY level DESC LIMIT 3`, 0.5, [Q], 3],
    // 75 × 512 = 9.4: 10 steps
    [`SELECT * FROM shop.events WHERE device = 'd0' AND level IS NOT NULL`, 5, [Q], 75],
    // The index lacks those without a level.
    [`SELECT * FROM shop.events WHERE device = 'd0' AND level IS NULL`, 6.5, [Q], 25],
    // Three that have a level come before those without.
    [`SELECT * FROM shop.events WHERE device = 'd0' ORDER BY level DESC LIMIT 3`, 0.5, [Q], 3],
    [`SELECT * FROM shop.events WHERE device = 'd0' ORDER BY level DESC NULLS FIRST LIMIT 3`, 6.5, [Q], 3],
    // Keys only: 25 entries of about 20 B
    [`SELECT tick FROM shop.events WHERE device = 'd0' AND kind = 'k1'`, 0.5, [Q], 25],
    [`SELECT count(*) FROM shop.events WHERE device = 'd0' AND kind = 'k1'`, 0.5, [Q], 1],
    // size is not in the index: 25 fetches would cost 12.5, the partition costs 6.5
    [`SELECT tick, size FROM shop.events WHERE device = 'd0' AND kind = 'k1'`, 6.5, [Q], 25],
  ],
  'global secondary indexes': [
    // 10 × 1024 = 2.5: 3 steps
    [`SELECT * FROM shop.tickets WHERE owner = 'o1'`, 1.5, [Q], 10],
    [`SELECT count(*) FROM shop.tickets WHERE owner = 'o1'`, 1.5, [Q], 1],
    [`SELECT * FROM shop.tickets WHERE owner IN ('o1', 'o2')`, 3, [Q, Q], 20],
    [`SELECT * FROM shop.tickets WHERE owner = 'o1' LIMIT 4`, 0.5, [Q], 4],
    [`SELECT * FROM shop.tickets WHERE owner = 'o1' AND id = 't001'`, 0.5, [G], 1],
    [`SELECT * FROM shop.tickets WHERE owner = 'o1' AND title LIKE '%1'`, 1.5, [Q], 10],
    // A global index is never consistent: the table, 50 steps at a whole unit
    [`SELECT * FROM shop.tickets WHERE owner = 'o1'`, 50, [S], 10, consistent],
    // Keys only, 20 entries of about 20 B
    [`SELECT id FROM shop.tickets WHERE customer = 'c1'`, 0.5, [Q], 20],
    [`SELECT count(*) FROM shop.tickets WHERE customer IN ('c1', 'c2')`, 1, [Q, Q], 1],
    // INCLUDE title: 40 entries of about 40 B
    [`SELECT id, title FROM shop.tickets WHERE region = 'r1'`, 0.5, [Q], 40],
    [`SELECT title FROM shop.tickets WHERE region = 'r1' AND title LIKE '%6'`, 0.5, [Q], 20],
    // Ranks 0, 2, 4, 6, 8: 5 × 1024 = 1.25: 2 steps
    [`SELECT * FROM shop.tickets WHERE status = 'open' AND rank < 10`, 1, [Q], 5],
    [`SELECT * FROM shop.tickets WHERE status = 'open' AND rank IS NOT NULL ORDER BY rank DESC LIMIT 4`, 0.5, [Q], 4],
    // Tickets without a rank are not in the index.
    [`SELECT * FROM shop.tickets WHERE status = 'open'`, 25, [S], 100],
    [`SELECT * FROM shop.tickets WHERE status = 'open' ORDER BY rank LIMIT 4`, 25, [S], 4],
    [`SELECT * FROM shop.tickets WHERE owner IS NULL`, 25, [S], 0],
    [`SELECT * FROM shop.tickets WHERE owner <> 'o1' OR title = 'x'`, 25, [S], 190],
  ],
  'ORs over several keys': [
    // 0.5 + 1.5; t001 is of o1, and comes once
    [`SELECT * FROM shop.tickets WHERE id = 't001' OR owner = 'o1'`, 2, [G, Q], 10],
    [`SELECT * FROM shop.tickets WHERE id = 't001' OR owner = 'o2'`, 2, [G, Q], 11],
    [`SELECT count(*) FROM shop.tickets WHERE flag = 'y' OR owner IN ('o1', 'o2')`, 3.5, [Q, Q, Q], 1],
    [`SELECT * FROM shop.tickets WHERE (flag = 'y' OR owner = 'o7') AND title LIKE '%7'`, 2, [Q, Q], 10],
    // The first arm has all that is wanted.
    [`SELECT * FROM shop.tickets WHERE flag = 'y' OR owner = 'o7' LIMIT 4`, 0.5, [Q], 4],
    [`SELECT * FROM shop.tickets WHERE flag = 'y' OR owner = 'o7'`, 50, [S], 14, consistent],
    // The index has no titles: 20 of a customer would cost 0.5 + 20 × 0.5
    [`SELECT * FROM shop.tickets WHERE flag = 'y' OR title = 'ticket 9'`, 25, [S], 5],
    [`SELECT * FROM shop.events WHERE (device = 'd0' AND tick < 8) OR (device = 'd1' AND level = 3)`, 1.5, [Q, Q], 18],
  ],
  'sparse indexes': [
    // Four items of 1 KB have a flag.
    [`SELECT * FROM shop.tickets WHERE flag = 'y'`, 0.5, [Q], 4],
    [`SELECT * FROM shop.tickets WHERE flag IS NOT NULL`, 0.5, [S], 4],
    [`SELECT count(*) FROM shop.tickets WHERE flag IS NOT NULL`, 0.5, [S], 1],
    [`SELECT * FROM shop.tickets WHERE flag <> 'x'`, 0.5, [S], 4],
    [`SELECT * FROM shop.tickets WHERE flag > 'a' AND rank > 1`, 0.5, [S], 2],
    [`SELECT * FROM shop.tickets WHERE flag IS NULL`, 25, [S], 196],
    [`SELECT * FROM shop.tickets WHERE flag = 'y' OR flag IS NULL`, 25, [S], 200],
    // 4 with a flag, 10 of an owner
    [`SELECT * FROM shop.tickets WHERE flag = 'y' OR owner = 'o7'`, 2, [Q, Q], 14],
    [`SELECT * FROM shop.tickets WHERE coalesce(flag, 'n') = 'n'`, 25, [S], 196],
  ],
  'rows whose NULL changes nothing': [
    // By index by-level: the last of a device, the first, both ends
    [`SELECT max(level) FROM shop.events WHERE device = 'd0'`, 0.5, [Q], 1],
    [`SELECT min(level) FROM shop.events WHERE device = 'd0'`, 0.5, [Q], 1],
    [`SELECT max(level), min(level) FROM shop.events WHERE device = 'd0'`, 1, [Q, Q], 1],
    [`SELECT max(level), min(tick) FROM shop.events WHERE device = 'd0'`, 1, [Q, Q], 1],
    [`SELECT max(level) FROM shop.events WHERE device IN ('d0', 'd1')`, 1, [Q, Q], 1],
    [`SELECT max(level) FROM shop.events WHERE device = 'd0'`, 1, [Q], 1, consistent],
    [`SELECT max(rank) FROM shop.tickets WHERE status = 'open'`, 0.5, [Q], 1],
    [`SELECT max(rank) FROM shop.tickets WHERE status = 'open'`, 50, [S], 1, consistent],
    // 75 × 512 = 9.4: 10 steps
    [`SELECT sum(level), avg(level), count(level) FROM shop.events WHERE device = 'd0'`, 5, [Q], 1],
    [`SELECT tick FROM shop.events WHERE device = 'd0' AND level * level > 64`, 5, [Q], 10],
    [`SELECT tick FROM shop.events WHERE device = 'd0' AND level + 1 > 9`, 1, [Q], 10],
    // Rows without a level count: 100 × 512 = 12.5: 13 steps
    [`SELECT max(level), count(*) FROM shop.events WHERE device = 'd0'`, 6.5, [Q], 1],
    [`SELECT sum(level), sum(size) FROM shop.events WHERE device = 'd0'`, 6.5, [Q], 1],
    [`SELECT device, max(level), count(*) FROM shop.events WHERE device = 'd0' GROUP BY device`, 6.5, [Q], 1],
    [`SELECT tick FROM shop.events WHERE device = 'd0' AND coalesce(level, 9) + 1 > 9`, 6.5, [Q], 35],
    // The device has a level in the index: the greatest, whatever other rows there are.
    [`SELECT device, max(level) FROM shop.events WHERE device = 'd0' GROUP BY device`, 0.5, [Q], 1],
    // One read of the partition serves both.
    [`SELECT (SELECT sum(level) FROM shop.events WHERE device = 'd0'), (SELECT count(*) FROM shop.events WHERE device = 'd0')`, 6.5, [Q], 1],
    // Four of 1 KB have a flag; without one no ticket has a partner.
    [`SELECT count(flag) FROM shop.tickets`, 0.5, [S], 1],
    [`SELECT a.id, b.id FROM shop.tickets a JOIN shop.tickets b ON b.flag = a.flag`, 0.5, [S], 16],
    [`SELECT a.id, b.id FROM shop.tickets a LEFT JOIN shop.tickets b ON b.flag = a.flag`, 25, [S], 212],
    [`SELECT count(flag), count(*) FROM shop.tickets`, 25, [S], 1],
  ],
  'many keys': [
    // 120 × 2 steps: 120 units, in batches of 100
    [`SELECT id FROM shop.wide WHERE id IN (${list('w', 120)})`, 120, [B, B], 120],
    [`SELECT id FROM shop.users WHERE id IN (${list('u', 30)})`, 15, [B], 30],
  ],
  'nothing': [
    [`SELECT * FROM shop.users WHERE id = 'u001' AND id = 'u002'`, 0, [], 0],
    [`SELECT * FROM shop.users WHERE city = 'Bern' AND city = 'Oslo'`, 0, [], 0],
    [`SELECT * FROM shop.users WHERE age > 5 AND age < 3`, 0, [], 0],
    [`SELECT * FROM shop.users WHERE city = NULL`, 0, [], 0],
    [`SELECT * FROM shop.users WHERE id IS NULL`, 0, [], 0],
    [`SELECT * FROM shop.users WHERE id IN (NULL)`, 0, [], 0],
    [`SELECT * FROM shop.users WHERE 1 = 0`, 0, [], 0],
    [`SELECT * FROM shop.users WHERE id NOT IN ('a', NULL)`, 0, [], 0],
    [`SELECT * FROM shop.users LIMIT 0`, 0, [], 0],
    [`SELECT * FROM shop.users LIMIT 10`, 0, [], 0, { resumeIdx: 10 }],
    [`SELECT count(*) FROM shop.users WHERE false`, 0, [], 1],
    [`SELECT * FROM shop.users WHERE id = ''`, 0, [], 0],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND tick > 10 AND tick < 5`, 0, [], 0],
    [`SELECT * FROM shop.events WHERE device = 'd0' AND tick = 'noon'`, 0, [], 0],
    [`SELECT * FROM shop.events a JOIN shop.users u ON u.id = a.device WHERE u.id = 'x' AND u.id = 'y'`, 0, [], 0],
    [`SELECT 1`, 0, [], 1],
  ],
  'statements of several parts': [
    // Read once
    [`SELECT a.name, b.city FROM shop.users a JOIN shop.users b ON a.id = b.id WHERE a.id = 'u001'`, 0.5, [G], 1],
    [`SELECT name FROM shop.users WHERE id = 'u001' UNION ALL SELECT city FROM shop.users WHERE id = 'u001'`, 0.5, [G], 2],
    [`SELECT name FROM shop.users WHERE id = 'u001' UNION ALL SELECT name FROM shop.users WHERE id = 'u002'`, 1, [G, G], 2],
    [`SELECT x.name FROM (SELECT id, name FROM shop.users) x WHERE x.id = 'u001'`, 0.5, [G], 1],
    [`WITH x AS (SELECT * FROM shop.users) SELECT name FROM x WHERE id = 'u001'`, 0.5, [G], 1],
    [`SELECT u.name, d.* FROM shop.users u CROSS JOIN shop.docs d WHERE u.id = 'u001' AND d.id = 'd10'`, 2, [G, G], 1],
    [`SELECT u.name, d.* FROM shop.users u LEFT JOIN shop.docs d ON d.id = 'd5' WHERE u.id = 'u001'`, 1.5, [G, G], 1],
    [`SELECT (SELECT name FROM shop.users WHERE id = 'u001') AS n`, 0.5, [G], 1],
    [`SELECT device, sum(size) FROM shop.events WHERE device IN ('d0', 'd1') GROUP BY device HAVING device = 'd1'`, 6.5, [Q], 1],
    [`SELECT * FROM (SELECT device, count(*) AS n FROM shop.events GROUP BY device) g WHERE g.device = 'd2'`, 6.5, [Q], 1],
  ],
};

export const unitCases: Readonly<Record<string, readonly UnitCase[]>> = Object.fromEntries(
  Object.entries(groups).map(([group, rows]) => [
    group,
    rows.map(([sql, units, operations, count, options]): UnitCase => ({
      sql,
      units,
      operations,
      ...(count === undefined ? {} : { rows: count }),
      ...(options === undefined ? {} : { options }),
    })),
  ]),
);
