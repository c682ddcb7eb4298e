import { createHash } from 'node:crypto';

/** An ID as JSON-RPC has it: 1 and "1" are two. */
export type MessageId = string | number;

/**
 * Calls in progress that their agent may cancel by a message of its own, as 2025-era clients do: they keep the
 * connection open, so its end does not tell (MCP 2025-11-25, "Cancellation"). A newer client just closes it.
 */
export interface RunningCalls {
  /** Runs a call with a signal that aborts when it is cancelled. */
  run<T>(call: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /**
   * Cancels a call. Where several have the same name, nobody can tell which is meant, so none is cancelled; nor is
   * anything where the call has ended, which the specification lets be ignored.
   *
   * @returns false where there is no such call here
   */
  cancel(call: string): boolean;
}

/**
 * The name of a call. Without sessions an agent is known by what it sends to authorize itself, of which the name gives
 * nothing away.
 */
export function callName(authorization: string | undefined, id: MessageId): string {
  return createHash('sha256')
    .update(JSON.stringify([authorization, id]))
    .digest('base64url');
}

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, Set<AbortController>>();
  return Object.freeze({
    async run<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const call = new AbortController();
      const calls = running.get(name) ?? new Set();
      running.set(name, calls.add(call));
      try {
        return await work(call.signal);
      } finally {
        calls.delete(call);
        if (calls.size === 0) running.delete(name);
      }
    },
    cancel(name: string): boolean {
      const [call, another] = running.get(name) ?? [];
      if (another === undefined) call?.abort();
      return call !== undefined;
    },
  });
}
