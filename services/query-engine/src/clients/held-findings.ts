/**
 * What point reads found, told together: one says little, and telling it takes a worker and its host longer than what
 * either does for most other parts of such a read.
 */
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { createSeenSums, type SeenSums } from '../catalog/seen-sums.ts';
import { READ_REPORT_MS, READ_REPORT_TABLES_MAX, REPORTED_READS_MAX } from '../limits.ts';
import type { TableFindings } from './catalog-client.ts';

export interface HeldFindings {
  /**
   * What is to be told now: this, and what was held back of the table. Null: it is held back, until the table's next
   * findings READ_REPORT_MS after the last that were told; for good where none come.
   */
  add(tenantId: string, found: TableFindings): TableFindings | null;
}

interface Held {
  readonly toldAt: number;
  readonly sums: SeenSums;
}

function isOfPointRead({ attributes, seen }: TableFindings): boolean {
  return (
    attributes.length === 0 && seen.filters.length === 0 && seen.keys.length === 1 && seen.keys[0]?.keys === 1
  );
}

export function createHeldFindings(clock: Clock): HeldFindings {
  const held = boundedCache<Held>(READ_REPORT_TABLES_MAX);
  return {
    add(tenantId, found) {
      const place = JSON.stringify([tenantId, found.schemaName, found.tableName]);
      const before = held.get(place);
      const sums = before?.sums ?? createSeenSums(REPORTED_READS_MAX);
      sums.add(found.seen);
      const now = clock.now();
      if (before !== undefined && isOfPointRead(found) && now - before.toldAt < READ_REPORT_MS) return null;
      held.set(place, { toldAt: now, sums: createSeenSums(REPORTED_READS_MAX) });
      return { ...found, seen: sums.sums() };
    },
  };
}
