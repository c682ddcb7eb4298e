/** Tables whose sort key stands in an LSI and a GSI too, so that one statement is written over each. */
import { engineTable, n, s } from '../../shop.ts';
import type { EngineTable, TestItem } from '../../engine-table.ts';
import { described, index, key, many, numbered, sized } from '../tables.ts';

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;
/** Visits are 6 hours apart, four a day. */
const STEP_MS = DAY_MS / 4;
const VISITS = 200;
/** The first of those that lie where they lie. */
const FIRST_MS = Date.parse('2026-10-20T03:00:00Z');

/** The names of partition and sort key where they are found. */
export interface Source {
  readonly name: 'table' | 'LSI' | 'GSI';
  readonly partition: string;
  readonly sort: string;
}

export const SOURCES: readonly Source[] = Object.freeze([
  { name: 'table', partition: 'pk', sort: 'sk' },
  { name: 'LSI', partition: 'pk', sort: 'l' },
  { name: 'GSI', partition: 'g', sort: 'h' },
]);

type Key = readonly [partition: string, sort: TestItem[string]];

function sorted(name: string, type: 'S' | 'N', keys: readonly Key[], bytes: number): EngineTable {
  const items = keys.map(([partition, sort], i) =>
    sized({ pk: s(partition), sk: sort, l: sort, g: s(partition), h: sort, no: n(i + 1) }, bytes),
  );
  return described(engineTable(name, key('pk', `sk:${type}`), items), [
    index('by-l', key('pk', `l:${type}`), { global: false }),
    index('by-h', key('g', `h:${type}`)),
  ]);
}

const iso = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');

/** Of four customers 200 visits of 400 B each, 50 days: 80,000 B, 20 steps, 10 units; a day 1600 B. */
function visits(name: string, type: 'S' | 'N', first: number, write: (at: number) => TestItem[string]) {
  const keys = ['p1', 'p2', 'p3', 'p4'].flatMap((partition) =>
    Array.from({ length: VISITS }, (_, i): Key => [partition, write(first + i * STEP_MS)]),
  );
  return sorted(name, type, keys, 400);
}

/** Customers' profiles, addresses and orders of each day: a partition of 105 items of 512 B, 14 steps, 7 units. */
function things(): EngineTable {
  const keys = many(10, () => ({})).flatMap((_, i) => {
    const customer = `CUSTOMER#${i}`;
    const orders = Array.from({ length: 100 }, (_unused, day): Key => {
      const date = new Date(FIRST_MS + day * DAY_MS).toISOString().slice(0, 10);
      return [customer, s(`ORDER#${date}#${day % 10}`)];
    });
    const others = ['ADDRESS#1', 'ADDRESS#2', 'ADDRESS#3', 'PROFILE#', 'PROFILE#old'];
    return [...orders, ...others.map((sort): Key => [customer, s(sort)])];
  });
  return sorted('things', 'S', keys, 512);
}

/** 200 items of 1 KB, 25 units, found by a text and by a number, in the table and in a GSI. */
function people(): readonly EngineTable[] {
  const items = many(200, (i) =>
    sized({ id: s(numbered('e', i)), gid: s(numbered('e', i)), no: n(i), gno: n(i) }, 1024),
  );
  return [
    described(engineTable('people', key('id'), items), [
      index('by-gid', key('gid')),
      index('by-gno', key('gno:N')),
    ]),
    described(engineTable('numbered', key('no:N'), items), [index('by-gno', key('gno:N'))]),
  ];
}

/** @param now when the tests began; the last visits lie half a step before and after it, and go on for five days */
export function writtenKeysTables(now: number): readonly EngineTable[] {
  const first = now - VISITS * STEP_MS + 5 * DAY_MS + STEP_MS / 2;
  const seconds = (at: number) => n(Math.floor(at / SECOND_MS));
  return [
    visits('visits', 'S', FIRST_MS, (at) => s(iso(at))),
    visits('recent', 'S', first, (at) => s(iso(at))),
    visits('seconds', 'N', FIRST_MS, seconds),
    visits('recent_seconds', 'N', first, seconds),
    visits('milliseconds', 'N', FIRST_MS, (at) => n(at)),
    things(),
    ...people(),
  ];
}
