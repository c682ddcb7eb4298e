/** The tables that the reference's examples of keys are about. A user is half a unit; a partition has 100 items of 512 B, 6.5 units. */
import { engineTable, n, s } from '../engine/shop.ts';
import type { EngineTable, TestItem } from '../engine/engine-table.ts';
import { described, key, many, sized } from '../engine/units/tables.ts';

const DAY_SECONDS = 86_400;
/** 2024-06-01 at midnight in UTC. */
const FIRST_TS = 1_717_200_000;
/** Between two readings. */
const TICK_SECONDS = 3_600;

const pad = (value: number): string => String(value).padStart(2, '0');
const isoDay = (day: number): string =>
  new Date((FIRST_TS + day * DAY_SECONDS) * 1000).toISOString().slice(0, 10);

/** In each of three partitions, 100 items with what the position makes. */
function partitions(item: (i: number) => TestItem): readonly TestItem[] {
  return many(300, (i) => sized({ pk: s(`p${1 + Math.floor(i / 100)}`), ...item(i % 100) }, 512));
}

export function foundByKeyTables(): readonly EngineTable[] {
  const users = many(50, (i) => sized({ id: s(`u${i}`), name: s(i === 17 ? 'Ada' : `name ${i}`) }, 4096));
  const notes = partitions((i) => {
    const letter = 'AMMMMMMMMZ'[Math.floor(i / 10)] ?? '';
    return { sk: s(`${letter}#2024-03-${pad(1 + (i % 20))}#${i}`), kind: s('abc'[i % 3] ?? '') };
  });
  // Four a day, from the sixth of June to its end.
  const events = partitions((i) => ({
    at: s(`${isoDay(5 + Math.floor(i / 4))}T${pad(6 * (i % 4))}:00:00Z`),
    kind: s('abc'[i % 3] ?? ''),
  }));
  const readings = partitions((i) => ({ ts: n(FIRST_TS + i * TICK_SECONDS), value: n(i) }));
  return [
    described(engineTable('users', key('id'), users)),
    described(engineTable('notes', key('pk', 'sk'), notes)),
    described(engineTable('events', key('pk', 'at'), events)),
    described(engineTable('readings', key('pk', 'ts:N'), readings)),
  ];
}
