import type { SecondaryIndex } from '../../catalog/table.ts';
import type { TableScan } from '../../logical/plan.ts';
import { provenTypes, type Candidate } from './candidate.ts';
import { attributeOf, type Condition } from './condition.ts';
import { sizeOf, unitsOfRange } from './estimate.ts';
import { segmentBytes, segmentsMax } from './limits.ts';

/** Scan of the table (`index` null) or of an index that holds every item of interest. */
export function scanCandidate(
  scan: TableScan,
  index: SecondaryIndex | null,
  conjuncts: readonly Condition[],
  consistent: boolean,
): Candidate {
  const size = sizeOf(scan.table, index);
  const bytes = size.items * size.itemBytes;
  const present = provenTypes(scan.table.key, index);
  return {
    path: {
      kind: 'Scan',
      index: index?.name ?? null,
      // A read that stops early goes on in one order, whatever the table's size was when it was last described.
      segments:
        scan.limitHint === null ? Math.min(segmentsMax, Math.max(1, Math.ceil(bytes / segmentBytes))) : 1,
    },
    index,
    items: size.items,
    units: unitsOfRange(size.items, size, consistent),
    exact: new Set(
      conjuncts.filter((conjunct) => {
        if (conjunct.kind !== 'IsNull' || !conjunct.negated) return false;
        return present.has(attributeOf(conjunct.column) ?? '');
      }),
    ),
    ordered: scan.orderHint.length === 0,
    sideBySide: 1,
    reason: reasonOf(scan, index),
  };
}

function reasonOf({ table }: TableScan, index: SecondaryIndex | null): string {
  if (index === null) return 'no predicate binds the key of the table or of an index that may be read';
  if (table.entriesOf === index.name) return 'no predicate binds the key of the index that is named';
  return `index ${index.name} holds all that is wanted and is smaller than the table`;
}
