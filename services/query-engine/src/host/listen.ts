/** Hears what is published on channels of Redis. */
import type { Redis } from 'ioredis';

export interface Listening {
  /** False while nothing is heard: Redis is away, or has not been asked yet. */
  readonly isHeard: boolean;
}

/** `subscriber`: a connection that only listens; others may listen to it as well. */
export function listen(
  subscriber: Redis,
  channels: Readonly<Record<string, (text: string) => void>>,
): Listening {
  let isHeard = false;
  subscriber.on('message', (channel: string, text: string) => {
    if (Object.hasOwn(channels, channel)) channels[channel]?.(text);
  });
  // A connection that is not ready may refuse the command: it is subscribed each time that it gets ready.
  const subscribe = (): void =>
    void subscriber.subscribe(...Object.keys(channels)).then(
      () => (isHeard = true),
      () => undefined,
    );
  subscriber.on('ready', subscribe);
  subscriber.on('close', () => (isHeard = false));
  if (subscriber.status === 'ready') subscribe();
  return {
    get isHeard() {
      return isHeard;
    },
  };
}
