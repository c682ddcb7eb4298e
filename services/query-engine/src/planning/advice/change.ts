import type { TableScan } from '../../logical/plan.ts';
import type { Predicate } from './changed-scan.ts';

/** What could be written or made so that a scan costs less: a guess, which is planned before anybody hears of it. */
export interface Change {
  /** The scan with the change. */
  readonly scan: TableScan;
  /** What the change says that the statement did not. */
  readonly added: readonly Predicate[];
  /** What has to be read then for the change to have been of use: an index by its name, the table by its keys, a new index. */
  readonly by: string | null;
  /** What is added stands for what a condition means: which rows passed that says nothing of how many have such a value. */
  readonly isMeant?: true;
  /** What to do, e.g. `bind customer`. */
  readonly what: string;
}
