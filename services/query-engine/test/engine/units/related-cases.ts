/**
 * Queries over several tables with the least units that their keys and indexes allow: who is read by key costs half a
 * unit an item of up to 4 KB, missing ones too. `related-tables.ts` has the sizes.
 */
import { numbered } from './tables.ts';

export interface RelatedCase {
  readonly sql: string;
  readonly units: number;
  /** How many requests of each operation. */
  readonly requests: Readonly<Record<string, number>>;
  readonly rows: number;
}

type Row = readonly [sql: string, units: number, requests: Readonly<Record<string, number>>, rows: number];

const list = (letter: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `'${numbered(letter, i)}'`).join(', ');

// oxfmt-ignore
const groups: Readonly<Record<string, readonly Row[]>> = {
  'the order of joins': [
    // A person's four purchases, half a unit, and the person.
    [`SELECT * FROM shop.purchases u JOIN shop.people p ON p.id = u.person WHERE u.person = 'p001'`, 1, { Query: 1, GetItem: 1 }, 4],
    // 0.5 + 4 × 0.5, whichever is named first
    [`SELECT * FROM shop.purchases u JOIN shop.goods g ON g.id = u.good WHERE u.person = 'p001'`, 2.5, { Query: 1, BatchGetItem: 1 }, 4],
    [`SELECT * FROM shop.goods g JOIN shop.purchases u ON g.id = u.good WHERE u.person = 'p001'`, 2.5, { Query: 1, BatchGetItem: 1 }, 4],
    [`SELECT * FROM shop.purchases NATURAL JOIN (SELECT id AS person, town FROM shop.people) p WHERE person = 'p001'`, 1, { Query: 1, GetItem: 1 }, 4],
    // Chains of four tables: 0.5 + 0.5 + 4 × 0.5 + 4 makers
    [`SELECT * FROM shop.goods g, shop.purchases u, shop.people p, shop.makers m WHERE g.id = u.good AND p.id = u.person AND m.id = g.maker AND u.person = 'p001'`, 5, { Query: 1, GetItem: 1, BatchGetItem: 2 }, 4],
    [`SELECT * FROM shop.makers m JOIN shop.goods g ON m.id = g.maker JOIN shop.purchases u ON g.id = u.good JOIN shop.people p ON p.id = u.person WHERE p.email = 'p003@example.com'`, 5, { Query: 2, BatchGetItem: 2 }, 4],
    // From its other end: the good, its maker, its four purchases, their four people
    [`SELECT * FROM shop.people p JOIN shop.purchases u ON u.person = p.id JOIN shop.goods g ON g.id = u.good JOIN shop.makers m ON m.id = g.maker WHERE g.id = 3`, 3.5, { GetItem: 2, Query: 1, BatchGetItem: 1 }, 4],
    // A star: 2 × 0.5, then two people, eight goods, eight shops
    [`SELECT * FROM shop.people p, shop.goods g, shop.shops s, shop.purchases u WHERE p.id = u.person AND g.id = u.good AND s.id = u.shop AND u.person IN ('p001', 'p002')`, 10, { Query: 2, BatchGetItem: 3 }, 8],
    // The smaller table first: 25 for the goods of which five pass, half a unit for what was bought of each
    [`SELECT count(*) FROM shop.goods g JOIN shop.purchases u ON u.good = g.id WHERE g.maker = 'm003'`, 27.5, { Scan: 1, Query: 5 }, 1],
    // 25 + the four makers of goods 0 to 3
    [`SELECT count(*) FROM shop.makers m JOIN shop.goods g ON g.maker = m.id WHERE g.price < 10`, 27, { Scan: 1, BatchGetItem: 1 }, 1],
    // All goods, 25, have 20 makers; there are 40, 15 units.
    [`SELECT count(*) FROM shop.makers m JOIN shop.goods g ON g.maker = m.id`, 35, { Scan: 1, BatchGetItem: 1 }, 1],
  ],
  'keys of two parts, and of indexes': [
    [`SELECT * FROM shop.people p LEFT JOIN shop.purchases u ON u.person = p.id AND u.seq = 1 WHERE p.id IN ('p001', 'p002')`, 2, { BatchGetItem: 2 }, 2],
    [`SELECT * FROM shop.people p JOIN shop.purchases u ON u.person = p.id AND u.seq >= 2 WHERE p.id IN ('p001', 'p150')`, 2, { BatchGetItem: 1, Query: 2 }, 2],
    [`SELECT * FROM shop.purchases a JOIN shop.purchases b USING (person, seq) WHERE a.person = 'p001' AND a.seq = 1`, 0.5, { GetItem: 1 }, 1],
    // One part constant, the other from another table
    [`SELECT * FROM shop.people p JOIN shop.facts f ON f.scope = 'town' AND f.name = p.town WHERE p.id = 'p003'`, 1, { GetItem: 2 }, 1],
    [`SELECT * FROM shop.purchases u JOIN shop.facts f ON f.name = u.paid WHERE f.scope = 'price' AND u.person = 'p003'`, 2.5, { Query: 1, BatchGetItem: 1 }, 4],
    [`SELECT * FROM shop.goods g JOIN shop.facts f ON f.name = CAST(g.id AS VARCHAR) WHERE f.scope = 'price' AND g.id IN (1, 2)`, 2, { BatchGetItem: 2 }, 2],
    [`SELECT * FROM shop.purchases WHERE (person, seq) IN (SELECT id, 1 FROM shop.people WHERE id IN ('p001', 'p002'))`, 2, { BatchGetItem: 2 }, 2],
    // 0.5 + four whole keys
    [`SELECT * FROM shop.purchases WHERE (person, seq) IN (SELECT person, seq FROM shop.purchases WHERE good = 7)`, 2.5, { Query: 1, BatchGetItem: 1 }, 4],
    // A global index of all columns: two goods, half a unit for what was bought of each
    [`SELECT * FROM shop.goods g JOIN shop.purchases u ON u.good = g.id WHERE g.id IN (1, 2)`, 2, { BatchGetItem: 1, Query: 2 }, 8],
    // One of keys only
    [`SELECT u.person, u.seq FROM shop.shops s JOIN shop.purchases u ON u.shop = s.id WHERE s.id = 's3'`, 1, { GetItem: 1, Query: 1 }, 20],
  ],
  'semi-joins': [
    [`SELECT * FROM shop.purchases WHERE person IN (SELECT id FROM shop.people WHERE email = 'p003@example.com')`, 1, { Query: 2 }, 4],
    [`SELECT * FROM shop.purchases WHERE person = ANY (SELECT id FROM shop.people WHERE email = 'p003@example.com')`, 1, { Query: 2 }, 4],
    [`SELECT * FROM shop.purchases u WHERE EXISTS (SELECT 1 FROM shop.people p WHERE p.id = u.person AND p.email = 'p003@example.com')`, 1, { Query: 2 }, 4],
    // 2 × 0.5 + 8 × 0.5
    [`SELECT * FROM shop.goods WHERE id IN (SELECT good FROM shop.purchases WHERE person = 'p001' UNION SELECT good FROM shop.purchases WHERE person = 'p002')`, 5, { Query: 2, BatchGetItem: 1 }, 8],
    [`SELECT max(price) FROM shop.goods WHERE id IN (SELECT good FROM shop.purchases WHERE person = 'p001')`, 2.5, { Query: 1, BatchGetItem: 1 }, 1],
    [`SELECT p.id FROM shop.people p WHERE p.id IN ('p001', 'p150') AND NOT EXISTS (SELECT 1 FROM shop.purchases u WHERE u.person = p.id)`, 2, { BatchGetItem: 1, Query: 2 }, 1],
    [`SELECT p.id FROM shop.people p LEFT JOIN shop.purchases u ON u.person = p.id WHERE p.id IN ('p001', 'p150') AND u.person IS NULL`, 2, { BatchGetItem: 1, Query: 2 }, 1],
    // Outer rows that are not to be found inside have to be read.
    [`SELECT id FROM shop.goods WHERE id NOT IN (SELECT good FROM shop.purchases WHERE person = 'p001')`, 25.5, { Query: 1, Scan: 1 }, 96],
  ],
  'NOT IN, INTERSECT and EXCEPT by keys, which are never NULL': [
    [`SELECT id FROM shop.people WHERE id IN ('p001', 'p150') AND id NOT IN (SELECT person FROM shop.purchases)`, 2, { BatchGetItem: 1, Query: 2 }, 1],
    [`SELECT id FROM shop.people WHERE id = 'p150' AND id <> ALL (SELECT person FROM shop.purchases)`, 1, { GetItem: 1, Query: 1 }, 1],
    [`SELECT id FROM shop.people WHERE id = 'p030' AND referrer IS NOT NULL AND referrer NOT IN (SELECT person FROM shop.purchases)`, 1, { GetItem: 1, Query: 1 }, 0],
    [`SELECT id FROM shop.people WHERE id IN ('p001', 'p150') EXCEPT SELECT person FROM shop.purchases`, 2, { BatchGetItem: 1, Query: 2 }, 1],
    [`SELECT id FROM shop.people WHERE id IN ('p001', 'p150') INTERSECT SELECT person FROM shop.purchases`, 2, { BatchGetItem: 1, Query: 2 }, 1],
    [`SELECT person, seq FROM shop.purchases WHERE person = 'p001' EXCEPT SELECT id, 1 FROM shop.people`, 1, { Query: 1, GetItem: 1 }, 3],
    // A NULL is left out of what is looked up, and stays in the answer: 3 × 0.5 + 2 × 0.5
    [`SELECT referrer FROM shop.people WHERE id IN ('p010', 'p020', 'p030') EXCEPT ALL SELECT id FROM shop.people`, 2.5, { BatchGetItem: 2 }, 2],
    // Whether NULL is inside, or there is anything inside to compare a NULL with, only all of it tells.
    [`SELECT id FROM shop.people WHERE id = 'p030' AND referrer NOT IN (SELECT person FROM shop.purchases)`, 50.5, { GetItem: 1, Scan: 1 }, 0],
    [`SELECT id FROM shop.people WHERE id IN ('p001', 'p150') AND id NOT IN (SELECT note FROM shop.purchases WHERE good = 7)`, 1.5, { BatchGetItem: 1, Query: 1 }, 0],
  ],
  'outer joins': [
    // Conditions on the other side make them inner: the good's four purchases, then four people.
    [`SELECT * FROM shop.people p LEFT JOIN shop.purchases u ON u.person = p.id WHERE u.good = 7`, 2.5, { Query: 1, BatchGetItem: 1 }, 4],
    [`SELECT * FROM shop.people p LEFT JOIN shop.purchases u ON u.person = p.id WHERE u.person = 'p001'`, 1, { GetItem: 1, Query: 1 }, 4],
    [`SELECT * FROM shop.people p LEFT JOIN shop.purchases u ON u.person = p.id LEFT JOIN shop.goods g ON g.id = u.good WHERE g.id = 7`, 3, { GetItem: 1, Query: 1, BatchGetItem: 1 }, 4],
    [`SELECT * FROM shop.people p FULL JOIN shop.purchases u ON u.person = p.id WHERE p.id = 'p001' AND u.seq = 1`, 1, { GetItem: 2 }, 1],
    // Of a FULL JOIN a LEFT JOIN is left.
    [`SELECT * FROM shop.people p FULL JOIN shop.purchases u ON u.person = p.id WHERE p.id = 'p150'`, 1, { GetItem: 1, Query: 1 }, 1],
    // Three people, and the two referrers that are named
    [`SELECT * FROM shop.people p LEFT JOIN shop.people q ON q.id = p.referrer WHERE p.id IN ('p010', 'p020', 'p030')`, 2.5, { BatchGetItem: 2 }, 3],
  ],
  'LIMIT through joins and unions': [
    // Four people are 8 KB, each has four purchases or none: one page, and half a unit for each of them
    [`SELECT p.town FROM shop.people p LEFT JOIN shop.purchases u ON u.person = p.id LIMIT 4`, 3, { Scan: 1, Query: 4 }, 4],
    // A person and its good, however many there are
    [`SELECT count(*) FROM (SELECT p.id FROM shop.people p LEFT JOIN shop.goods g ON g.id = p.age LIMIT 2) x`, 1.5, { Scan: 1, BatchGetItem: 1 }, 1],
    // All people, for the order, and the goods of four
    [`SELECT p.id, g.price FROM shop.people p LEFT JOIN shop.goods g ON g.id = p.age ORDER BY p.id LIMIT 4`, 52, { Scan: 1, BatchGetItem: 1 }, 4],
    // The last purchase, read backwards, and its good
    [`SELECT u.seq, g.price FROM shop.purchases u LEFT JOIN shop.goods g ON g.id = u.good WHERE u.person = 'p001' ORDER BY u.seq DESC LIMIT 1`, 1, { Query: 1, GetItem: 1 }, 1],
    [`SELECT u.seq, (SELECT g.price FROM shop.goods g WHERE g.id = u.good) FROM shop.purchases u WHERE u.person = 'p001' ORDER BY u.seq LIMIT 2`, 1.5, { Query: 1, BatchGetItem: 1 }, 2],
    [`SELECT u.seq, g.price FROM (SELECT * FROM shop.purchases WHERE person = 'p001' ORDER BY seq DESC LIMIT 1) u JOIN shop.goods g ON g.id = u.good`, 1, { Query: 1, GetItem: 1 }, 1],
    // 4 KB and 8 KB
    [`SELECT count(*) FROM (SELECT person FROM shop.purchases UNION ALL SELECT id FROM shop.people LIMIT 4) x`, 1.5, { Scan: 2 }, 1],
    // An inner join may drop any of them.
    [`SELECT count(*) FROM (SELECT p.id FROM shop.people p JOIN shop.goods g ON g.id = p.age LIMIT 4) x`, 75, { Scan: 2 }, 1],
  ],
  'what is computed per row or group': [
    [`SELECT p.id, (SELECT max(u.seq) FROM shop.purchases u WHERE u.person = p.id) FROM shop.people p WHERE p.id IN ('p001', 'p002')`, 2, { BatchGetItem: 1, Query: 2 }, 2],
    // The age of both is 1: one key
    [`SELECT p.id, (SELECT g.price FROM shop.goods g WHERE g.id = p.age) FROM shop.people p WHERE p.id IN ('p001', 'p051')`, 1.5, { BatchGetItem: 1, GetItem: 1 }, 2],
    [`SELECT p.id FROM shop.people p WHERE p.id = 'p001' AND p.age < (SELECT max(u.good) FROM shop.purchases u WHERE u.person = p.id)`, 1, { GetItem: 1, Query: 1 }, 1],
    [`SELECT max(u.seq) FROM shop.purchases u JOIN shop.people p ON p.id = u.person WHERE p.email = 'p003@example.com'`, 1, { Query: 2 }, 1],
    [`SELECT min(m.country) FROM shop.purchases u JOIN shop.goods g ON g.id = u.good JOIN shop.makers m ON m.id = g.maker WHERE u.person = 'p001' AND u.seq = 0`, 1.5, { GetItem: 3 }, 1],
    [`SELECT g.maker, count(*) FROM shop.purchases u JOIN shop.goods g ON g.id = u.good WHERE u.person = 'p001' GROUP BY g.maker`, 2.5, { Query: 1, BatchGetItem: 1 }, 4],
    [`SELECT d.good, g.price FROM (SELECT DISTINCT good FROM shop.purchases WHERE person = 'p001') d JOIN shop.goods g ON g.id = d.good`, 2.5, { Query: 1, BatchGetItem: 1 }, 4],
    [`SELECT * FROM (SELECT person, count(*) AS c FROM shop.purchases GROUP BY person) x JOIN shop.people p ON p.id = x.person WHERE p.email = 'p003@example.com'`, 1, { Query: 2 }, 1],
    [`SELECT * FROM (SELECT DISTINCT person FROM shop.purchases) x JOIN shop.people p ON p.id = x.person WHERE p.email = 'p003@example.com'`, 1, { Query: 2 }, 1],
  ],
  'unions': [
    [`SELECT g.id FROM shop.goods g JOIN (SELECT good FROM shop.purchases WHERE person = 'p001' UNION ALL SELECT good FROM shop.purchases WHERE person = 'p002') x ON x.good = g.id`, 5, { Query: 2, BatchGetItem: 1 }, 8],
    // Both branches are driven: p030, then p029's purchases and p029.
    [`SELECT * FROM (SELECT person FROM shop.purchases UNION ALL SELECT id FROM shop.people) x WHERE x.person IN (SELECT referrer FROM shop.people WHERE id = 'p030')`, 1.5, { GetItem: 2, Query: 1 }, 5],
  ],
  'CTEs that are used several times': [
    // The same for both uses
    [`WITH u AS (SELECT * FROM shop.purchases) SELECT a.good, b.good FROM u a JOIN u b ON b.person = a.person WHERE a.person = 'p001'`, 0.5, { Query: 1 }, 16],
    // Each has its own key.
    [`WITH u AS (SELECT * FROM shop.purchases) SELECT good FROM u WHERE person = 'p001' UNION ALL SELECT good FROM u WHERE person = 'p002'`, 1, { Query: 2 }, 8],
    [`WITH u AS (SELECT person, count(*) AS c FROM shop.purchases GROUP BY person) SELECT a.c, b.c FROM u a, u b WHERE a.person = 'p001' AND b.person = 'p002'`, 1, { Query: 2 }, 1],
    // Each is driven by its own: the person, his purchases, his referrer's.
    [`WITH u AS (SELECT * FROM shop.purchases) SELECT p.id, x.good, y.good FROM shop.people p JOIN u x ON x.person = p.id JOIN u y ON y.person = p.referrer WHERE p.id = 'p030'`, 1.5, { GetItem: 1, Query: 2 }, 16],
    [`WITH u AS (SELECT * FROM shop.purchases) SELECT x.good FROM u x WHERE x.person IN (SELECT id FROM shop.people WHERE email = 'p003@example.com') AND x.seq < (SELECT max(seq) FROM u WHERE person = 'p001')`, 1.5, { Query: 3 }, 3],
    [`WITH u AS (SELECT person, max(seq) AS top FROM shop.purchases GROUP BY person) SELECT p.id, u.top FROM shop.people p JOIN u ON u.person = p.id WHERE p.id = 'p001' UNION ALL SELECT p.id, u.top FROM shop.people p JOIN u ON u.person = p.id WHERE p.id = 'p002'`, 2, { GetItem: 2, Query: 2 }, 2],
    // One that uses another, and a window over whole partitions
    [`WITH a AS (SELECT * FROM shop.purchases), b AS (SELECT person, max(good) OVER (PARTITION BY person) AS top FROM a) SELECT x.top, y.top FROM b x, b y WHERE x.person = 'p001' AND y.person = 'p002'`, 1, { Query: 2 }, 16],
    // Read once where one use needs it whole
    [`WITH u AS (SELECT * FROM shop.purchases) SELECT count(*) FROM u UNION ALL SELECT max(seq) FROM u WHERE person = 'p001'`, 50, { Scan: 1 }, 2],
    // What a LIMIT takes is taken once: 8 KB.
    [`WITH u AS (SELECT * FROM shop.purchases LIMIT 8) SELECT a.good FROM u a JOIN u b ON a.person = b.person AND a.seq = b.seq`, 1, { Scan: 1 }, 8],
  ],
  'a table that was empty when it was sampled': [
    // A look is half a unit; it has no key to look for among the others.
    [`SELECT * FROM shop.people p JOIN shop.nothing x ON x.id = p.id`, 0.5, { Scan: 1 }, 0],
    [`SELECT * FROM shop.nothing x JOIN shop.purchases u ON u.person = x.id`, 0.5, { Scan: 1 }, 0],
    [`SELECT * FROM shop.people p LEFT JOIN shop.nothing x ON x.id = p.id`, 50.5, { Scan: 2 }, 200],
    [`SELECT * FROM shop.people WHERE id NOT IN (SELECT id FROM shop.nothing)`, 50.5, { Scan: 2 }, 200],
  ],
  'an index that lacks columns, by how many keys it really has': [
    // Its entries, and twelve items
    [`SELECT sum(value) FROM shop.notes WHERE label = 'rare'`, 6.5, { Query: 1, BatchGetItem: 1 }, 1],
    [`SELECT id, value FROM shop.notes WHERE label = 'rare' ORDER BY value`, 6.5, { Query: 1, BatchGetItem: 1 }, 12],
    // Its entries; their sixty items would cost 30, a scan costs 25.
    [`SELECT sum(value) FROM shop.notes WHERE label = 'common'`, 25.5, { Query: 1, Scan: 1 }, 1],
    [`SELECT id, value FROM shop.notes WHERE label = 'common' ORDER BY value`, 25.5, { Query: 1, Scan: 1 }, 60],
    // By what another table gives
    [`SELECT sum(n.value) FROM shop.people p JOIN shop.notes n ON n.label = CASE p.age WHEN 1 THEN 'rare' ELSE 'common' END WHERE p.id = 'p001'`, 7, { GetItem: 1, Query: 1, BatchGetItem: 1 }, 1],
    [`SELECT sum(n.value) FROM shop.people p JOIN shop.notes n ON n.label = CASE p.age WHEN 1 THEN 'rare' ELSE 'common' END WHERE p.id = 'p002'`, 26, { GetItem: 1, Query: 1, Scan: 1 }, 1],
    // Of topics twenty items are expected, ten units, where a scan costs 25: five topics cost 48.5 units, not 125.
    [`SELECT sum(value) FROM shop.leaflets WHERE topic = 't1'`, 3, { Query: 1, BatchGetItem: 1 }, 1],
    [`SELECT sum(value) FROM shop.leaflets WHERE topic = 't2'`, 6, { Query: 1, BatchGetItem: 1 }, 1],
    [`SELECT sum(value) FROM shop.leaflets WHERE topic = 't3'`, 6.5, { Query: 1, BatchGetItem: 1 }, 1],
    [`SELECT sum(value) FROM shop.leaflets WHERE topic = 't0'`, 25.5, { Query: 1, Scan: 1 }, 1],
    // The first few alone are wanted, and none is counted.
    [`SELECT id, value FROM shop.leaflets WHERE topic = 't1' LIMIT 2`, 1.5, { Query: 1, BatchGetItem: 1 }, 2],
    [`SELECT sum(value) FROM shop.notes WHERE label = 'none'`, 0.5, { Query: 1 }, 1],
  ],
  'a table of which one part of the statement may need all': [
    // Twenty people, 10 units, give numbers, which no text key is found by, '1' and '01' equal 1: all, and theirs with it
    [`SELECT t.seq FROM shop.purchases t WHERE EXISTS (SELECT 1 FROM shop.purchases s WHERE s.seq = t.person AND s.person IN (${list('p', 20)}))`, 50, { Scan: 1 }, 0],
    [`SELECT t.seq FROM shop.purchases t JOIN shop.purchases s ON t.person = s.seq + 1 WHERE s.person IN (${list('p', 20)})`, 50, { Scan: 1 }, 0],
    // Of goods the sample saw only numbers.
    [`SELECT t.seq FROM shop.purchases t WHERE t.person IN (SELECT good FROM shop.purchases WHERE person IN (${list('p', 20)}))`, 50, { Scan: 1 }, 0],
    // Where half a unit tells whether there are any, they are asked for first.
    [`SELECT t.seq FROM shop.purchases t WHERE EXISTS (SELECT 1 FROM shop.purchases s WHERE s.seq = t.person AND s.person = 'p001')`, 50.5, { Query: 1, Scan: 1 }, 0],
    [`SELECT t.seq FROM shop.purchases t WHERE EXISTS (SELECT 1 FROM shop.purchases s WHERE s.seq = t.person AND s.person = 'nobody')`, 0.5, { Query: 1 }, 0],
    // What of another table is to give them is read anyway: where that is nothing, nothing is read.
    [`SELECT p.id FROM shop.purchases u JOIN shop.people p ON p.id = u.good WHERE u.person = 'nobody'`, 0.5, { Query: 1 }, 0],
    // A LIMIT ends no scan whose rows are still to be checked, so that the others' rows are in it.
    [`SELECT count(*) FROM (SELECT person FROM shop.purchases WHERE upper(shop) = 'S3' LIMIT 1) a, shop.purchases b WHERE b.person = 'p001'`, 50, { Scan: 1 }, 1],
    [`SELECT count(*) FROM (SELECT person FROM shop.purchases WHERE upper(shop) = 'S3' LIMIT 1) a JOIN shop.purchases b ON b.person = a.person`, 50, { Scan: 1 }, 1],
    // It ends one whose rows are all of use: the others are read by themselves.
    [`SELECT count(*) FROM (SELECT person FROM shop.purchases LIMIT 1) a, shop.purchases b WHERE b.person = 'p001'`, 1, { Scan: 1, Query: 1 }, 1],
    [`SELECT count(*) FROM (SELECT person FROM shop.purchases LIMIT 1) a JOIN shop.purchases b ON b.person = a.person`, 1, { Scan: 1, Query: 1 }, 1],
    [`SELECT count(*) FROM (SELECT person FROM shop.purchases LIMIT 0) a, shop.purchases b WHERE b.person = 'p001'`, 0, {}, 1],
  ],
  'keys that are not to be looked for': [
    // Once for four purchases
    [`SELECT p.town FROM shop.purchases u JOIN shop.people p ON p.id = u.person WHERE u.person = 'p001' AND u.seq < 3`, 1, { Query: 1, GetItem: 1 }, 3],
    // Three people; of their referrers one is NULL and one is missing: 'nobody' alone is asked for.
    [`SELECT q.id FROM shop.people p JOIN shop.people q ON q.id = p.referrer WHERE p.id IN ('p010', 'p020', 'p021')`, 2, { BatchGetItem: 1, GetItem: 1 }, 0],
    // Texts that are numbers are keys of numbers; others are none.
    [`SELECT * FROM shop.purchases u JOIN shop.goods g ON g.id = u.paid WHERE u.person = 'p001'`, 2.5, { Query: 1, BatchGetItem: 1 }, 4],
    [`SELECT * FROM shop.purchases u JOIN shop.goods g ON g.id = u.shop WHERE u.person = 'p001'`, 0.5, { Query: 1 }, 0],
    // Nothing drives: nothing is read, all along the chain
    [`SELECT * FROM shop.purchases u JOIN shop.goods g ON g.id = u.good JOIN shop.makers m ON m.id = g.maker WHERE u.person = 'nobody'`, 0.5, { Query: 1 }, 0],
    [`SELECT * FROM shop.goods WHERE id IN (SELECT good FROM shop.purchases WHERE person = 'nobody')`, 0.5, { Query: 1 }, 0],
  ],
  'reads that are contained in one another': [
    // A key, a range and a partition of what one Query reads: 4 KB, half a unit
    [`SELECT a.seq, b.good FROM shop.purchases a, shop.purchases b WHERE a.person = 'p001' AND b.person = 'p001' AND b.seq = 2`, 0.5, { Query: 1 }, 4],
    [`SELECT a.seq, b.good FROM shop.purchases a, shop.purchases b WHERE a.person = 'p001' AND b.person = 'p001' AND b.seq > 1`, 0.5, { Query: 1 }, 8],
    [`SELECT b.good FROM shop.purchases a, shop.purchases b WHERE a.person IN ('p001', 'p002') AND b.person = 'p002' AND b.shop = a.shop`, 1, { Query: 2 }, 4],
    // A filter of the wider one would hide rows of the other.
    [`SELECT b.good FROM shop.purchases a, shop.purchases b WHERE a.person = 'p001' AND a.shop = 's5' AND b.person = 'p001' AND b.seq < 2`, 0.5, { Query: 1 }, 2],
    [`SELECT max(seq) FROM shop.purchases WHERE person = 'p001' AND seq < 2 UNION ALL SELECT good FROM shop.purchases WHERE person = 'p001'`, 0.5, { Query: 1 }, 5],
    // Keys among keys
    [`SELECT p.age, q.age FROM shop.people p, shop.people q WHERE p.id IN ('p001', 'p002') AND q.id = 'p002'`, 1, { BatchGetItem: 1 }, 2],
    // A partition and a key within a scan
    [`SELECT count(*) FROM shop.purchases a JOIN shop.purchases b ON b.note = a.note WHERE b.person = 'p000'`, 50, { Scan: 1 }, 1],
    // What overlaps is read by both: three of 1 KB and two of them.
    [`SELECT a.seq, b.seq FROM shop.purchases a, shop.purchases b WHERE a.person = 'p001' AND a.seq < 3 AND b.person = 'p001' AND b.seq > 1`, 1, { Query: 2 }, 6],
  ],
  'a side without rows': [
    // Nobody of that name, and no key to look for the others by
    [`SELECT u.seq FROM shop.people p JOIN shop.purchases u ON u.note = p.town WHERE p.id = 'nobody'`, 0.5, { GetItem: 1 }, 0],
    [`SELECT count(*) FROM shop.people p, shop.purchases u WHERE p.id = 'nobody'`, 0.5, { GetItem: 1 }, 1],
    [`SELECT u.seq FROM shop.people p LEFT JOIN shop.purchases u ON u.note = p.town WHERE p.id = 'nobody'`, 0.5, { GetItem: 1 }, 0],
    [`SELECT u.seq FROM shop.purchases u WHERE u.note IN (SELECT town FROM shop.people WHERE id = 'nobody')`, 0.5, { GetItem: 1 }, 0],
    [`SELECT p.town FROM shop.people p WHERE p.id = 'nobody' AND p.town NOT IN (SELECT note FROM shop.purchases)`, 0.5, { GetItem: 1 }, 0],
    [`SELECT town FROM shop.people WHERE id = 'nobody' EXCEPT SELECT note FROM shop.purchases`, 0.5, { GetItem: 1 }, 0],
    // All along the chain
    [`SELECT u.seq FROM shop.people p JOIN shop.purchases u ON u.note = p.town JOIN shop.goods g ON g.kind = u.shop WHERE p.id = 'nobody'`, 0.5, { GetItem: 1 }, 0],
    // One whose rows do not pass what no read is told
    [`SELECT u.seq FROM shop.people p JOIN shop.purchases u ON u.note = p.town WHERE p.id = 'p001' AND upper(p.town) = 'nobody'`, 0.5, { GetItem: 1 }, 0],
    // A person there is: then both are read.
    [`SELECT u.seq FROM shop.people p JOIN shop.purchases u ON u.note = p.town WHERE p.id = 'p001'`, 50.5, { GetItem: 1, Scan: 1 }, 0],
    // The kept side of a LEFT JOIN has rows of its own.
    [`SELECT count(*) FROM shop.purchases u LEFT JOIN shop.people p ON p.town = u.note AND p.id = 'nobody'`, 50.5, { GetItem: 1, Scan: 1 }, 1],
  ],
};

export const relatedCases: Readonly<Record<string, readonly RelatedCase[]>> = Object.fromEntries(
  Object.entries(groups).map(([group, rows]) => [
    group,
    rows.map(([sql, units, requests, count]): RelatedCase => ({ sql, units, requests, rows: count })),
  ]),
);
