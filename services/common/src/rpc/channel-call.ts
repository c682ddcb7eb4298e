import {
  status as GrpcStatus,
  type ChannelInterface,
  type Deadline,
  type Metadata,
  type StatusObject,
} from '@grpc/grpc-js';
import { countPassed } from '../process/collect-passed.ts';

/** One call on a channel. The next message is requested only by `read`, which makes the backpressure. */
export interface ChannelCall {
  /** Resolves with the next message, or null after the last one; rejects with CallStatusError. One at a time. */
  read(): Promise<Buffer | null>;
  /** What the server sent before its first message, as far as it has arrived. */
  header(): Metadata | null;
  /** After the end. */
  trailer(): Metadata | null;
  cancel(): void;
}

/** A call that ended with another status than OK. */
export class CallStatusError extends Error {
  override readonly name = 'CallStatusError';
  readonly status: StatusObject;

  constructor(status: StatusObject) {
    super(`${status.code} ${status.details}`);
    this.status = status;
  }
}

interface Reader {
  readonly resolve: (message: Buffer | null) => void;
  readonly reject: (error: CallStatusError) => void;
}

/** Starts a call that sends one message. */
export function startCall(
  channel: ChannelInterface,
  path: string,
  deadline: Deadline,
  metadata: Metadata,
  message: Uint8Array,
): ChannelCall {
  const call = channel.createCall(path, deadline, null, null, null);
  let header: Metadata | null = null;
  let received: Buffer | null = null;
  let ended: StatusObject | null = null;
  let reader: Reader | null = null;

  const settle = (): void => {
    if (reader === null) return;
    const { resolve, reject } = reader;
    if (received !== null) {
      reader = null;
      const taken = received;
      received = null;
      resolve(taken);
    } else if (ended !== null) {
      reader = null;
      if (ended.code === GrpcStatus.OK) resolve(null);
      else reject(new CallStatusError(ended));
    }
  };

  call.start(metadata, {
    onReceiveMetadata(given) {
      header = given;
    },
    onReceiveMessage(given: Buffer | null) {
      // Null stands for the end of the stream; the status says it too.
      if (given === null) return;
      countPassed(given.length);
      received = given;
      settle();
    },
    onReceiveStatus(status) {
      ended = status;
      settle();
    },
  });
  call.sendMessageWithContext({}, Buffer.from(message.buffer, message.byteOffset, message.byteLength));
  call.halfClose();

  return {
    read: () =>
      new Promise((resolve, reject) => {
        reader = { resolve, reject };
        if (ended === null) call.startRead();
        settle();
      }),
    header: () => header,
    trailer: () => ended?.metadata ?? null,
    cancel: () => call.cancelWithStatus(GrpcStatus.CANCELLED, 'cancelled by the caller'),
  };
}
