/** Messages as gRPC frames them: a byte of flags, the length in four bytes, and the message (gRPC over HTTP/2, "Length-Prefixed-Message"). */
import { Code, ConnectError } from '@connectrpc/connect';
import { MESSAGE_BYTES_MAX } from '../limits.ts';

const PREFIX_BYTES = 5;
const COMPRESSED_FLAG = 1;
const NO_BYTES = new Uint8Array();

/**
 * A message in pieces, of which the first is copied.
 *
 * @throws ConnectError RESOURCE_EXHAUSTED where the message is larger than any may be
 */
export function enveloped(message: readonly Uint8Array[]): [Buffer, ...Uint8Array[]] {
  const [first = NO_BYTES, ...rest] = message;
  const length = message.reduce((sum, piece) => sum + piece.length, 0);
  if (length > MESSAGE_BYTES_MAX) throw tooLarge(length);
  const head = Buffer.allocUnsafe(PREFIX_BYTES + first.length);
  head[0] = 0;
  head.writeUInt32BE(length, 1);
  head.set(first, PREFIX_BYTES);
  return [head, ...rest];
}

/**
 * The one message of a body.
 *
 * @throws ConnectError where there is none, or more than one, or one that is compressed or cut off
 */
export function onlyMessage(body: Buffer): Buffer {
  if (body.length === 0) throw new ConnectError('protocol error: missing input message', Code.Unimplemented);
  if (body.length < PREFIX_BYTES) throw cutOff();
  if ((body.readUInt8(0) & COMPRESSED_FLAG) !== 0)
    throw new ConnectError('protocol error: compressed, but no compression was agreed on', Code.Internal);
  const length = body.readUInt32BE(1);
  if (length > MESSAGE_BYTES_MAX) throw tooLarge(length);
  if (body.length < PREFIX_BYTES + length) throw cutOff();
  if (body.length > PREFIX_BYTES + length)
    throw new ConnectError('protocol error: received extra input message', Code.Unimplemented);
  return body.subarray(PREFIX_BYTES);
}

/** The most bytes of a body whose message is not too large. */
export const BODY_BYTES_MAX = PREFIX_BYTES + MESSAGE_BYTES_MAX;

export function tooLarge(length: number): ConnectError {
  return new ConnectError(
    `message size ${length} is larger than ${MESSAGE_BYTES_MAX} bytes`,
    Code.ResourceExhausted,
  );
}

function cutOff(): ConnectError {
  return new ConnectError('protocol error: the body ends within a message', Code.InvalidArgument);
}
