/** What a PostgreSQL server says: its messages as they came, to be handed on byte for byte, and the few that are read. */
import { PgError, type PgErrorFields } from '../errors/pg-error.ts';
import type { ResultColumn } from '../results/open-result.ts';
import type { TransactionStatus } from '../wire/backend.ts';
import { message, text, ZERO } from '../wire/fields-out.ts';

/** A message, whole. */
export interface Frame {
  /** Its type's letter. */
  readonly type: string;
  /** With its type and length. */
  readonly bytes: Buffer;
}

const HEAD_BYTES = 5;
const bodyOf = ({ bytes }: Frame): Buffer => bytes.subarray(HEAD_BYTES);

/** Texts that end at zero bytes. */
const textsOf = (frame: Frame): readonly string[] => bodyOf(frame).toString('utf8').split('\0');

/** Name and value of a ParameterStatus. */
export function parameterOf(frame: Frame): readonly [name: string, value: string] {
  const [name = '', value = ''] = textsOf(frame);
  return [name, value];
}

export const tagOf = (frame: Frame): string => textsOf(frame)[0] ?? '';

export function statusOf(frame: Frame): TransactionStatus {
  const status = bodyOf(frame).toString('latin1');
  return status === 'T' || status === 'E' ? status : 'I';
}

/** Types of parameters, of a ParameterDescription. */
export function parameterOidsOf(frame: Frame): readonly number[] {
  const body = bodyOf(frame);
  return Array.from({ length: body.readUInt16BE(0) }, (_, i) => body.readUInt32BE(2 + 4 * i));
}

/** Columns of a RowDescription. */
export function columnsOf(frame: Frame): readonly ResultColumn[] {
  const body = bodyOf(frame);
  let at = 2;
  return Array.from({ length: body.readUInt16BE(0) }, () => {
    const end = body.indexOf(0, at);
    const name = body.toString('utf8', at, end);
    // Behind the name: table, attribute, type, its size, its modifier and the format.
    at = end + 1 + 18;
    return { name, typeOid: body.readUInt32BE(end + 7), typeModifier: body.readInt32BE(end + 13) };
  });
}

/** Cells of a DataRow in text format. */
export function cellsOf(frame: Frame): readonly (string | null)[] {
  const body = bodyOf(frame);
  let at = 2;
  return Array.from({ length: body.readUInt16BE(0) }, () => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    at += length;
    return body.toString('utf8', at - length, at);
  });
}

/** Fields of an error or a notice, by their letters, in their order. */
export const fieldsOf = (frame: Frame): ReadonlyMap<string, string> =>
  new Map(textsOf(frame).flatMap((field) => (field === '' ? [] : [[field.slice(0, 1), field.slice(1)]])));

/** The same message with some of its fields changed, or more of them. */
function withFields(frame: Frame, changed: ReadonlyMap<string, string>): Buffer {
  const fields = new Map([...fieldsOf(frame), ...changed]);
  return message(frame.type, ...[...fields].map(([letter, value]) => text(letter + value)), ZERO);
}

function pgFields(frame: Frame): PgErrorFields {
  const fields = fieldsOf(frame);
  const optional = (letter: string, name: 'detail' | 'hint' | 'routine'): Partial<PgErrorFields> => {
    const value = fields.get(letter);
    return value === undefined ? {} : { [name]: value };
  };
  const position = fields.get('P');
  return {
    code: fields.get('C') ?? 'XX000',
    message: fields.get('M') ?? '',
    severity: ['FATAL', 'PANIC'].includes(fields.get('V') ?? '') ? 'FATAL' : 'ERROR',
    ...optional('D', 'detail'),
    ...optional('H', 'hint'),
    ...optional('R', 'routine'),
    ...(position === undefined ? {} : { position: Number(position) }),
  };
}

/** An error of a server, which goes to the client with all that the server says of it. */
export class ServerError extends PgError {
  readonly frame: Frame;

  constructor(frame: Frame) {
    super(pgFields(frame));
    this.name = 'ServerError';
    this.frame = frame;
  }

  /** The same error further behind in a text, or with another hint. */
  with(changed: { readonly position?: number; readonly hint?: string }): ServerError {
    const { position, hint } = changed;
    const fields = new Map([
      ...(position === undefined ? [] : ([['P', String(position)]] as const)),
      ...(hint === undefined ? [] : ([['H', hint]] as const)),
    ]);
    return new ServerError({ type: this.frame.type, bytes: withFields(this.frame, fields) });
  }
}
