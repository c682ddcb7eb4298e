/** Records for which query a worker works, before it does: when it has been ended, whoever ended it reads who was the cause. */
import type { RunSliced, Sliced } from './sliced-work.ts';

/** Of one query. */
export interface RecordWork {
  /** From now on, until another query is said to, this one holds the process's one thread. */
  hold(): void;
  /** DuckDB has something of the query to do, in a thread of its own. Answers what to call once that is done. */
  compute(): () => void;
}

export const NOT_RECORDED: RecordWork = Object.freeze({
  hold: () => undefined,
  compute: () => () => undefined,
});

function* holding<T>(steps: Sliced<T>, work: RecordWork): Sliced<T> {
  for (;;) {
    work.hold();
    const step = steps.next();
    if (step.done === true) return step.value;
    yield;
  }
}

/** Runs work as `run` does; each of its steps is recorded. */
export function recordedRuns(run: RunSliced, work: RecordWork): RunSliced {
  return (steps) => run(holding(steps, work));
}
