/** Sends the reads of one query: as its tenant's role, counted, paced, in its turn, each in a span of its own. */
import { accessForTable } from '@penstock/common/aws/session-policy.ts';
import type { TenantClients } from '@penstock/common/dynamodb/tenant-client.ts';
import { ATTRIBUTES, SPANS } from '@penstock/common/telemetry/names.ts';
import { spanOver, type Attributes, type WorkSpan } from '@penstock/common/telemetry/spans.ts';
import type { CatalogTable } from './catalog/table.ts';
import type { CatalogCall } from './clients/catalog-client.ts';
import type { Pacers } from './dynamodb/reader/pacers.ts';
import type { KeptAnswers } from './dynamodb/reader/kept-answers.ts';
import type { RoundControl } from './dynamodb/reader/lookup-rounds.ts';
import type { PageLimits, ReadContext, ReadSteering } from './dynamodb/read-context.ts';
import { readTable, type ReadBatch, type UnitMeter } from './dynamodb/read-table.ts';
import type { TableRead } from './dynamodb/table-read.ts';
import type { AttributeWatch } from './execution/loading/new-attributes.ts';
import type { ReadTallies } from './execution/loading/read-tallies.ts';
import { MeterBefore } from './execution/unit-meter.ts';
import type { RunContext } from './execution/run-context.ts';
import type { ThreadShare } from './execution/thread-share.ts';

/** The limits that pages of a table or an index are asked for under; null: none. */
export type PageLimitsOf = (table: CatalogTable, index: string | null) => PageLimits | null;

/** What all reads of a query have in common. */
export interface QueryReads {
  readonly clients: Pick<TenantClients, 'clientFor'>;
  readonly pacers: Pacers;
  readonly call: CatalogCall;
  readonly meter: UnitMeter;
  readonly share: ThreadShare;
  readonly pageLimits: PageLimitsOf;
  /** What is learned of tables while their reads go on. */
  readonly attributes: AttributeWatch;
  readonly tallies: ReadTallies;
  /** Null: none are kept. */
  readonly answers: KeptAnswers | null;
}

/** Nothing to read: not even a request. */
const NOTHING: AsyncIterable<ReadBatch> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

/** Tells a read's units apart from those of the query's other reads. */
class MeterOfRead extends MeterBefore {
  private own = 0;

  override add(more: number): void {
    this.own += more;
    this.behind.add(more);
  }

  /** What the read had counted before it was made again. */
  countAgain(halfUnits: number): void {
    this.own += halfUnits;
  }

  override get halfUnits(): number {
    return this.own;
  }
}

/** What a read's span may say of it: names, no values. */
function attributesOf({ table, path }: TableRead): Attributes {
  return {
    [ATTRIBUTES.schema]: table.schemaName,
    [ATTRIBUTES.table]: table.tableName,
    [ATTRIBUTES.accessPath]: path.kind,
    ...('index' in path && path.index !== null ? { [ATTRIBUTES.index]: path.index } : {}),
  };
}

/** Not a closure of `readsOf`: V8 would make it, and whoever takes its batches, anew for each query. */
async function* read(
  { clients, pacers, call, meter, share, pageLimits, attributes, tallies, answers }: QueryReads,
  wanted: TableRead,
  signal: AbortSignal,
  rounds: RoundControl | null,
  steering: ReadSteering | undefined,
  span: WorkSpan,
): AsyncGenerator<ReadBatch> {
  const { table } = wanted;
  const access = accessForTable(table.access, table.tableName);
  const client = await clients.clientFor(call.tenantId, access, call.requestId, signal);
  const own = new MeterOfRead(meter);
  try {
    const context: ReadContext = {
      client,
      signal,
      meter: own,
      pacer: pacers.of(call.tenantId, table.access, table.tableName),
      runSliced: share.runSliced,
      enterPage: share.enterPage,
      limitsOf: (index) => pageLimits(table, index),
      schemaName: table.schemaName,
      ...(steering === undefined ? {} : { steering }),
      onDiscovery: (found) => attributes.discover(wanted, found),
      onUnknown: (found) => attributes.meet(wanted, found),
      ...(answers === null ? {} : { answers, onReadAgain: (halfUnits: number) => own.countAgain(halfUnits) }),
      observer: tallies,
    };
    yield* readTable(wanted, context, rounds);
  } finally {
    tallies.spent(wanted, own.halfUnits);
    span.add({ [ATTRIBUTES.readUnits]: own.halfUnits / 2 });
  }
}

export function readsOf(query: QueryReads): RunContext['read'] {
  const { share, meter } = query;
  return (wanted, signal, rounds, steering) =>
    wanted.path.kind === 'Nothing'
      ? NOTHING
      : spanOver(SPANS.read, { attributes: () => attributesOf(wanted) }, (span) =>
          share.whileShort(read(query, wanted, signal, rounds, steering, span), meter),
        );
}
