/** A query's place as its worker has it: the host gives the places. */
import type { RunningPlace, WorkloadClass } from '../scheduling/admission.ts';

/** The host runs the query in another worker. What this one does for it is over. */
export class QueryMovedError extends Error {
  override readonly name = 'QueryMovedError';
}

class HostPlace implements RunningPlace {
  workloadClass: WorkloadClass;
  private readonly ask: () => Promise<boolean>;
  private promoting: Promise<void> | null = null;

  constructor(isLong: boolean, ask: () => Promise<boolean>) {
    this.workloadClass = isLong ? 'long' : 'short';
    this.ask = ask;
  }

  promote(): Promise<void> {
    return (this.promoting ??= this.becomeLong());
  }

  private async becomeLong(): Promise<void> {
    if (this.workloadClass === 'long') return;
    if (!(await this.ask())) throw new QueryMovedError();
    this.workloadClass = 'long';
  }
}

/** `ask`: true where the query stays here. */
export const createHostPlace = (isLong: boolean, ask: () => Promise<boolean>): RunningPlace =>
  new HostPlace(isLong, ask);
