/** How a query lost its worker. */

/**
 * `deadline`: the query did not stop when it was told to. `stuck`: the worker stood still. `memory`: it had more memory than
 * it may. `ended`: it ended by itself, or something else killed it. `moved`: it stands still, perhaps not for long.
 */
export type LossCause = 'deadline' | 'stuck' | 'memory' | 'ended' | 'moved';

export interface Loss {
  readonly cause: LossCause;
  /** The worker worked on the query: that may be why. */
  readonly isSuspect: boolean;
  /** It worked on no other, and what killed it says what for. */
  readonly isCertain: boolean;
}

/** Thrown to whoever waits for the result of a query whose worker is lost. */
export class WorkerLostError extends Error {
  override readonly name = 'WorkerLostError';
  readonly loss: Loss;

  constructor(loss: Loss) {
    super(`the query lost its worker: ${loss.cause}`);
    this.loss = loss;
  }
}
