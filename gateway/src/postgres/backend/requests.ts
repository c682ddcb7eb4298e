/** What we say to a PostgreSQL server: messages of a client. */
import { int16, int32, int32s, message, text } from '../wire/fields-out.ts';
import type { Value } from '../wire/frontend.ts';

const PROTOCOL_3_0 = 196_608;
const CANCEL = 80_877_102;

/** A message without a type, as a connection begins. */
const untyped = (...parts: readonly Buffer[]): Buffer => message('', ...parts);

export const startup = (parameters: ReadonlyMap<string, string>): Buffer =>
  untyped(int32(PROTOCOL_3_0), ...[...parameters].flatMap((pair) => pair.map(text)), Buffer.from([0]));

export const cancelRequest = (pid: number, key: Buffer): Buffer => untyped(int32(CANCEL), int32(pid), key);

export const parse = (name: string, sql: string, parameterOids: readonly number[] = []): Buffer =>
  message('P', text(name), text(sql), int16(parameterOids.length), int32s(parameterOids));

export interface Bind {
  readonly portal: string;
  readonly statement: string;
  readonly parameterFormats: readonly number[];
  readonly parameters: readonly Value[];
  readonly resultFormats: readonly number[];
}

export const bind = ({ portal, statement, parameterFormats, parameters, resultFormats }: Bind): Buffer =>
  message(
    ...(['B', text(portal), text(statement)] as const),
    ...[int16(parameterFormats.length), ...parameterFormats.map(int16), int16(parameters.length)],
    ...parameters.flatMap((value) => (value === null ? [int32(-1)] : [int32(value.length), value])),
    ...[int16(resultFormats.length), ...resultFormats.map(int16)],
  );

/** Whether a statement or a portal is meant. */
type Target = 'statement' | 'portal';
const LETTERS = Object.freeze({ statement: Buffer.from('S'), portal: Buffer.from('P') });

export const describe = (what: Target, name: string): Buffer => message('D', LETTERS[what], text(name));
export const close = (what: Target, name: string): Buffer => message('C', LETTERS[what], text(name));
/** `maxRows`: 0 for all. */
export const execute = (portal: string, maxRows: number): Buffer =>
  message('E', text(portal), int32(maxRows));
export const copyFail = (why: string): Buffer => message('f', text(why));
export const SYNC = message('S');
export const FLUSH = message('H');
export const TERMINATE = message('X');
