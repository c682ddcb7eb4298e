/** A query's place as its worker has it: the host gives the places. */
import type { RunningPlace, WorkloadClass } from '../scheduling/admission.ts';

/** The host runs the query in another worker. What this one does for it is over. */
export class QueryMovedError extends Error {
  override readonly name = 'QueryMovedError';
}

/** `ask`: true where the query stays here. */
export function createHostPlace(isLong: boolean, ask: () => Promise<boolean>): RunningPlace {
  let workloadClass: WorkloadClass = isLong ? 'long' : 'short';
  let promoting: Promise<void> | null = null;
  const promote = async (): Promise<void> => {
    if (workloadClass === 'long') return;
    if (!(await ask())) throw new QueryMovedError();
    workloadClass = 'long';
  };
  return {
    get workloadClass() {
      return workloadClass;
    },
    promote: () => (promoting ??= promote()),
  };
}
