import { PenstockError } from '@penstock/common/errors/penstock-error.ts';

/**
 * Runs the tool calls of one request one after the other. A batch may hold many, and all results stay in memory until
 * the last is there.
 */
export interface ToolTurns {
  /**
   * Does the work when that of all calls before it is done, and counts what it came to.
   *
   * @throws PenstockError RESOURCE_EXHAUSTED, without doing it, where the calls before have used the budget up
   */
  run<T>(work: () => Promise<T>, bytesOf: (result: T) => number): Promise<T>;
}

/** @param budgetBytes the bytes of all results together; the result that reaches it is still given whole */
export function createToolTurns(budgetBytes: number): ToolTurns {
  let used = 0;
  let last: Promise<unknown> = Promise.resolve();
  return Object.freeze({
    run<T>(work: () => Promise<T>, bytesOf: (result: T) => number): Promise<T> {
      const turn = last.then(async () => {
        if (used >= budgetBytes) {
          throw new PenstockError(
            'RESOURCE_EXHAUSTED',
            `The calls before it in this batch have filled ${budgetBytes} bytes: send this call again by itself`,
          );
        }
        const result = await work();
        used += bytesOf(result);
        return result;
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  });
}
