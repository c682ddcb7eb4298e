import type { TableScan } from '../logical/plan.ts';
import type { SqlType } from './types/sql-type.ts';

/** Where a scan's rows are: a table (or view) and, for each of the scan's columns, its name there and its type. */
export interface ScanSource {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[];
  /** How many rows there are, where that is known. */
  readonly rowCount?: number;
  /** What their values take together, at most, bytes, where that is known. */
  readonly bytes?: number;
}

/** Where the rows of each scan are. */
export type SourceOf = (scan: TableScan) => ScanSource;
