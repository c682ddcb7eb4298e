/**
 * Thrift's compact protocol as a tree that is written back as it was read, whatever the fields mean: Parquet's footers are
 * in it. Source: Apache Thrift, "Thrift Compact protocol encoding". No maps, which Parquet has not.
 */

export const ThriftType = Object.freeze({
  TRUE: 1,
  FALSE: 2,
  BYTE: 3,
  I16: 4,
  I32: 5,
  I64: 6,
  DOUBLE: 7,
  BINARY: 8,
  LIST: 9,
  SET: 10,
  STRUCT: 12,
});

/** A struct's fields by their IDs, in the order in which they stand. */
export type ThriftStruct = Map<number, ThriftValue>;

/** Whole numbers of 16, 32 and 64 bits are `integer`; `bits` has bytes as they are. */
export type ThriftValue =
  | { readonly type: number; readonly boolean: boolean }
  | { readonly type: number; readonly integer: bigint }
  | { readonly type: number; readonly bits: Buffer }
  | { readonly type: number; readonly items: readonly ThriftValue[]; readonly of: number }
  | { readonly type: number; readonly struct: ThriftStruct };

const DOUBLE_BYTES = 8;
/** Lists of fewer have their size in the head. */
const LONG_LIST = 15;
/** Fields whose IDs are further apart than this have them in full. */
const FIELD_STEP_MAX = 15;

interface Reading {
  readonly bytes: Buffer;
  at: number;
}

function byteOf(from: Reading): number {
  const byte = from.bytes[from.at++];
  if (byte === undefined) throw new Error('thrift: the bytes end within a value');
  return byte;
}

function varint(from: Reading): bigint {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = byteOf(from);
    value |= BigInt(byte & 0x7f) << shift;
    if ((byte & 0x80) === 0) return value;
  }
}

const zigzag = (value: bigint): bigint => (value >> 1n) ^ -(value & 1n);

function bitsOf(from: Reading, length: number): Buffer {
  const end = from.at + length;
  if (end > from.bytes.length) throw new Error('thrift: the bytes end within a value');
  const bits = from.bytes.subarray(from.at, end);
  from.at = end;
  return bits;
}

function listOf(from: Reading, type: number): ThriftValue {
  const head = byteOf(from);
  const size = head >> 4 === LONG_LIST ? Number(varint(from)) : head >> 4;
  const of = head & 0x0f;
  const items: ThriftValue[] = [];
  for (let i = 0; i < size; i++) items.push(valueOf(from, of, true));
  return { type, of, items };
}

/** A boolean is a byte in a list, and in a struct no more than its type. */
function valueOf(from: Reading, type: number, inList: boolean): ThriftValue {
  switch (type) {
    case ThriftType.TRUE:
    case ThriftType.FALSE:
      return { type, boolean: inList ? byteOf(from) === ThriftType.TRUE : type === ThriftType.TRUE };
    case ThriftType.BYTE:
      return { type, bits: bitsOf(from, 1) };
    case ThriftType.I16:
    case ThriftType.I32:
    case ThriftType.I64:
      return { type, integer: zigzag(varint(from)) };
    case ThriftType.DOUBLE:
      return { type, bits: bitsOf(from, DOUBLE_BYTES) };
    case ThriftType.BINARY:
      return { type, bits: bitsOf(from, Number(varint(from))) };
    case ThriftType.LIST:
    case ThriftType.SET:
      return listOf(from, type);
    case ThriftType.STRUCT:
      return { type, struct: structOf(from) };
    default:
      throw new Error(`thrift: type ${type} is unknown`);
  }
}

function structOf(from: Reading): ThriftStruct {
  const fields: ThriftStruct = new Map();
  let id = 0;
  for (;;) {
    const head = byteOf(from);
    if (head === 0) return fields;
    id = head >> 4 === 0 ? Number(zigzag(varint(from))) : id + (head >> 4);
    fields.set(id, valueOf(from, head & 0x0f, false));
  }
}

/** @throws Error where the bytes are no struct */
export const readStruct = (bytes: Buffer): ThriftStruct => structOf({ bytes, at: 0 });

function writeVarint(to: Buffer[], value: bigint): void {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, value);
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  bytes.push(Number(left));
  to.push(Buffer.from(bytes));
}

const writeInteger = (to: Buffer[], value: bigint): void => writeVarint(to, (value << 1n) ^ (value >> 63n));

/** What a list begins with. */
export function writeListHead(to: Buffer[], size: number, of: number): void {
  const isLong = size >= LONG_LIST;
  to.push(Buffer.from([((isLong ? LONG_LIST : size) << 4) | of]));
  if (isLong) writeVarint(to, BigInt(size));
}

/** A value as an element of a list. */
export function writeValue(to: Buffer[], value: ThriftValue, inList = true): void {
  if ('integer' in value) writeInteger(to, value.integer);
  else if ('struct' in value) {
    let before = 0;
    for (const [id, field] of value.struct) {
      writeFieldHead(to, before, id, field);
      writeValue(to, field, false);
      before = id;
    }
    to.push(Buffer.from([0]));
  } else if ('items' in value) {
    writeListHead(to, value.items.length, value.of);
    for (const item of value.items) writeValue(to, item);
  } else if ('bits' in value) {
    if (value.type === ThriftType.BINARY) writeVarint(to, BigInt(value.bits.length));
    to.push(value.bits);
  } else if (inList) to.push(Buffer.from([value.boolean ? ThriftType.TRUE : ThriftType.FALSE]));
}

/** `before`: the ID of the field before, 0 for the first. */
export function writeFieldHead(to: Buffer[], before: number, id: number, value: ThriftValue): void {
  const type = 'boolean' in value ? (value.boolean ? ThriftType.TRUE : ThriftType.FALSE) : value.type;
  const step = id - before;
  if (step > 0 && step <= FIELD_STEP_MAX) to.push(Buffer.from([(step << 4) | type]));
  else {
    to.push(Buffer.from([type]));
    writeInteger(to, BigInt(id));
  }
}
