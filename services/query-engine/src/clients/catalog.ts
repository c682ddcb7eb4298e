/**
 * The tables that statements name, from the registry: kept for a few seconds, then checked again by version.
 *
 * While the registry does not answer, entries serve until they are as old as a change may take to be felt; after that
 * queries fail, for a schema may have been disabled meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import type { CatalogTable } from '../catalog/table.ts';
import {
  CATALOG_FRESH_MS,
  CATALOG_STALE_MS_MAX,
  CATALOG_TABLES_KEPT,
  CATALOG_WAIT_MS_MAX,
} from '../limits.ts';
import type { NewAttributes } from '../execution/loading/new-attributes.ts';
import type { CatalogCall, CatalogClient, Resolution, TableReference } from './catalog-client.ts';

/** A table, or the error to throw where the statement names it. */
export type Resolved = CatalogTable | PenstockError;

export interface Catalog {
  /**
   * One answer for each reference, in order. `outdated`: a version by which a read was planned that DynamoDB refused; its
   * table is asked for anew. Throws PenstockError when the registry is away for too long.
   */
  resolve(
    call: CatalogCall,
    references: readonly TableReference[],
    maySample: boolean,
    outdated?: string | null,
  ): Promise<readonly Resolved[]>;
  /** Tells the registry; nobody waits, and failing is no harm. */
  report(call: CatalogCall, found: readonly NewAttributes[]): void;
}

interface Entry {
  readonly table: CatalogTable;
  readonly checkedAt: number;
  /** Asked for by a query that may read items; plan mode's answer may lack the sample. */
  readonly maySample: boolean;
}

const keyOf = ({ tenantId }: CatalogCall, { schema, table }: TableReference): string =>
  JSON.stringify([tenantId, schema, table]);

/** True for failures of the registry, not of what was asked. */
function isAway(error: unknown): boolean {
  return error instanceof PenstockError && ['UNAVAILABLE', 'TIMEOUT', 'INTERNAL'].includes(error.code);
}

export function createCatalog(
  client: Pick<CatalogClient, 'resolve' | 'report'>,
  clock: Clock = systemClock,
): Catalog {
  const entries = boundedCache<Entry>(CATALOG_TABLES_KEPT);

  const ask = async (
    call: CatalogCall,
    wanted: readonly TableReference[],
    maySample: boolean,
    outdated: string | null,
  ): Promise<readonly Resolved[]> => {
    const held = wanted.map((reference) => entries.get(keyOf(call, reference)));
    const askedAt = clock.now();
    const versions = wanted.map((reference, i) => {
      const entry = held[i];
      const isOutdated = outdated !== null && entry?.table.version === outdated;
      // Without a sample it is asked for anew where one may be taken.
      const isKnown = entry !== undefined && (isOutdated || usable(entry, maySample));
      return { ...reference, knownVersion: isKnown ? entry.table.version : null, outdated: isOutdated };
    });
    const answers = await client.resolve(call, versions, maySample);
    return wanted.map((reference, i) => {
      const [entry, answer] = [held[i], answers[i]];
      // The registry answers, but cannot say how this table is at present: as if it did not answer.
      if (answer?.kind === 'error' && isAway(answer.error) && entry !== undefined)
        return serves(entry, askedAt, outdated) ? entry.table : answer.error;
      return keep(call, reference, entry, answer, { checkedAt: askedAt, maySample });
    });
  };

  const keep = (
    call: CatalogCall,
    reference: TableReference,
    held: Entry | undefined,
    answer: Resolution | undefined,
    asked: Omit<Entry, 'table'>,
  ): Resolved => {
    const table =
      answer?.kind === 'table' ? answer.table : answer?.kind === 'unchanged' ? held?.table : undefined;
    if (table !== undefined) {
      entries.set(keyOf(call, reference), { table, ...asked });
      return table;
    }
    entries.delete(keyOf(call, reference));
    return answer?.kind === 'error' ? answer.error : new PenstockError('INTERNAL', 'Internal error');
  };

  return Object.freeze({
    async resolve(call, references, maySample, outdated = null) {
      const now = clock.now();
      const held = references.map((reference) => entries.get(keyOf(call, reference)));
      const stale = references.filter((_, i) => {
        const entry = held[i];
        return (
          !isFresh(entry, now, CATALOG_FRESH_MS) ||
          !usable(entry, maySample) ||
          entry.table.version === outdated
        );
      });
      if (stale.length === 0) return held.flatMap((entry) => (entry === undefined ? [] : [entry.table]));
      const serving = held.flatMap((entry) => (serves(entry, now, outdated) ? [entry] : []));
      const canServe = serving.length === references.length;
      try {
        const asking = ask(call, stale, maySample, outdated);
        // What comes later, while the query runs, is kept. What has no sample yet is worth waiting for.
        const isSoon = canServe && serving.every((entry) => usable(entry, maySample));
        const resolved = await (isSoon
          ? Promise.race([asking, sleep(CATALOG_WAIT_MS_MAX, null, { ref: false })])
          : asking);
        if (resolved === null) return serving.map(({ table }) => table);
        const answers = new Map(stale.map((reference, i) => [reference, resolved[i] ?? missing()]));
        return references.map((reference, i) => answers.get(reference) ?? held[i]?.table ?? missing());
      } catch (error) {
        if (!isAway(error) || !canServe) throw error;
        return serving.map(({ table }) => table);
      }
    },
    report(call, found) {
      for (const attributes of found) {
        // The query's own end must not end it.
        const { signal: _, ...rest } = call;
        void client
          .report({ ...rest, signal: AbortSignal.timeout(CATALOG_STALE_MS_MAX) }, attributes)
          .catch(() => undefined);
      }
    },
  } satisfies Catalog);
}

function isFresh(entry: Entry | undefined, now: number, ageMs: number): entry is Entry {
  return entry !== undefined && now - entry.checkedAt <= ageMs;
}

/** Whether an entry serves while the registry does not answer. */
function serves(entry: Entry | undefined, now: number, outdated: string | null): entry is Entry {
  return isFresh(entry, now, CATALOG_STALE_MS_MAX) && entry.table.version !== outdated;
}

function usable(entry: Entry, maySample: boolean): boolean {
  return entry.maySample || !maySample;
}

function missing(): PenstockError {
  return new PenstockError('INTERNAL', 'Internal error');
}
