/** Values of the catalogs, which come in PostgreSQL's own text, in the format that a client asks for. */
import { PgError } from '../errors/pg-error.ts';
import type { Cell } from '../wire/backend.ts';
import { readTextArray } from './arrays.ts';
import { ARRAYS, OID, typeNamed } from './oids.ts';
import { valueWriter } from './write-value.ts';

/** Types that have a number of 32 bits in binary: OIDs, and transactions and commands. */
const UNSIGNED: ReadonlySet<number> = new Set([OID.oid, 28, 29]);
/** Types whose binary form is their text: varbit and the like are none of the catalogs'. */
const TEXTS: ReadonlySet<number> = new Set([
  ...[OID.text, OID.varchar, OID.bpchar, OID.name, OID.char, OID.json, OID.unknown],
  // pg_node_tree, cstring
  ...[194, 2275],
]);
/** int2vector and oidvector: arrays that count from 0, with elements of these types. */
const VECTORS: ReadonlyMap<number, number> = new Map([
  [22, OID.int2],
  [30, OID.oid],
]);

const unsigned = (text: string): Buffer => {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(Number(text) >>> 0);
  return bytes;
};

const noBinary = (oid: number): PgError =>
  new PgError({
    code: '42883',
    message: `no binary output function available for the type with OID ${oid}`,
    hint: 'cast the column to text, or ask for its rows as text',
  });

const asBuffer = (cell: Cell): Buffer | null =>
  cell === null ? null : typeof cell === 'string' ? Buffer.from(cell) : cell;

/** One dimension: PostgreSQL, src/backend/utils/adt/arrayfuncs.c, array_send. */
function binaryArray(elementOid: number, texts: readonly (string | null)[], lowerBound: number): Buffer {
  const write = catalogWriter(elementOid, 1);
  const elements = texts.map((text) => (text === null ? null : asBuffer(write(text))));
  const head = Buffer.alloc(elements.length === 0 ? 12 : 20);
  head.writeInt32BE(elements.length === 0 ? 0 : 1, 0);
  head.writeInt32BE(elements.includes(null) ? 1 : 0, 4);
  head.writeUInt32BE(elementOid, 8);
  if (elements.length > 0) {
    head.writeInt32BE(elements.length, 12);
    head.writeInt32BE(lowerBound, 16);
  }
  const parts = elements.flatMap((element) => {
    const length = Buffer.allocUnsafe(4);
    length.writeInt32BE(element === null ? -1 : element.length);
    return element === null ? [length] : [length, element];
  });
  return Buffer.concat([head, ...parts]);
}

/** What writes texts of a type in a format. @throws PgError 42883, when a value comes, where the type has no binary form */
export function catalogWriter(oid: number, format: number): (text: string) => Cell {
  if (format === 0 || TEXTS.has(oid)) return (text) => text;
  if (UNSIGNED.has(oid)) return unsigned;
  const elementOfVector = VECTORS.get(oid);
  if (elementOfVector !== undefined)
    return (text) => binaryArray(elementOfVector, text === '' ? [] : text.split(' '), 0);
  const element = ARRAYS.get(oid);
  if (element !== undefined) return (text) => binaryArray(OID[element], readTextArray(text), 1);
  const type = typeNamed(oid);
  switch (type) {
    case 'bool':
      return (text) => Buffer.from([text === 't' || text === 'true' ? 1 : 0]);
    case 'bytea':
      return (text) => Buffer.from(text.slice(2), 'hex');
    case 'uuid':
      return (text) => Buffer.from(text.replaceAll('-', ''), 'hex');
    case 'jsonb':
    case 'int2':
    case 'int4':
    case 'int8':
    case 'float4':
    case 'float8':
    case 'numeric':
      return valueWriter(type, 1);
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamptz': {
      const write = valueWriter(type, 1);
      return (text) => write(JSON.stringify(text));
    }
    default:
      return () => {
        throw noBinary(oid);
      };
  }
}
