/** Messages whose bytes are there already: large ones are sent as they came, without a copy. */

const encodings = new WeakMap<object, readonly Uint8Array[]>();

/**
 * Says what a message is in protobuf's binary form, in pieces, one after the other: so it is sent. The message must be of
 * its schema (`create`), since it is sent otherwise where a caller speaks another protocol than gRPC without compression.
 */
export function encodedAs<M extends object>(message: M, pieces: readonly Uint8Array[]): M {
  encodings.set(message, pieces);
  return message;
}

/** What was said of the message; null where nothing was. */
export const encodingOf = (message: object): readonly Uint8Array[] | null => encodings.get(message) ?? null;
