import { createHash } from 'node:crypto';

/** An ID as JSON-RPC has it: 1 and "1" are two. */
export type MessageId = string | number;

/**
 * Calls in progress that their agent may cancel by another message. Clients of the 2025 protocols do so, since they
 * keep the connection open (MCP 2025-11-25, "Cancellation"). Newer clients just close it.
 */
export interface RunningCalls {
  /** Runs a call with a signal that aborts when it is cancelled. */
  run<T>(call: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /**
   * Cancels a call. Where several have the same name, it is unknown which one is meant, and none is cancelled. A call
   * that has ended is ignored, as the specification allows.
   *
   * @returns false where there is no such call here
   */
  cancel(call: string): boolean;
}

/**
 * The name of a call. There are no sessions, so an agent is known by its authorization header. The name is a hash and
 * reveals nothing of it.
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
