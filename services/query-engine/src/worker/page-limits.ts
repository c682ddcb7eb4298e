/** Asks the host before each page of a read that has limits: the host has leases of what all engines share. */
import type { CatalogTable } from '../catalog/table.ts';
import { bucketOf, type Bucket } from '../dynamodb/limits/bucket-of.ts';
import { pageCost } from '../dynamodb/limits/page-cost.ts';
import type { PageLimitsOf } from '../query-reads.ts';
import type { HostLink } from './host-link.ts';

function nameOf({ unitsPerSecond, isSet }: Bucket, { schemaName }: CatalogTable): string {
  const whose = isSet
    ? `readLimits of schema ${schemaName}`
    : "by default, where its schema's readLimits set none";
  return `${unitsPerSecond} read units a second (${whose})`;
}

/** Of one query. `hasBudget`: every page is asked for. `onDemand`: units a second of tables on demand for which nothing is set; null: no limit. */
export function createPageLimits(
  link: Pick<HostLink, 'ask' | 'tell'>,
  query: number,
  onDemand: number | null,
  hasBudget: boolean,
): PageLimitsOf {
  let last = 0;
  return (table, index) => {
    const bucket = bucketOf(table, index, onDemand);
    if (bucket === null && !hasBudget) return null;
    return {
      name: bucket === null ? 'a budget' : nameOf(bucket, table),
      async enter(command, signal) {
        const page = ++last;
        const tell = (halfUnits: number, holdMs: number): void =>
          link.tell({ kind: 'page', query, page, halfUnits, holdMs });
        try {
          await link.ask(query, { what: 'page', page, bucket, ...pageCost(command) }, signal);
        } catch (error) {
          // The host may let it begin at this very moment.
          tell(0, 0);
          throw error;
        }
        return tell;
      },
    };
  };
}
