/** Something that a press begins: one at a time, and what went wrong is kept to be shown. */
import { useState } from 'preact/hooks';
import type { Outcome, Problem } from '../../net/outcome.ts';

export interface Action<Argument, T> {
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  /** @returns what came of it; null where one is under way, or it failed */
  readonly run: (argument: Argument) => Promise<T | null>;
  /** Forgets the problem. */
  readonly clear: () => void;
}

export function useAction<Argument, T>(
  begin: (argument: Argument) => Promise<Outcome<T>>,
): Action<Argument, T> {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = async (argument: Argument): Promise<T | null> => {
    if (isBusy) return null;
    setBusy(true);
    setProblem(null);
    const outcome = await begin(argument);
    setBusy(false);
    if (outcome.ok) return outcome.value;
    setProblem(outcome.problem);
    return null;
  };
  return { isBusy, problem, run, clear: () => setProblem(null) };
}
