/** An ID as JSON-RPC has it: 1 and "1" are two. */
export type MessageId = string | number;

/**
 * Calls in progress that their agent may cancel by a message of its own, as 2025-era clients do: they keep the
 * connection open, so its end does not tell (MCP 2025-11-25, "Cancellation"). A newer client just closes it.
 *
 * Without sessions an agent is known by its access token. Where several calls of one token have the same ID, nobody can
 * tell which is meant, so none is cancelled. A message that reaches another replica cancels nothing there either: the
 * specification lets it be ignored, and the call ends at its own timeout.
 */
export interface RunningCalls {
  /** Runs a call with a signal that aborts when the agent cancels it. */
  run<T>(agent: string, id: MessageId, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  cancel(agent: string, id: MessageId): void;
}

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, Set<AbortController>>();
  const keyOf = (agent: string, id: MessageId): string => JSON.stringify([agent, id]);

  return Object.freeze({
    async run<T>(agent: string, id: MessageId, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const key = keyOf(agent, id);
      const call = new AbortController();
      const calls = running.get(key) ?? new Set();
      running.set(key, calls.add(call));
      try {
        return await work(call.signal);
      } finally {
        calls.delete(call);
        if (calls.size === 0 && running.get(key) === calls) running.delete(key);
      }
    },
    cancel(agent: string, id: MessageId): void {
      const [call, another] = running.get(keyOf(agent, id)) ?? [];
      if (another === undefined) call?.abort();
    },
  });
}
