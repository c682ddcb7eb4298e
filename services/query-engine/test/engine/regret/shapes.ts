/** Tables of the shapes that keys have in practice, and a table whose rows are such keys. */
import { engineTable, n, s } from '../shop.ts';
import type { EngineTable, TestItem } from '../engine-table.ts';
import { described, key, numbered, sized } from '../units/tables.ts';

const ITEMS = 400;
/** Four to a step of 4 KB: 400 are 50 units. */
export const ITEM_BYTES = 1024;
const PICKS = 90;

/** Items of each partition, by its number. */
const SHAPES = {
  unique: () => 1,
  tens: () => 10,
  fifties: () => 50,
  zipf: (i: number) => Math.max(1, Math.floor(80 / (i + 1))),
  hot: (i: number) => (i === 3 ? 340 : 1),
} as const satisfies Readonly<Record<string, (i: number) => number>>;

export type Shape = keyof typeof SHAPES;
export const SHAPE_NAMES = Object.keys(SHAPES) as Shape[];

/** How many items each partition of a shape has, until there are 400. */
export function partitionsOf(shape: Shape): ReadonlyMap<string, number> {
  const partitions = new Map<string, number>();
  for (let [i, left] = [0, ITEMS]; left > 0; i++) {
    const items = Math.min(left, SHAPES[shape](i));
    partitions.set(`k${i}`, items);
    left -= items;
  }
  return partitions;
}

export function shapeTable(shape: Shape): EngineTable {
  const items = [...partitionsOf(shape)].flatMap(([k, count]) =>
    Array.from({ length: count }, (_, i): TestItem => sized({ k: s(k), seq: n(i) }, ITEM_BYTES)),
  );
  return described(engineTable(shape, key('k', 'seq:N'), items));
}

/** 90 rows, one unit; the first so many name as many keys, some of which lead nowhere. */
export function keys(): EngineTable {
  const items = Array.from({ length: PICKS }, (_, i): TestItem => ({
    id: s(numbered('p', i)),
    n: n(i),
    k: s(`k${i}`),
  }));
  return described(engineTable('keys', key('id'), items));
}
