/** Messages of a stream. */
import { create, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';

/** Whole messages, where given ones may lack fields. */
export async function* normalized<D extends DescMessage>(
  desc: D,
  messages: AsyncIterable<MessageInitShape<D>>,
): AsyncGenerator<MessageShape<D>> {
  for await (const message of messages) yield create(desc, message);
}

export async function* only<T>(message: T): AsyncGenerator<T> {
  yield message;
}
