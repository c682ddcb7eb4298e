/**
 * Messages of a stream. A short call has one message, which passes half a dozen hands, and an async generator takes several
 * turns of promises for it. So whatever only hands messages on is a plain iterator.
 */
import { Code, ConnectError } from '@connectrpc/connect';
import { create, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';

const DONE = Object.freeze({ done: true, value: undefined });

/** Each message as `change` makes it. Whoever leaves early, and a change that fails, ends the messages. */
function mapped<From, To>(messages: AsyncIterable<From>, change: (message: From) => To): AsyncIterable<To> {
  return {
    [Symbol.asyncIterator]() {
      const given = messages[Symbol.asyncIterator]();
      return {
        async next() {
          const step = await given.next();
          if (step.done === true) return DONE;
          try {
            return { done: false, value: change(step.value) };
          } catch (error) {
            await given.return?.();
            throw error;
          }
        },
        async return() {
          await given.return?.();
          return DONE;
        },
      };
    },
  };
}

/** Whole messages, where given ones may lack fields. */
export const normalized = <D extends DescMessage>(
  desc: D,
  messages: AsyncIterable<MessageInitShape<D>>,
): AsyncIterable<MessageShape<D>> => mapped(messages, (message) => create(desc, message));

export function only<T>(message: T): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      let isTaken = false;
      return {
        async next() {
          if (isTaken) return DONE;
          isTaken = true;
          return { done: false, value: message };
        },
      };
    },
  };
}

/** The one message of a request to which many answers come. */
export async function single<T>(messages: AsyncIterable<T>): Promise<T> {
  for await (const message of messages) return message;
  throw new ConnectError('a server-streaming call needs one message', Code.InvalidArgument);
}
