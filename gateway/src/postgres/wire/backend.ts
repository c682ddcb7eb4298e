/** What the endpoint says: messages as bytes. */
import type { PgErrorFields } from '../errors/pg-error.ts';
import { int16, int32, message, text, ZERO } from './fields-out.ts';

/** A column of a result. */
export interface FieldDescription {
  readonly name: string;
  readonly typeOid: number;
  /** Bytes of a value; -1 where they vary. */
  readonly typeSize: number;
  readonly typeModifier: number;
  /** 0: text; 1: binary. */
  readonly format: number;
}

export type TransactionStatus = 'I' | 'T' | 'E';

const empty = (type: string): Buffer => message(type);

export const PARSE_COMPLETE = empty('1');
export const BIND_COMPLETE = empty('2');
export const CLOSE_COMPLETE = empty('3');
export const NO_DATA = empty('n');
export const EMPTY_QUERY = empty('I');
export const PORTAL_SUSPENDED = empty('s');
export const COPY_DONE = empty('c');

export const AUTHENTICATION_OK = message('R', int32(0));
export const AUTHENTICATION_CLEARTEXT = message('R', int32(3));
export const authenticationSasl = (mechanisms: readonly string[]): Buffer =>
  message('R', int32(10), ...mechanisms.map(text), ZERO);
export const authenticationSaslContinue = (data: string): Buffer =>
  message('R', int32(11), Buffer.from(data));
export const authenticationSaslFinal = (data: string): Buffer => message('R', int32(12), Buffer.from(data));

export const negotiateProtocol = (minor: number, unknown: readonly string[]): Buffer =>
  message('v', int32(minor), int32(unknown.length), ...unknown.map(text));
export const parameterStatus = (name: string, value: string): Buffer => message('S', text(name), text(value));
export const backendKeyData = (pid: number, key: Buffer): Buffer => message('K', int32(pid), key);
const READY: Readonly<Record<TransactionStatus, Buffer>> = Object.freeze({
  I: message('Z', Buffer.from('I')),
  T: message('Z', Buffer.from('T')),
  E: message('Z', Buffer.from('E')),
});
export const readyForQuery = (status: TransactionStatus): Buffer => READY[status];
export const commandComplete = (tag: string): Buffer => message('C', text(tag));

export const parameterDescription = (oids: readonly number[]): Buffer =>
  message('t', int16(oids.length), ...oids.map(int32));

export const rowDescription = (fields: readonly FieldDescription[]): Buffer =>
  message(
    'T',
    int16(fields.length),
    ...fields.flatMap(({ name, typeOid, typeSize, typeModifier, format }) => [
      text(name),
      int32(0),
      int16(0),
      int32(typeOid),
      int16(typeSize),
      int32(typeModifier),
      int16(format),
    ]),
  );

/** `format`: 0 text, 1 binary. */
export const copyOutResponse = (columns: number, format: number): Buffer =>
  message(
    'H',
    Buffer.from([format]),
    int16(columns),
    ...Array.from({ length: columns }, () => int16(format)),
  );
export const copyData = (line: string | Buffer): Buffer =>
  message('d', typeof line === 'string' ? Buffer.from(line) : line);

function fieldsOf(severity: string, fields: Omit<PgErrorFields, 'severity'>): readonly Buffer[] {
  const given: readonly (readonly [string, string | undefined])[] = [
    ['S', severity],
    ['V', severity],
    ['C', fields.code],
    ['M', fields.message],
    ['D', fields.detail],
    ['H', fields.hint],
    ['P', fields.position === undefined ? undefined : String(fields.position)],
    ['R', fields.routine],
  ];
  const parts = given.flatMap(([code, value]) =>
    value === undefined ? [] : [Buffer.from(code, 'latin1'), text(value)],
  );
  return [...parts, ZERO];
}

export const errorResponse = ({ severity = 'ERROR', ...fields }: PgErrorFields): Buffer =>
  message('E', ...fieldsOf(severity, fields));

export type NoticeSeverity = 'WARNING' | 'NOTICE' | 'LOG';
export const noticeResponse = (severity: NoticeSeverity, fields: Omit<PgErrorFields, 'severity'>): Buffer =>
  message('N', ...fieldsOf(severity, fields));

/** A cell as it goes out: text, bytes, or NULL. */
export type Cell = string | Buffer | null;

/** One row. */
export function dataRow(cells: readonly Cell[]): Buffer {
  let length = 4 + 2;
  for (const cell of cells)
    length += 4 + (cell === null ? 0 : typeof cell === 'string' ? Buffer.byteLength(cell) : cell.length);
  const bytes = Buffer.allocUnsafe(1 + length);
  bytes[0] = 0x44;
  bytes.writeInt32BE(length, 1);
  bytes.writeUInt16BE(cells.length, 5);
  let at = 7;
  for (const cell of cells) {
    if (cell === null) {
      bytes.writeInt32BE(-1, at);
      at += 4;
      continue;
    }
    const size = typeof cell === 'string' ? bytes.write(cell, at + 4) : cell.copy(bytes, at + 4);
    bytes.writeInt32BE(size, at);
    at += 4 + size;
  }
  return bytes;
}
