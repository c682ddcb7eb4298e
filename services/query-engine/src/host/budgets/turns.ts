/**
 * Pages that wait for others of the same counter: one of an engine asks Redis at a time, in the order in which they came, so
 * that many waiting pages are no load.
 */

/** A page, which has one turn at a time. */
export interface TurnTaker {
  /** The counter of its turn; null: it has none. */
  key(): string | null;
  /** Waits for the turn, and leaves the one that it has. Throws the signal's reason. */
  take(key: string): Promise<void>;
  /** While it has a turn: how long the counter has said the same, milliseconds. */
  unchangedMs(state: string): number;
  /** It is the next one's turn. */
  leave(): void;
}

export interface Turns {
  /** True where a page has its turn: who comes now waits behind it. */
  isTaken(key: string): boolean;
  taker(signal: AbortSignal): TurnTaker;
}

interface Queue {
  readonly key: string;
  readonly waiting: (() => void)[];
  state: string;
  changedAt: number;
}

export function createTurns(now: () => number = () => performance.now()): Turns {
  const queues = new Map<string, Queue>();

  const wait = (queue: Queue, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        queue.waiting.splice(queue.waiting.indexOf(begin), 1);
        reject(signal.reason as Error);
      };
      queue.waiting.push(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });

  const join = async (key: string, signal: AbortSignal): Promise<Queue> => {
    if (signal.aborted) throw signal.reason;
    const known = queues.get(key);
    if (known !== undefined) {
      await wait(known, signal);
      return known;
    }
    const queue: Queue = { key, waiting: [], state: '', changedAt: now() };
    queues.set(key, queue);
    return queue;
  };

  return Object.freeze({
    isTaken: (key) => queues.has(key),
    taker(signal) {
      let queue: Queue | null = null;
      const leave = (): void => {
        const left = queue;
        queue = null;
        if (left === null) return;
        const next = left.waiting.shift();
        if (next === undefined) queues.delete(left.key);
        else next();
      };
      return {
        key: () => queue?.key ?? null,
        async take(key) {
          leave();
          queue = await join(key, signal);
        },
        unchangedMs(state) {
          if (queue === null) return 0;
          if (state !== queue.state) Object.assign(queue, { state, changedAt: now() });
          return now() - queue.changedAt;
        },
        leave,
      };
    },
  } satisfies Turns);
}
