/** What a host tells the registry: attributes at once, what reads saw together with what other queries see meanwhile. */
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { createSeenSums, type SeenSums } from '../catalog/seen-sums.ts';
import {
  CATALOG_STALE_MS_MAX,
  READ_REPORT_MS,
  READ_REPORT_TABLES_MAX,
  REPORTED_READS_MAX,
} from '../limits.ts';
import type { CatalogCall, CatalogClient, TableFindings } from './catalog-client.ts';

export interface FindingReports {
  /** Nobody waits, and failing is no harm. */
  add(call: CatalogCall, found: TableFindings): void;
  /** Tells what has not been told. */
  close(): Promise<void>;
}

/** What was seen of a table; the last call's token stands for its tenant's. */
interface Pending {
  call: CatalogCall;
  readonly schemaName: string;
  readonly tableName: string;
  readonly sums: SeenSums;
}

export function createFindingReports(
  client: Pick<CatalogClient<unknown>, 'report'>,
  everyMs = READ_REPORT_MS,
): FindingReports {
  const pending = new Map<string, Pending>();
  let timer: NodeJS.Timeout | null = null;

  const send = (call: CatalogCall, found: TableFindings): Promise<void> =>
    // The query's own end must not end it.
    client
      .report({ ...call, signal: AbortSignal.timeout(CATALOG_STALE_MS_MAX) }, found)
      .catch(() => undefined);

  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const all = [...pending.values()];
    pending.clear();
    await Promise.all(
      all.map(({ call, schemaName, tableName, sums }) =>
        // What many queries saw is part of none of them, nor of a trace.
        send({ ...call, requestId: uuidV7() }, { schemaName, tableName, attributes: [], seen: sums.sums() }),
      ),
    );
  };

  const keep = (call: CatalogCall, { schemaName, tableName, seen }: TableFindings): void => {
    const place = JSON.stringify([call.tenantId, schemaName, tableName]);
    const of = pending.get(place) ?? {
      call,
      schemaName,
      tableName,
      sums: createSeenSums(REPORTED_READS_MAX),
    };
    if (!pending.has(place) && pending.size >= READ_REPORT_TABLES_MAX) return;
    pending.set(place, of);
    of.call = call;
    of.sums.add(seen);
    timer ??= setTimeout(() => void flush(), everyMs).unref();
  };

  return Object.freeze({
    add(call, found) {
      const { keys, filters } = found.seen;
      if (found.attributes.length > 0) void send(call, { ...found, seen: { keys: [], filters: [] } });
      if (keys.length + filters.length > 0) keep(call, found);
    },
    close: flush,
  } satisfies FindingReports);
}
