/** Ties a physical plan to what was loaded for it. */
import { outputColumns } from '../../logical/output.ts';
import type { LogicalPlan, TableScan } from '../../logical/plan.ts';
import { walkDeep } from '../../logical/visit.ts';
import type { PhysicalPlan } from '../../planning/physical-plan.ts';
import type { ScanSource } from '../../duckdb-sql/sources.ts';

/** Names to show for columns, by ID, in errors of DuckDB's. */
export function columnNamesOf(plan: LogicalPlan): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  walkDeep(plan, {
    plan: (node) => {
      for (const { id, name } of outputColumns(node)) names.set(id, name);
    },
  });
  return names;
}

/** What a scan reads from, once its read is loaded. */
export function sourceFinder(
  plan: Pick<PhysicalPlan, 'bindings'>,
  loaded: readonly (ScanSource | undefined)[],
): (scan: TableScan) => ScanSource {
  return (scan) => {
    const binding = plan.bindings.get(scan);
    const source = binding === undefined ? undefined : loaded[binding.read];
    if (binding === undefined || source === undefined)
      throw new Error(`no read for the scan of ${scan.alias}`);
    const columns = binding.positions.map((position) => {
      const column = source.columns[position];
      if (column === undefined) throw new Error(`the read of ${scan.alias} lacks a column`);
      return column;
    });
    return { ...source, columns };
  };
}
