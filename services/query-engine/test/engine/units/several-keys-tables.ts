/** A table whose indexes have several key attributes, with items whose sizes are easy to reckon with. */
import { engineTable, n, s } from '../shop.ts';
import type { EngineTable, TestItem } from '../engine-table.ts';
import { described, index, key, keys, many, numbered, sized } from './tables.ts';

/**
 * 280 items of 1 KB: 70 steps, 35 units. 240 have all key attributes: 4 cups × 3 regions × 5 rounds × 2 brackets × 2 slots.
 * So a cup and region has 20 KB, 2.5 units; a round of it 4 KB, half a unit; a bracket of that 2 KB, half a unit. Ten
 * each lack the cup, the region, the round and the bracket.
 */
function matches(): EngineTable {
  const items = many(280, (i) => {
    const place = {
      cup: s(`c${i % 4}`),
      region: s(`r${Math.floor(i / 4) % 3}`),
      round: n((Math.floor(i / 12) % 5) + 1),
      bracket: s(['lower', 'upper'][Math.floor(i / 60) % 2] ?? ''),
      slot: n(Math.floor(i / 120) % 2),
    };
    const lacking = ['cup', 'region', 'round', 'bracket'][i % 4];
    const had = Object.entries(place).filter(([name]) => i < 240 || name !== lacking);
    return sized({ id: s(numbered('m', i)), score: n(i), ...(Object.fromEntries(had) as TestItem) }, 1024);
  });
  return described(engineTable('matches', key('id'), items), [
    index('by-place', keys(['cup', 'region'], ['round:N', 'bracket'])),
    index('by-cup', keys(['cup'], ['round:N', 'bracket', 'slot:N']), { projection: 'KEYS_ONLY' }),
  ]);
}

/** Three fixtures of 1 KB: half a unit. */
function fixtures(): EngineTable {
  const items = many(3, (i) =>
    sized({ id: s(`f${i}`), cup: s(`c${i}`), region: s(`r${i % 3}`), round: n(i + 1) }, 1024),
  );
  return described(engineTable('fixtures', key('id'), items));
}

export function severalKeysTables(): readonly EngineTable[] {
  return [matches(), fixtures()];
}
