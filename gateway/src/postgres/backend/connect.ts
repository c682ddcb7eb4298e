/** A connection to a PostgreSQL server as a client has one, message by message. */
import { connect } from 'node:net';
import { once } from 'node:events';
import type { PgError } from '../errors/pg-error.ts';
import { serverLost } from '../errors/server-lost.ts';
import type { TransactionStatus } from '../wire/backend.ts';
import { createByteQueue } from '../wire/byte-queue.ts';
import { parameterOf, ServerError, statusOf, type Frame } from './frames.ts';
import * as requests from './requests.ts';

export interface BackendConnection {
  /** The settings that the server reports (ParameterStatus), each as reported last. */
  readonly parameters: ReadonlyMap<string, string>;
  /** As the last ReadyForQuery said. */
  readonly status: TransactionStatus;
  /** Its process. */
  readonly pid: number;
  send(...messages: readonly Buffer[]): void;
  /** The next message; those that nobody asked for are among them. Rejects with PgError FATAL once the connection is gone. */
  next(): Promise<Frame>;
  /** Asks the server to end what runs; what runs then answers with 57014. */
  cancel(): void;
  /** Notices, settings and notifications that come while nothing was asked for. */
  onUnasked(listener: (frame: Frame) => void): void;
  /** Aborted with PgError FATAL once the connection is gone. */
  readonly gone: AbortSignal;
  close(): void;
}

/** Bytes that wait to be taken before no more are read. */
const WAITING_BYTES_MAX = 256 * 1024;
const HEAD_BYTES = 5;

/** Rejects with PgError: what the server refuses the connection with. */
export async function connectBackend(options: {
  readonly socketPath: string;
  /** User, database and settings. */
  readonly parameters: ReadonlyMap<string, string>;
}): Promise<BackendConnection> {
  const socket = connect(options.socketPath);
  const gone = new AbortController();
  const held = createByteQueue();
  const parameters = new Map<string, string>();
  let status: TransactionStatus = 'I';
  let key: { readonly pid: number; readonly bytes: Buffer } = { pid: 0, bytes: Buffer.alloc(0) };
  /** Something was asked for that is not answered to its end. */
  let isAsked = true;
  let wake: () => void = () => undefined;
  let unasked: (frame: Frame) => void = () => undefined;

  const end = (why: PgError): void => {
    if (!gone.signal.aborted) gone.abort(why);
    socket.destroy();
    wake();
  };
  const take = (): Frame | null => {
    if (held.length < HEAD_BYTES) return null;
    const length = 1 + held.uint32At(1);
    held.expect(length);
    if (held.length < length) return null;
    const bytes = held.copy(0, length);
    held.drop(length);
    return { type: String.fromCharCode(bytes[0] ?? 0), bytes };
  };
  /** Whatever a message says of the connection itself is kept. */
  const note = (frame: Frame): Frame => {
    if (frame.type === 'S') parameters.set(...parameterOf(frame));
    if (frame.type === 'K')
      key = { pid: frame.bytes.readInt32BE(HEAD_BYTES), bytes: frame.bytes.subarray(9) };
    if (frame.type === 'Z') {
      status = statusOf(frame);
      isAsked = false;
    }
    return frame;
  };
  const hearUnasked = (): void => {
    for (let frame = isAsked ? null : take(); frame !== null; frame = isAsked ? null : take()) {
      if (frame.type === 'E') return end(new ServerError(frame));
      unasked(note(frame));
    }
  };
  socket.on('data', (bytes: Buffer) => {
    held.add(bytes);
    if (held.length > WAITING_BYTES_MAX) socket.pause();
    if (isAsked) wake();
    else hearUnasked();
  });
  socket.on('error', () => end(serverLost()));
  socket.on('close', () => end(serverLost()));

  const next = async (): Promise<Frame> => {
    for (;;) {
      const frame = take();
      if (frame !== null) {
        if (held.length <= WAITING_BYTES_MAX && socket.isPaused()) socket.resume();
        return note(frame);
      }
      if (gone.signal.aborted) throw gone.signal.reason;
      // The bytes held are the beginning of one message: more must come.
      if (socket.isPaused()) socket.resume();
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const connection: BackendConnection = {
    parameters,
    get status() {
      return status;
    },
    get pid() {
      return key.pid;
    },
    send(...messages) {
      isAsked = true;
      if (!socket.destroyed)
        socket.write(messages.length === 1 ? (messages[0] ?? '') : Buffer.concat(messages));
    },
    next,
    cancel() {
      const canceller = connect(options.socketPath);
      canceller.on('error', () => undefined);
      canceller.end(requests.cancelRequest(key.pid, key.bytes));
    },
    onUnasked: (listener) => void (unasked = listener),
    gone: gone.signal,
    close() {
      if (!socket.destroyed) socket.end(requests.TERMINATE);
      gone.abort(serverLost());
      wake();
    },
  };
  await Promise.race([once(socket, 'connect'), once(gone.signal, 'abort')]);
  connection.send(requests.startup(options.parameters));
  for (;;) {
    const frame = await next();
    if (frame.type === 'E') {
      const refusal = new ServerError(frame);
      end(refusal);
      throw refusal;
    }
    if (frame.type === 'Z') return connection;
  }
}
