/** Messages of PostgreSQL's protocol as a client writes them, whole or not. */

export const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value & 0xffff);
  return bytes;
};
export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value | 0);
  return bytes;
};
export const text = (value: string): Buffer => Buffer.from(`${value}\0`);

export const frame = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(body.length + 4), body]);
};
/** Without a type: what a connection begins with. */
export const untyped = (...parts: readonly Buffer[]): Buffer => frame('', ...parts);

export const PROTOCOL = Object.freeze({ v30: 196_608, v32: 196_610 });
export const SSL_REQUEST = untyped(int32(80_877_103));
export const GSSENC_REQUEST = untyped(int32(80_877_104));
export const cancelRequest = (pid: number, key: Buffer): Buffer =>
  untyped(int32(80_877_102), int32(pid), key);

export const startup = (
  user: string,
  more: Readonly<Record<string, string>> = {},
  version: number = PROTOCOL.v30,
): Buffer =>
  untyped(
    int32(version),
    ...Object.entries({ user, database: 'penstock', ...more }).flatMap((pair) => pair.map(text)),
    Buffer.from([0]),
  );

export const query = (sql: string): Buffer => frame('Q', text(sql));
export const parse = (name: string, sql: string, oids: readonly number[] = []): Buffer =>
  frame('P', text(name), text(sql), int16(oids.length), ...oids.map(int32));
export const bind = (
  portal: string,
  statement: string,
  values: readonly (string | Buffer | null)[] = [],
): Buffer =>
  frame(
    ...(['B', text(portal), text(statement), int16(0), int16(values.length)] as const),
    ...values.flatMap((value) =>
      value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value as string)],
    ),
    int16(0),
  );
export const describe = (what: 'S' | 'P', name: string): Buffer => frame('D', Buffer.from(what), text(name));
export const execute = (portal: string, maxRows = 0): Buffer => frame('E', text(portal), int32(maxRows));
export const SYNC = frame('S');
export const FLUSH = frame('H');
export const TERMINATE = frame('X');
