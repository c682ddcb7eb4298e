/** Tables by whose keys reads with constants are held: a page of the whole costs many times what a key does. */
import { engineTable, n, s } from '../shop.ts';
import type { EngineTable, TestItem } from '../engine-table.ts';

const PAD = s('x'.repeat(900));

const key = (partition: string, sort: string | null = null, type: 'S' | 'N' = 'S') => ({
  partitionKey: { name: partition, type: 'S' as const },
  sortKey: sort === null ? null : { name: sort, type },
});

export const EVENTS = 90;

/** `pk`, `sk`: one partition a customer. */
const entries: readonly TestItem[] = Array.from({ length: EVENTS }, (_, i) => ({
  pk: s(`CUSTOMER#c${i % 3}`),
  sk: s(`ORDER#${String(i).padStart(3, '0')}`),
  at: s(new Date(Date.UTC(2026, 10, 1 + (i % 28))).toISOString()),
  pad: PAD,
}));

export const foldingTables = (): readonly EngineTable[] => [
  engineTable(
    'people',
    key('id'),
    Array.from({ length: EVENTS }, (_, i) => ({ id: s(`e${i}`), v: n(i), pad: PAD })),
    1000,
  ),
  engineTable('entries', key('pk', 'sk'), entries, 1000),
  engineTable(
    'ticks',
    key('device', 'ts', 'N'),
    Array.from({ length: EVENTS }, (_, i) => ({ device: s('d'), ts: n(1_000 + i), pad: PAD })),
    1000,
  ),
];
