/** Tables with what real ones have: odd names, attributes of any type, dates in text, no items. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { KeySchema } from '../../src/catalog/table.ts';
import { engineTable, n, s } from './shop.ts';
import type { EngineTable } from './engine-table.ts';

const byId: KeySchema = { partitionKey: { name: 'id', type: 'S' }, sortKey: null };
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** A dash, a dot, case twins, reserved words, spaces. */
export function oddNames(): EngineTable {
  return engineTable('my-odd.table_1', byId, [
    { id: s('a'), Name: s('upper'), name: s('lower'), select: n(1), order: s('o1'), 'first-name': s('Jo'), 'a.b': n(5), 'with space': s('sp'), üml: s('ü') },
    { id: s('b'), Name: s('Up2'), name: s('lo2'), select: n(2), order: s('o2'), 'first-name': s('Al'), 'a.b': n(6), group: s('g') },
  ]); // oxfmt-ignore
}

/** One attribute of every type that there is, and numbers at the edges. */
export function mixed(): EngineTable {
  return engineTable('mixed', byId, [
    { id: s('one'), v: n(1) },
    { id: s('text-one'), v: s('1') },
    { id: s('text'), v: s('abc') },
    { id: s('empty'), v: s('') },
    { id: s('true'), v: { BOOL: true } },
    { id: s('null'), v: { NULL: true } },
    { id: s('missing') },
    { id: s('list'), v: { L: [n(1), s('x')] } },
    { id: s('map'), v: { M: { k: n(1) } } },
    { id: s('texts'), v: { SS: ['b', 'a'] } },
    { id: s('numbers'), v: { NS: ['2', '10'] } },
    { id: s('binary'), v: { B: bytes(104, 105) } },
    { id: s('binaries'), v: { BS: [bytes(122), bytes(97)] } },
    { id: s('large'), v: n('12345678901234567890123456789012345678') },
    { id: s('zero'), v: n('-0') },
    { id: s('tiny'), v: n('1E-100') },
    { id: s('half'), v: n('1.50') },
  ]);
}

const KINDS = ['k1', 'k2', '1', '07', 'true'];
const ANYTHING: readonly (AttributeValue | null)[] = [
  n(0), n(1), n(7), n('-3'), n('1.5'), n('0.1'), n('9007199254740992'), n('9007199254740993'), s(''), s('x'), s('1'), s('07'),
  s('7'), s(' 7'), s('true'), s('T'), s('yes'), s('AQ=='), s('[1]'), s('9007199254740993'), s('k1'), s('1e1'), { BOOL: true },
  { BOOL: false }, { B: bytes(1) }, { B: bytes(255) }, { B: bytes(182, 187, 158) }, { L: [n(1)] }, { NULL: true }, null,
]; // oxfmt-ignore

/** Every type in `v` and `w`, a few types in `few`, by keys that may be taken for numbers and truth values. */
export function things(paddingBytes = 0): EngineTable {
  const items = Array.from({ length: 60 }, (_, i) => {
    const [v, w] = [ANYTHING[i % ANYTHING.length], ANYTHING[(i * 7 + (i >> 3)) % ANYTHING.length]];
    return {
      kind: s(KINDS[i % KINDS.length] ?? ''),
      n: n(Math.floor(i / KINDS.length)),
      ...(v ? { v } : {}),
      ...(w ? { w } : {}),
      ...(i % 4 === 0 ? {} : { few: i < 50 ? n(i % 9) : s(String(i % 9)) }),
      ...(paddingBytes === 0 ? {} : { padding: s('x'.repeat(paddingBytes)) }),
    };
  });
  const key: KeySchema = { partitionKey: { name: 'kind', type: 'S' }, sortKey: { name: 'n', type: 'N' } };
  return engineTable('things', key, items, paddingBytes + 200);
}

/** Documents, dates in text, attributes that most items lack. */
export function documents(): EngineTable {
  const key: KeySchema = { partitionKey: { name: 'pk', type: 'S' }, sortKey: { name: 'sk', type: 'N' } };
  return engineTable('documents', key, [
    {
      pk: s('p'),
      sk: n(1),
      address: { M: { city: s('Bern'), zip: n(3000), geo: { M: { lat: n('46.9') } } } },
      tags: { L: [s('a'), s('b'), { M: { deep: n(1) } }] },
      created: s('2024-03-05T10:20:30.123Z'),
      day: s('2024-03-05'),
      amount: n('10.25'),
    },
    {
      pk: s('p'),
      sk: n(2),
      address: { M: { city: s('Oslo') } },
      tags: { L: [] },
      created: s('2024-02-29T23:59:59Z'),
      day: s('2024-02-29'),
      amount: n('0.1'),
    },
    { pk: s('q'), sk: n(1), address: { NULL: true }, created: s('not a date'), amount: n('1e20') },
    {
      pk: s('q'),
      sk: n(2),
      address: s('just text'),
      text: s('a\u0000b'),
      emoji: s('😀é'),
      combined: s('e\u0301'),
      marks: s(`it's "x" \\ % _`),
    },
  ]);
}

export function emptyTable(): EngineTable {
  return engineTable('empty', byId, []);
}

const binary = (...values: number[]): AttributeValue => ({ B: bytes(...values) });

/** A binary partition key, binary attributes, one of several types. */
export function binaries(): EngineTable {
  return engineTable('binaries', { partitionKey: { name: 'id', type: 'B' }, sortKey: null }, [
    { id: binary(0x1f), v: n(1), data: binary(1, 2, 3), any: binary(0x1f) },
    { id: binary(0xff, 0), v: n(2), data: binary(), any: s('text') },
    { id: binary(1, 2, 3), v: n(3), any: n(5) },
  ]);
}

/** A binary sort key, whose order is that of its bytes and not of its base64. */
export function binarySorted(): EngineTable {
  const key: KeySchema = { partitionKey: { name: 'p', type: 'S' }, sortKey: { name: 's', type: 'B' } };
  return engineTable('binary-sorted', key, [
    { p: s('p'), s: binary(0x01), v: n(1) },
    { p: s('p'), s: binary(0x02), v: n(2) },
    { p: s('p'), s: binary(0x02, 0x01), v: n(3) },
    { p: s('p'), s: binary(0xf8), v: n(4) },
  ]);
}
