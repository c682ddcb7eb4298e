/** Messages of a session, by their types. */
import { PgError } from '../errors/pg-error.ts';
import { fieldsOf, malformed, type Fields } from './fields.ts';
import type { FrontendMessage, Value } from './frontend.ts';

/** As many as the field can count. */
const list = <T>(fields: Fields, one: () => T): readonly T[] => Array.from({ length: fields.uint16() }, one);

function formats(fields: Fields): readonly number[] {
  const codes = list(fields, () => fields.int16());
  if (codes.some((code) => code !== 0 && code !== 1))
    throw new PgError({ code: '22023', message: 'unsupported format code: it is 0 (text) or 1 (binary)' });
  return codes;
}

function value(fields: Fields): Value {
  const length = fields.int32();
  return length === -1 ? null : fields.bytes(length);
}

function target(fields: Fields): 'statement' | 'portal' {
  const what = fields.byte();
  if (what === 0x53) return 'statement';
  if (what === 0x50) return 'portal';
  throw malformed('neither a statement nor a portal is meant');
}

const DECODERS: Readonly<Record<string, (fields: Fields) => FrontendMessage>> = {
  Q: (fields) => ({ kind: 'query', sql: fields.text() }),
  P: (fields) => ({
    kind: 'parse',
    name: fields.text(),
    sql: fields.text(),
    parameterOids: list(fields, () => fields.uint32()),
  }),
  B: (fields) => ({
    kind: 'bind',
    portal: fields.text(),
    statement: fields.text(),
    parameterFormats: formats(fields),
    parameters: list(fields, () => value(fields)),
    resultFormats: formats(fields),
  }),
  D: (fields) => ({ kind: 'describe', what: target(fields), name: fields.text() }),
  C: (fields) => ({ kind: 'close', what: target(fields), name: fields.text() }),
  E: (fields) => ({ kind: 'execute', portal: fields.text(), maxRows: Math.max(0, fields.int32()) }),
  H: () => ({ kind: 'flush' }),
  S: () => ({ kind: 'sync' }),
  X: () => ({ kind: 'terminate' }),
  p: (fields) => ({ kind: 'password', bytes: Buffer.from(fields.rest()) }),
  c: () => ({ kind: 'copyDone' }),
  d: (fields) => (fields.rest(), { kind: 'copyData' }),
  f: (fields) => (fields.rest(), { kind: 'copyFail' }),
  F: (fields) => (fields.rest(), { kind: 'functionCall' }),
};

/** Of the extended protocol: what follows an error in it is skipped up to the next Sync. */
const EXTENDED = 'PBDCEH';

/** Messages that are nothing but their type. */
const BARE: ReadonlyMap<string, FrontendMessage> = new Map(
  (['H', 'S', 'X', 'c'] as const).flatMap((type) => {
    const message = DECODERS[type]?.(fieldsOf(Buffer.alloc(0)));
    return message === undefined ? [] : [[type, Object.freeze(message)] as const];
  }),
);

export const isKnownType = (type: string): boolean => Object.hasOwn(DECODERS, type);
export const isExtendedType = (type: string): boolean => EXTENDED.includes(type);

/** A known type's message; one that is malformed is `refused`: its end is known, so the session can go on. */
export function decodeMessage(type: string, body: Buffer): FrontendMessage {
  const bare = body.length === 0 ? BARE.get(type) : undefined;
  if (bare !== undefined) return bare;
  const fields = fieldsOf(body);
  try {
    const message = DECODERS[type]?.(fields);
    if (message === undefined) throw malformed('its type is not known');
    fields.end();
    return message;
  } catch (error) {
    if (!(error instanceof PgError)) throw error;
    const { code, message } = error.fields;
    return { kind: 'refused', code, message, isExtended: isExtendedType(type) };
  }
}
