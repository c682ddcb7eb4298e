/** Tables of which the latest items of each partition are asked for. */
import { engineTable, n, s } from '../shop.ts';
import type { EngineTable } from '../engine-table.ts';
import { described, index, key, many, numbered, sized } from './tables.ts';

export const DEVICES = 400;
const READINGS = 12;

/**
 * 400 devices with 12 readings of 1 KB each: a partition costs 1.5 units, 600 in all. Two readings in turn have the same day,
 * in the local index `by-day`; a third of them have no level. In the global index `by-site`, a site has a device's readings.
 */
function readings(): EngineTable {
  const items = many(DEVICES * READINGS, (i) => {
    const device = Math.floor(i / READINGS);
    const tick = i % READINGS;
    return sized(
      {
        device: s(numbered('d', device)),
        tick: n(tick * 10 - 50),
        day: s(`2026-11-${10 + Math.floor(tick / 2)}`),
        site: s(numbered('s', device)),
        ...(i % 3 === 0 ? {} : { level: n((i * 7) % 5) }),
        note: s(`n${i % 7}`),
      },
      1024,
    );
  });
  return described(engineTable('readings', key('device', 'tick:N'), items), [
    index('by-day', key('device', 'day'), { global: false }),
    index('by-site', key('site', 'day')),
  ]);
}

/** The devices of each list, as rows of a table of their own: half a unit for each 4 KB of it. */
function lists(): EngineTable {
  const items = [4, 40, DEVICES].flatMap((count) =>
    many(count, (i) => ({
      list: s(`l${count}`),
      device: s(numbered('d', i)),
      site: s(numbered('s', i)),
      name: s(`name ${i}`),
    })),
  );
  return described(engineTable('lists', key('list', 'device'), items));
}

export function latestTables(): readonly EngineTable[] {
  return [readings(), lists()];
}
