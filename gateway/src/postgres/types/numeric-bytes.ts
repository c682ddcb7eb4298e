/** `numeric` in binary: digits to the base 10000 (PostgreSQL, src/backend/utils/adt/numeric.c). */
import { PgError } from '../errors/pg-error.ts';
import { malformed } from '../wire/fields.ts';

const GROUP = 4;
const SIGN = Object.freeze({ positive: 0, negative: 0x4000 });

/** Of digits and a point, without exponent. */
export function numericBytes(text: string): Buffer {
  const isNegative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (isNegative ? text.slice(1) : text).split('.');
  const left = whole.replace(/^0+/, '');
  const groups: number[] = [];
  const leftWidth = Math.ceil(left.length / GROUP) * GROUP;
  const padded =
    left.padStart(leftWidth, '0') + fraction.padEnd(Math.ceil(fraction.length / GROUP) * GROUP, '0');
  for (let at = 0; at < padded.length; at += GROUP) groups.push(Number(padded.slice(at, at + GROUP)));
  let weight = leftWidth / GROUP - 1;
  while (groups.length > 0 && groups[0] === 0) {
    groups.shift();
    weight--;
  }
  while (groups.at(-1) === 0) groups.pop();
  const bytes = Buffer.allocUnsafe(8 + 2 * groups.length);
  bytes.writeUInt16BE(groups.length, 0);
  bytes.writeInt16BE(groups.length === 0 ? 0 : weight, 2);
  bytes.writeUInt16BE(isNegative && groups.length > 0 ? SIGN.negative : SIGN.positive, 4);
  bytes.writeUInt16BE(fraction.length, 6);
  groups.forEach((group, i) => bytes.writeUInt16BE(group, 8 + 2 * i));
  return bytes;
}

/** Groups before or after the point: as many as a number of DynamoDB could need, and far more. */
const WEIGHT_MAX = 300;

/** By their signs. */
const NOT_FINITE: Readonly<Record<number, string>> = Object.freeze({
  0xc000: 'NaN',
  0xd000: 'Infinity',
  0xf000: '-Infinity',
});

/** @throws PgError where it is no number, or no finite one */
export function numericText(bytes: Buffer): string {
  if (bytes.length < 8) throw malformed('a numeric has at least 8 bytes');
  const count = bytes.readUInt16BE(0);
  const weight = bytes.readInt16BE(2);
  const sign = bytes.readUInt16BE(4);
  const scale = bytes.readUInt16BE(6);
  if (bytes.length !== 8 + 2 * count) throw malformed('a numeric of another length than it says');
  const notFinite = NOT_FINITE[sign];
  if (notFinite !== undefined)
    throw new PgError({ code: '22P02', message: `invalid input syntax for type numeric: "${notFinite}"` });
  if (sign !== SIGN.positive && sign !== SIGN.negative) throw malformed('a numeric of no known sign');
  if (Math.abs(weight) > WEIGHT_MAX || count > WEIGHT_MAX || scale > GROUP * WEIGHT_MAX)
    throw malformed('a numeric of more digits than any number has here');
  const groupAt = (i: number): string => {
    const group = i >= 0 && i < count ? bytes.readUInt16BE(8 + 2 * i) : 0;
    if (group > 9_999) throw malformed('a digit of a numeric is out of range');
    return String(group).padStart(GROUP, '0');
  };
  let whole = '';
  for (let i = 0; i <= weight; i++) whole += groupAt(i);
  let fraction = '';
  for (let i = weight + 1; fraction.length < scale; i++) fraction += groupAt(i);
  const left = whole.replace(/^0+/, '') || '0';
  const right = scale === 0 ? '' : `.${fraction.slice(0, scale)}`;
  return `${sign === SIGN.negative ? '-' : ''}${left}${right}`;
}
