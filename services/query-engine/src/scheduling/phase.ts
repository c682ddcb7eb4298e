/** What a process does with a statement: told to the caller before it is done, in case that it is the last thing it does. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** `waiting`: for a turn, or for what is read. */
export type Phase = 'waiting' | 'planning' | 'computing';

export interface Phases {
  /** Resolves once the phase was handed to the connection; at once where it was the last one told. */
  enter(phase: Phase): Promise<void>;
  /**
   * The same for what will not be the last thing that this process does. It is told when the event loop comes round,
   * unless the phase is over by then.
   */
  pass(phase: Phase): void;
}

/** For callers to whom nobody listens. */
export const UNTOLD: Phases = Object.freeze({ enter: async () => undefined, pass: () => undefined });

/** A change of phase that is to be told; `told` resolves when it was. */
interface Change {
  readonly phase: Phase;
  readonly told: () => void;
}

/** What comes between the parts of a result. */
export interface PhasePart {
  readonly kind: 'phase';
  readonly phase: Phase;
}

/** Phases, and what puts their changes between the parts of a result, as they come. */
export function createPhases(): Phases & {
  among<T>(parts: AsyncIterable<T>): AsyncGenerator<T | PhasePart>;
} {
  let current: Phase = 'waiting';
  let lastTold: Phase = 'waiting';
  let changes: Change[] = [];
  let wake = (): void => undefined;
  let isOver = false;

  const tell = async (phase: Phase): Promise<void> => {
    if (phase === lastTold || isOver) return;
    lastTold = phase;
    await new Promise<void>((told) => {
      changes.push({ phase, told });
      wake();
    });
  };

  return {
    pass(phase) {
      if (phase === current) return;
      current = phase;
      setImmediate(() => void (phase === current && tell(phase)));
    },

    async enter(phase) {
      current = phase;
      if (phase === lastTold) return;
      await tell(phase);
      // The event loop writes to the connection; what follows may hold it.
      await nextTurn();
    },

    async *among<T>(parts: AsyncIterable<T>) {
      const iterator = parts[Symbol.asyncIterator]();
      const pull = (): ReturnType<typeof iterator.next> => {
        const step = iterator.next();
        // It may fail while a phase is told, before anybody waits for it here: the loop throws it then.
        step.catch(() => undefined);
        return step;
      };
      try {
        let next = pull();
        for (;;) {
          const woken = new Promise<null>((resolve) => (wake = () => resolve(null)));
          const step = changes.length > 0 ? null : await Promise.race([next, woken]);
          const due = changes;
          changes = [];
          for (const { phase, told } of due) {
            yield { kind: 'phase', phase };
            told();
          }
          if (step === null) continue;
          if (step.done === true) return;
          yield step.value;
          next = pull();
        }
      } finally {
        isOver = true;
        for (const { told } of changes) told();
        await iterator.return?.();
      }
    },
  };
}
