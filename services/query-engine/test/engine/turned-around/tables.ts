/** Tables whose keys have copies that are no key: what is asked of a copy reads the partition, and says what is right. */
import { engineTable, n, s } from '../shop.ts';
import type { EngineTable, TestItem } from '../engine-table.ts';
import { described, index, key } from '../units/tables.ts';
import type { KeyNames } from './condition.ts';
import type { Family } from './families.ts';

/** Fills items, so that reading fewer of them costs less. */
const PAD = 'x'.repeat(1500);
/** Every such item is in no index. */
const ABSENT_EVERY = 7;
/** Another partition, of a few items. */
const OTHERS = 10;

/** Where a key stands: what binds its partition, and the copy of the same values that is no key. */
export interface Place {
  readonly table: string;
  readonly where: readonly string[];
  readonly names: KeyNames;
  readonly copy: 'full' | 'partial';
}

/** The copies, in the table whose partition holds all values once. */
export const COPIES: Readonly<Record<Place['copy'], KeyNames>> = Object.freeze({
  full: { key: 'c', partition: 'pk2' },
  partial: { key: 'd', partition: 'pk2' },
});

export const sortedTable = ({ name }: Family): string => `${name}_sorted`;
const idsTable = ({ name }: Family): string => `${name}_ids`;

/** As the sort key of a table, an LSI and a GSI, and as the partition key of a table and a GSI. */
export function placesOf(family: Family): readonly Place[] {
  const sorted = sortedTable(family);
  const ids = idsTable(family);
  const partitions = [
    `pk = 'p'`,
    `pk = 'p'`,
    `pk IN ('p', 'nobody')`,
    `pk = 'p' || ''`,
    `CAST(pk AS VARCHAR) = 'p'`,
    `left(pk, 1) = 'p'`,
  ];
  const global = [`g = 'p'`, `g IN ('p', 'nobody')`];
  return [
    { table: sorted, where: partitions, names: { key: 'sk', partition: 'pk' }, copy: 'full' },
    { table: sorted, where: partitions, names: { key: 'l', partition: 'pk' }, copy: 'partial' },
    { table: sorted, where: global, names: { key: 'h', partition: 'g' }, copy: 'partial' },
    { table: ids, where: [`pk2 = 'p'`], names: { key: 'id', partition: 'pk2' }, copy: 'full' },
    { table: ids, where: [`pk2 = 'p'`], names: { key: 'gid', partition: 'pk2' }, copy: 'partial' },
  ];
}

/** Each value's number is `i`. */
export function tablesOf(family: Family): readonly EngineTable[] {
  const { type, values } = family;
  const keyed = (name: string): string => `${name}:${type}`;
  const written = type === 'S' ? s : n;
  const item = (partition: string, value: string, i: number): TestItem => {
    const isAbsent = i % ABSENT_EVERY === 0;
    const indexed = { l: written(value), h: written(value), d: written(value) };
    return {
      pk: s(partition),
      sk: written(value),
      pk2: s(partition),
      g: s(partition),
      c: written(value),
      ...(isAbsent ? {} : indexed),
      i: n(partition === 'p' ? i : -1 - i),
      pad: s(PAD),
    };
  };
  const sorted = engineTable(sortedTable(family), key('pk', keyed('sk')), [
    ...values.map((value, i) => item('p', value, i)),
    ...values.slice(0, OTHERS).map((value, i) => item('q', value, i)),
  ]);
  const ids = values.map((value, i): TestItem => ({
    id: written(value),
    ...(i % ABSENT_EVERY === 0 ? {} : { gid: written(value), d: written(value) }),
    c: written(value),
    pk2: s('p'),
    i: n(i),
    pad: s(PAD),
  }));
  return [
    described(sorted, [
      index('by-l', key('pk', keyed('l')), { global: false }),
      index('by-h', key('g', keyed('h'))),
    ]),
    described(engineTable(idsTable(family), key(keyed('id')), ids), [index('by-gid', key(keyed('gid')))]),
  ];
}
