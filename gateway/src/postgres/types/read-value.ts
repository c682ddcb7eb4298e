/** Values of parameters, text or binary, as JSON for the engine, and as text for the catalogs. */
import { PgError } from '../errors/pg-error.ts';
import { decodeText, malformed } from '../wire/fields.ts';
import type { Value } from '../wire/frontend.ts';
import { readBinaryArray, readTextArray } from './arrays.ts';
import { dateOfDays, intervalText, timeOfMicros, timestampOfMicros } from './instants.ts';
import { numericText } from './numeric-bytes.ts';
import { ARRAYS, OID, typeNamed, type TypeName } from './oids.ts';
import { plainNumber } from './plain-number.ts';
import { temporalText } from './temporal-text.ts';

const invalid = (type: string, text: string): PgError =>
  new PgError({ code: '22P02', message: `invalid input syntax for type ${type}: "${text.slice(0, 100)}"` });

function sizeOf(bytes: Buffer, size: number): Buffer {
  if (bytes.length !== size) throw malformed(`a parameter has ${bytes.length} bytes instead of ${size}`);
  return bytes;
}

const BOOLEANS: Readonly<Record<string, string>> = Object.freeze({
  t: 'true', true: 'true', y: 'true', yes: 'true', on: 'true', 1: 'true',
  f: 'false', false: 'false', n: 'false', no: 'false', off: 'false', 0: 'false',
}); // oxfmt-ignore

/** Binary values as PostgreSQL's text. */
const FROM_BINARY: Partial<Record<TypeName, (bytes: Buffer) => string>> = Object.freeze({
  bool: (bytes) => (sizeOf(bytes, 1)[0] === 0 ? 'f' : 't'),
  int2: (bytes) => String(sizeOf(bytes, 2).readInt16BE()),
  int4: (bytes) => String(sizeOf(bytes, 4).readInt32BE()),
  int8: (bytes) => String(sizeOf(bytes, 8).readBigInt64BE()),
  oid: (bytes) => String(sizeOf(bytes, 4).readUInt32BE()),
  tid: (bytes) => `(${sizeOf(bytes, 6).readUInt32BE()},${bytes.readUInt16BE(4)})`,
  float4: (bytes) => String(shortestFloat(sizeOf(bytes, 4).readFloatBE())),
  float8: (bytes) => String(sizeOf(bytes, 8).readDoubleBE()),
  numeric: numericText,
  bytea: (bytes) => `\\x${bytes.toString('hex')}`,
  jsonb: (bytes) => {
    if (bytes[0] !== 1) throw malformed('a jsonb of another version than 1');
    return decodeText(bytes.subarray(1));
  },
  date: (bytes) => dateOfDays(sizeOf(bytes, 4).readInt32BE()),
  time: (bytes) => timeOfMicros(sizeOf(bytes, 8).readBigInt64BE()),
  timestamp: (bytes) => timestampOfMicros(sizeOf(bytes, 8).readBigInt64BE()),
  timestamptz: (bytes) => `${timestampOfMicros(sizeOf(bytes, 8).readBigInt64BE())}+00`,
  interval: (bytes) => intervalText(sizeOf(bytes, 16)),
  uuid: (bytes) =>
    sizeOf(bytes, 16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
});

/** A float of 32 bits by as few digits as tell it. */
function shortestFloat(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return shorter;
  }
  return value;
}

/** The text of a value of a type that is no array. */
export function scalarText(type: TypeName, bytes: Buffer, format: number): string {
  const fromBinary = format === 1 ? FROM_BINARY[type] : undefined;
  return fromBinary === undefined ? decodeText(bytes) : fromBinary(bytes);
}

const NUMBERS: ReadonlySet<TypeName> = new Set([
  'int2',
  'int4',
  'int8',
  'oid',
  'float4',
  'float8',
  'numeric',
]);
const INTEGERS: ReadonlySet<TypeName> = new Set(['int2', 'int4', 'int8', 'oid']);

function numberJson(type: TypeName, text: string): string {
  const trimmed = text
    .trim()
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=$|[eE])/, '');
  const plain = plainNumber(trimmed);
  if (plain === null || (INTEGERS.has(type) && plain.includes('.'))) throw invalid(type, text);
  // JSON has no number that begins with more than one zero.
  return plain.replace(/^(-?)0+(?=\d)/, '$1');
}

/** Both of PostgreSQL's forms: hexadecimal digits, and bytes as they are with escapes (8.4 "Binary Data Types"). */
function bytesJson(text: string): string {
  return JSON.stringify(bytesOf(text).toString('base64'));
}

function bytesOf(text: string): Buffer {
  if (/^\\x(?:[0-9a-fA-F]{2})*$/.test(text)) return Buffer.from(text.slice(2), 'hex');
  if (!/^(?:[^\\]|\\\\|\\[0-3][0-7]{2})*$/.test(text)) throw invalid('bytea', text);
  const pieces = text.split(/(\\\\|\\[0-3][0-7]{2})/);
  return Buffer.concat(
    // Every second piece is an escape.
    pieces.map((piece, i) =>
      i % 2 === 0
        ? Buffer.from(piece)
        : piece === '\\\\'
          ? Buffer.from('\\')
          : Buffer.of(parseInt(piece.slice(1), 8)),
    ),
  );
}

/** A value in PostgreSQL's text as JSON that the engine takes for a value of this type. */
export function scalarJson(type: TypeName, text: string): string {
  if (NUMBERS.has(type)) return numberJson(type, text);
  if (type === 'bool') {
    const value = BOOLEANS[text.trim().toLowerCase()];
    if (value === undefined) throw invalid('boolean', text);
    return value;
  }
  if (type === 'bytea') return bytesJson(text);
  return JSON.stringify(temporalText(type, text));
}

function elementJson(type: TypeName, text: string | null): string {
  return text === null ? 'null' : scalarJson(type, text);
}

/** The type of a parameter by its number. @throws PgError where no value of it crosses */
export function parameterType(oid: number): { readonly type: TypeName; readonly isList: boolean } {
  const element = ARRAYS.get(oid);
  if (element !== undefined) return { type: element, isList: true };
  const type = typeNamed(oid === 0 ? OID.unknown : oid);
  if (type !== undefined) return { type, isList: false };
  throw new PgError({
    code: '0A000',
    message: `parameters of the type with OID ${oid} are not supported`,
    hint: 'send it as text, and cast it in the statement',
  });
}

/** A parameter as JSON for the engine; arrays as arrays. @throws PgError 22P02 where it is no value of its type */
export function parameterJson(oid: number, value: Value, format: number): string {
  if (value === null) return 'null';
  const { type, isList } = parameterType(oid);
  if (!isList) return scalarJson(type, scalarText(type, value, format));
  const elements =
    format === 1
      ? readBinaryArray(value).map((one) => (one === null ? null : scalarText(type, one, 1)))
      : readTextArray(decodeText(value));
  return `[${elements.map((one) => elementJson(type, one)).join(',')}]`;
}
