/**
 * The tables that statements name, as somebody else knows them: kept for a few seconds, then checked again by version.
 *
 * While nobody answers, entries serve until they are as old as a change may take to be felt; after that queries fail, for
 * a schema may have been disabled meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import {
  CATALOG_FRESH_MS,
  CATALOG_STALE_MS_MAX,
  CATALOG_TABLES_KEPT,
  CATALOG_WAIT_MS_MAX,
} from '../limits.ts';
import type { CatalogCall, KnownTable, Resolution, TableReference, Versioned } from './catalog-client.ts';

/** A table, and when it was known to be so, in milliseconds since 1970. */
export interface Checked<T> {
  readonly table: T;
  readonly checkedAt: number;
}

/** Whom tables are asked of. */
export interface TableSource<T> {
  /** One answer for each reference, in order. Throws PenstockError where nobody answers. */
  resolve(
    call: CatalogCall,
    references: readonly (TableReference & KnownTable)[],
    maySample: boolean,
  ): Promise<readonly Resolution<T>[]>;
}

export interface CheckedTables<T> {
  /**
   * One answer for each reference, in order. `outdated`: a version by which a read was planned that DynamoDB refused; its
   * table is asked for anew. Throws PenstockError when nobody has answered for too long.
   */
  resolve(
    call: CatalogCall,
    references: readonly TableReference[],
    maySample: boolean,
    outdated?: string | null,
  ): Promise<readonly (Checked<T> | PenstockError)[]>;
}

interface Entry<T> extends Checked<T> {
  /** Asked for by a query that may read items; plan mode's answer may lack the sample. */
  readonly maySample: boolean;
}

const keyOf = ({ tenantId }: CatalogCall, { schema, table }: TableReference): string =>
  JSON.stringify([tenantId, schema, table]);

/** True for failures of the registry, not of what was asked. */
export function isAway(error: unknown): boolean {
  return error instanceof PenstockError && ['UNAVAILABLE', 'TIMEOUT', 'INTERNAL'].includes(error.code);
}

/** `freshMs`: how long they are used without being checked. */
export function createCheckedTables<T extends Versioned>(
  source: TableSource<T>,
  clock: Clock = systemClock,
  freshMs: number = CATALOG_FRESH_MS,
): CheckedTables<T> {
  const entries = boundedCache<Entry<T>>(CATALOG_TABLES_KEPT);

  const ask = async (
    call: CatalogCall,
    wanted: readonly TableReference[],
    maySample: boolean,
    outdated: string | null,
  ): Promise<readonly (Checked<T> | PenstockError)[]> => {
    const held = wanted.map((reference) => entries.get(keyOf(call, reference)));
    const askedAt = clock.now();
    const versions = wanted.map((reference, i) => {
      const entry = held[i];
      const isOutdated = outdated !== null && entry?.table.version === outdated;
      // Without a sample it is asked for anew where one may be taken.
      const isKnown = entry !== undefined && (isOutdated || usable(entry, maySample));
      return { ...reference, knownVersion: isKnown ? entry.table.version : null, outdated: isOutdated };
    });
    const answers = await source.resolve(call, versions, maySample);
    return wanted.map((reference, i) => {
      const [entry, answer] = [held[i], answers[i]];
      // The registry answers, but cannot say how this table is at present: as if it did not answer.
      if (answer?.kind === 'error' && isAway(answer.error) && entry !== undefined)
        return serves(entry, askedAt, outdated) ? entry : answer.error;
      return keep(call, reference, entry, answer, { checkedAt: askedAt, maySample });
    });
  };

  const keep = (
    call: CatalogCall,
    reference: TableReference,
    held: Entry<T> | undefined,
    answer: Resolution<T> | undefined,
    asked: Omit<Entry<T>, 'table'>,
  ): Checked<T> | PenstockError => {
    const table =
      answer?.kind === 'table' ? answer.table : answer?.kind === 'unchanged' ? held?.table : undefined;
    if (table !== undefined) {
      // Who answers may have checked it some time ago.
      const checkedAt = answer?.kind === 'error' ? asked.checkedAt : (answer?.checkedAt ?? asked.checkedAt);
      const entry = { ...asked, table, checkedAt };
      entries.set(keyOf(call, reference), entry);
      return entry;
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
        return !isFresh(entry, now, freshMs) || !usable(entry, maySample) || entry.table.version === outdated;
      });
      if (stale.length === 0) return held.flatMap((entry) => entry ?? []);
      const serving = held.flatMap((entry) => (serves(entry, now, outdated) ? [entry] : []));
      const canServe = serving.length === references.length;
      try {
        const asking = ask(call, stale, maySample, outdated);
        // What comes later, while the query runs, is kept. What has no sample yet is worth waiting for.
        const isSoon = canServe && serving.every((entry) => usable(entry, maySample));
        const resolved = await (isSoon
          ? Promise.race([asking, sleep(CATALOG_WAIT_MS_MAX, null, { ref: false })])
          : asking);
        if (resolved === null) return serving;
        const answers = new Map(stale.map((reference, i) => [reference, resolved[i] ?? missing()]));
        return references.map((reference, i) => answers.get(reference) ?? held[i] ?? missing());
      } catch (error) {
        if (!isAway(error) || !canServe) throw error;
        return serving;
      }
    },
  } satisfies CheckedTables<T>);
}

function isFresh<T extends Versioned>(
  entry: Entry<T> | undefined,
  now: number,
  ageMs: number,
): entry is Entry<T> {
  return entry !== undefined && now - entry.checkedAt <= ageMs;
}

/** Whether an entry serves while the registry does not answer. */
function serves<T extends Versioned>(
  entry: Entry<T> | undefined,
  now: number,
  outdated: string | null,
): entry is Entry<T> {
  return isFresh(entry, now, CATALOG_STALE_MS_MAX) && entry.table.version !== outdated;
}

function usable(entry: Entry<unknown>, maySample: boolean): boolean {
  return entry.maySample || !maySample;
}

function missing(): PenstockError {
  return new PenstockError('INTERNAL', 'Internal error');
}
