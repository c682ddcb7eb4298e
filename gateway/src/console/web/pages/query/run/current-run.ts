import type { Planned } from '../estimate/planned.ts';
import type { Run } from './run.ts';

/** A run and what belongs to it. */
export interface CurrentRun {
  readonly run: Run;
  /** What was planned for it, where it was planned before it ran. */
  readonly planned: Planned | null;
  /** Where the statement begins in the text: not at 0 where a selection ran. */
  readonly offset: number;
}
