/** Values of a result, JSON tokens as the engine wrote them, as PostgreSQL's text or binary. */
import { PgError } from '../errors/pg-error.ts';
import { dateDays, timeMicros, timestampMicros } from './instants.ts';
import { numericBytes } from './numeric-bytes.ts';
import { intervalBytes, intervalText, readInterval, type Interval } from './interval.ts';
import { MisfitError, type WriteValue } from './misfit.ts';
import type { TypeName } from './oids.ts';
import { plainNumber } from './plain-number.ts';

const isText = (token: string): boolean => token.charCodeAt(0) === 0x22;

/** The text that a JSON string stands for. */
export const textOf = (token: string): string =>
  token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);

const shown = (token: string): string => (isText(token) ? textOf(token) : token);

/** PostgreSQL's texts have no zero character. */
function checked(text: string): string {
  if (!text.includes('\0')) return text;
  throw new PgError({
    code: '22021',
    message: 'a text has a zero character, which no text of PostgreSQL has',
    hint: "REPLACE(attribute, CHR(0), '') leaves it out",
  });
}

const asText = (token: string): string => checked(shown(token));

function number(token: string): string {
  const plain = plainNumber(token);
  if (plain === null) throw new MisfitError(token);
  return plain;
}

function integer(bits: 16 | 32 | 64): (token: string) => bigint {
  const [min, max] = [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
  return (token) => {
    if (!/^-?\d+$/.test(token)) throw new MisfitError(token);
    const value = BigInt(token);
    if (value < min || value > max) throw new MisfitError(token);
    return value;
  };
}

function double(token: string): string {
  if (plainNumber(token) === null) throw new MisfitError(token);
  return token;
}

/** From how many digits before the point on PostgreSQL writes a power of ten. */
const DIGITS = { float4: 6, float8: 15 } as const;

/** As PostgreSQL writes it: `1e+20`, `1e-07`, and without a power of ten what is short without. */
function floatText(token: string, type: keyof typeof DIGITS): string {
  const value = Number(double(token));
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const isShort = value === 0 || (Number(power) >= -4 && Number(power) < DIGITS[type]);
  if (isShort) return /e/i.test(token) ? String(value) : token;
  const [sign, exponent] = [power.slice(0, 1), power.slice(1)];
  return `${digits}e${sign}${exponent.padStart(2, '0')}`;
}

function boolean(token: string): boolean {
  if (token === 'true') return true;
  if (token === 'false') return false;
  throw new MisfitError(token);
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function bytes(token: string): Buffer {
  const text = isText(token) ? textOf(token) : null;
  if (text === null || !BASE64.test(text)) throw new MisfitError(token);
  return Buffer.from(text, 'base64');
}

function temporal(token: string): string {
  if (!isText(token)) throw new MisfitError(token);
  return textOf(token);
}

const timestamp = (token: string): string => temporal(token).replace('T', ' ').replace(/Z$/, '+00');

function interval(token: string): Interval {
  const found = isText(token) ? readInterval(textOf(token)) : null;
  if (found === null) throw new MisfitError(token);
  return found;
}

const sized = (size: number, write: (target: Buffer) => unknown): Buffer => {
  const target = Buffer.allocUnsafe(size);
  write(target);
  return target;
};

/** A row's place, `(block,offset)`. */
function place(token: string): Buffer {
  const [, block, offset] = (isText(token) ? /^\((\d+),(\d+)\)$/.exec(textOf(token)) : null) ?? [];
  if (block === undefined || Number(block) > 0xffffffff || Number(offset) > 0xffff)
    throw new MisfitError(token);
  return sized(6, (target) => target.writeUInt16BE(Number(offset), target.writeUInt32BE(Number(block))));
}

const int = { 16: integer(16), 32: integer(32), 64: integer(64) };

const TEXT_WRITERS: Partial<Record<TypeName, WriteValue>> = Object.freeze({
  bool: (token) => (boolean(token) ? 't' : 'f'),
  int2: (token) => (int[16](token), token),
  int4: (token) => (int[32](token), token),
  int8: (token) => (int[64](token), token),
  float4: (token) => floatText(token, 'float4'),
  float8: (token) => floatText(token, 'float8'),
  numeric: number,
  bytea: (token) => `\\x${bytes(token).toString('hex')}`,
  json: (token) => token,
  jsonb: (token) => token,
  date: temporal,
  time: temporal,
  timestamp,
  timestamptz: timestamp,
  interval: (token) => intervalText(interval(token)),
});

const BINARY_WRITERS: Partial<Record<TypeName, WriteValue>> = Object.freeze({
  bool: (token) => Buffer.from([boolean(token) ? 1 : 0]),
  int2: (token) => sized(2, (target) => target.writeInt16BE(Number(int[16](token)))),
  int4: (token) => sized(4, (target) => target.writeInt32BE(Number(int[32](token)))),
  int8: (token) => sized(8, (target) => target.writeBigInt64BE(int[64](token))),
  float4: (token) => sized(4, (target) => target.writeFloatBE(Number(double(token)))),
  float8: (token) => sized(8, (target) => target.writeDoubleBE(Number(double(token)))),
  numeric: (token) => numericBytes(number(token)),
  bytea: bytes,
  jsonb: (token) => Buffer.concat([Buffer.from([1]), Buffer.from(token)]),
  date: (token) => sized(4, (target) => target.writeInt32BE(dateDays(temporal(token)))),
  time: (token) => sized(8, (target) => target.writeBigInt64BE(timeMicros(temporal(token)))),
  timestamp: (token) => sized(8, (target) => target.writeBigInt64BE(timestampMicros(temporal(token)))),
  timestamptz: (token) => sized(8, (target) => target.writeBigInt64BE(timestampMicros(temporal(token)))),
  interval: (token) => intervalBytes(interval(token)),
  json: (token) => Buffer.from(token),
  tid: place,
});

/** What writes values of a type in a format; types without a writer of their own are text in both. */
export function valueWriter(type: TypeName, format: number): WriteValue {
  const write = (format === 1 ? BINARY_WRITERS[type] : undefined) ?? TEXT_WRITERS[type] ?? asText;
  return format === 1 && BINARY_WRITERS[type] === undefined ? asText : write;
}
