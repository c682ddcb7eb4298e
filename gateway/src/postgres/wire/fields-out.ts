/** Fields of messages as bytes, and messages of fields, whoever says them. */

export const int16 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeUInt16BE(value & 0xffff);
  return bytes;
};
export const int32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value | 0);
  return bytes;
};
/** As many as a field can count, in one piece. */
export function int32s(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 * values.length);
  values.forEach((value, i) => bytes.writeInt32BE(value | 0, 4 * i));
  return bytes;
}
export const ZERO = Buffer.from([0]);
/** Texts end at a zero byte: one within them would be the end of another field. */
export const text = (value: string): Buffer => Buffer.concat([Buffer.from(value.replaceAll('\0', '')), ZERO]);

/** `type`: a letter, or nothing for what opens a connection. */
export function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(length), ...parts]);
}
