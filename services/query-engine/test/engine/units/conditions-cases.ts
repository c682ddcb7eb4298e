/** Conditions about conditions, over the tables of `tables.ts`: what each costs, and what it must not be read by. */

export interface ConditionCase {
  readonly where: string;
  readonly units: number;
  readonly rows: number;
}

/** Of 200 users, 25 units; an item is half a unit. */
export const USERS: readonly ConditionCase[] = [
  { where: `NOT (id <> 'u001')`, units: 0.5, rows: 1 },
  { where: `NOT (id IS DISTINCT FROM 'u001')`, units: 0.5, rows: 1 },
  { where: `NOT (id NOT IN ('u001', 'u002'))`, units: 1, rows: 2 },
  { where: `(id = 'u001') IS TRUE`, units: 0.5, rows: 1 },
  { where: `(id <> 'u001') IS FALSE`, units: 0.5, rows: 1 },
  { where: `(id = 'u001') IS NOT FALSE`, units: 0.5, rows: 1 },
  { where: `(id <> 'u001') IS NOT TRUE`, units: 0.5, rows: 1 },
  { where: `NOT ((id = 'u001') IS NOT TRUE)`, units: 0.5, rows: 1 },
  { where: `(id = 'u001') = true`, units: 0.5, rows: 1 },
  { where: `true = (id = 'u001')`, units: 0.5, rows: 1 },
  { where: `(id = 'u001') <> false`, units: 0.5, rows: 1 },
  { where: `(id <> 'u001') = false`, units: 0.5, rows: 1 },
  { where: `(id = 'u001') IS NOT DISTINCT FROM TRUE`, units: 0.5, rows: 1 },
  { where: `CASE WHEN id = 'u001' THEN true ELSE false END`, units: 0.5, rows: 1 },
  { where: `CASE WHEN id = 'u001' THEN 1 ELSE 0 END = 1`, units: 0.5, rows: 1 },
  { where: `1 = CASE id WHEN 'u001' THEN 1 ELSE 0 END`, units: 0.5, rows: 1 },
  { where: `CASE WHEN id <> 'u001' THEN 'no' ELSE 'yes' END = 'yes'`, units: 0.5, rows: 1 },
  {
    where: `CASE WHEN id = 'u001' THEN 'a' WHEN id = 'u002' THEN 'b' ELSE 'c' END < 'c'`,
    units: 1,
    rows: 2,
  },
  {
    where: `CASE WHEN id = 'u001' THEN age = 1 WHEN id = 'u002' THEN TRUE ELSE FALSE END`,
    units: 1,
    rows: 2,
  },
  { where: `IF(id = 'u001', 1, 0) > 0`, units: 0.5, rows: 1 },
  { where: `IIF(id = 'u001', TRUE, FALSE) = TRUE`, units: 0.5, rows: 1 },
  { where: `CASE WHEN id IS NULL THEN '' ELSE id END = 'u001'`, units: 0.5, rows: 1 },
  { where: `id IS NOT DISTINCT FROM 'u001'`, units: 0.5, rows: 1 },
  { where: `'u001' IS NOT DISTINCT FROM id`, units: 0.5, rows: 1 },
  { where: `list_contains(['u001', 'u002'], id)`, units: 1, rows: 2 },
  { where: `id = ANY (ARRAY['u001', 'u002'])`, units: 1, rows: 2 },
  { where: `id = ANY ('{u001,u002}')`, units: 1, rows: 2 },
  { where: `NOT (id <> ALL (ARRAY['u001', 'u002']))`, units: 1, rows: 2 },
  { where: `COALESCE(id, '') = 'u001'`, units: 0.5, rows: 1 },
  // Where it were missing, the constant would pass; no item lacks its key.
  { where: `COALESCE(id, 'u001') = 'u001'`, units: 0.5, rows: 1 },
  { where: `COALESCE(id, name, '') IN ('u001', 'u002')`, units: 1, rows: 2 },
  { where: `NULLIF(id, '') = 'u001'`, units: 0.5, rows: 1 },
  { where: `COALESCE(id = 'u001', FALSE)`, units: 0.5, rows: 1 },
  { where: `(id, age) = ('u001', 1)`, units: 0.5, rows: 1 },
  { where: `(COALESCE(id, ''), age) IN (('u001', 1), ('u002', 3))`, units: 1, rows: 1 },
  { where: `NOT (NOT (id = 'u001') OR age > 5)`, units: 0.5, rows: 1 },
  // Nothing is said of the key.
  { where: `(id = 'u001') IS NOT TRUE`, units: 25, rows: 199 },
  { where: `CASE WHEN id = 'u001' THEN 0 ELSE 1 END = 1`, units: 25, rows: 199 },
  { where: `CASE WHEN id = 'u001' THEN 1 ELSE age END = 1`, units: 25, rows: 1 },
  { where: `COALESCE(name, id) = 'u001'`, units: 25, rows: 0 },
  { where: `(name, id) > ('name 97', 'u001')`, units: 25, rows: 3 },
];

/** Of 800 events in partitions of 100, 6.5 units; all are 50. `tick` is the number sort key. */
export const EVENTS: readonly ConditionCase[] = [
  { where: `device = 'd1' AND (tick, size) > (97, 0)`, units: 0.5, rows: 3 },
  { where: `device = 'd1' AND (tick, size) >= (97, 97)`, units: 0.5, rows: 3 },
  { where: `device = 'd1' AND (tick, size) < (2, 0)`, units: 0.5, rows: 2 },
  { where: `device = 'd1' AND NOT ((tick, size) <= (97, 97))`, units: 0.5, rows: 2 },
  { where: `(device, tick) = ('d1', 5)`, units: 0.5, rows: 1 },
  { where: `(device, tick) IN (('d1', 5), ('d2', 6))`, units: 1, rows: 2 },
  { where: `device = 'd1' AND (tick < 3 OR tick > 96)`, units: 1, rows: 6 },
  { where: `device = 'd1' AND (COALESCE(tick, 0) < 3 OR NULLIF(tick, 0) > 96)`, units: 1, rows: 6 },
  { where: `device = 'd1' AND (tick BETWEEN 1 AND 2) IS TRUE`, units: 0.5, rows: 2 },
  { where: `COALESCE(device, '') = 'd1' AND COALESCE(tick, -1) >= 97`, units: 0.5, rows: 3 },
  { where: `COALESCE(device, '') = 'd1' AND tick IS NOT DISTINCT FROM 5`, units: 0.5, rows: 1 },
  { where: `IF(device = 'd1', tick, -1) >= 98`, units: 0.5, rows: 2 },
  // The partition is bound, so that it does not differ.
  { where: `device = 'd1' AND (device, tick) >= ('d1', 97)`, units: 0.5, rows: 3 },
  {
    where: `device = 'd1' AND (device, tick) > ('d1', 10) AND (device, tick) <= ('d1', 12)`,
    units: 0.5,
    rows: 2,
  },
  { where: `device = 'd1' AND (device, tick) > ('d0', 97)`, units: 6.5, rows: 100 },
  { where: `device = 'd1' AND (device, tick) > ('d2', 97)`, units: 0, rows: 0 },
  { where: `device = 'd1' AND COALESCE(level, 0) > 8 AND COALESCE(level, 0) < 100`, units: 1, rows: 10 },
  // Every fourth event has no level: the index by it has none of them.
  { where: `device = 'd1' AND COALESCE(level, 9) = 9`, units: 6.5, rows: 35 },
  { where: `device = 'd1' AND (level = 9) IS NOT FALSE`, units: 6.5, rows: 35 },
  { where: `device = 'd1' AND CASE WHEN level IS NULL THEN 9 ELSE level END = 9`, units: 6.5, rows: 35 },
  { where: `device = 'd1' AND COALESCE(level, 0) = 9`, units: 1, rows: 10 },
  { where: `device = 'd1' AND level IS NOT DISTINCT FROM 9`, units: 1, rows: 10 },
  { where: `device = 'd1' AND level IS NOT DISTINCT FROM NULL`, units: 6.5, rows: 25 },
];

/** Of 200 tickets, 25 units, half of which are open; an owner has 10. */
export const TICKETS: readonly ConditionCase[] = [
  { where: `(owner = 'o1') IS TRUE`, units: 1.5, rows: 10 },
  { where: `COALESCE(owner, '') = 'o1'`, units: 1.5, rows: 10 },
  { where: `list_contains(['o1'], owner)`, units: 1.5, rows: 10 },
  { where: `(owner, status) = ('o1', 'done')`, units: 1.5, rows: 10 },
  { where: `COALESCE(flag, 'n') = 'y'`, units: 0.5, rows: 4 },
  // Those without a flag pass, and are not in the index.
  { where: `COALESCE(flag, 'y') = 'y'`, units: 25, rows: 200 },
  { where: `(flag = 'y') IS NOT FALSE`, units: 25, rows: 200 },
  { where: `(flag <> 'y') IS NOT TRUE`, units: 25, rows: 200 },
];
