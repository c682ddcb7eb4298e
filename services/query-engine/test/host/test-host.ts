/** Workers and their host, whose registry and roles are played. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { joined } from '../../src/pipe/channel.ts';
import type { SqlRules } from '../../src/catalog/description.ts';
import type { CatalogCall, TableFindings } from '../../src/clients/catalog-client.ts';
import { createCheckedTables, type TableSource } from '../../src/clients/checked-tables.ts';
import type { HostTable } from '../../src/clients/host-tables.ts';
import { NO_BUDGETS, type Budgets } from '../../src/host/budgets/budgets.ts';
import { createOffenders } from '../../src/host/offenders/offenders.ts';
import { createRefusedStatements } from '../../src/host/offenders/refused-statements.ts';
import { NO_POSITIONS, type PagePositions } from '../../src/host/page-positions/page-positions.ts';
import type { WorkerCommand } from '../../src/host/processes/worker-child.ts';
import type { Death } from '../../src/host/processes/worker-types.ts';
import { createQueryRunner } from '../../src/host/queries/query-runner.ts';
import { createQuestions } from '../../src/host/queries/questions.ts';
import { createUnitCount } from '../../src/host/queries/unit-count.ts';
import { NOTHING_JOURNALED } from '../../src/host/read-journal/read-journal.ts';
import { createOwnBuckets } from '../../src/host/read-limits/own-buckets.ts';
import { createRateLimits } from '../../src/host/read-limits/rate-limits.ts';
import type { SharedBuckets } from '../../src/host/read-limits/shared-buckets.ts';
import type { ThrottlingNews } from '../../src/host/read-limits/throttling-news.ts';
import { startWorkers, workerCommand } from '../../src/host/start-workers.ts';
import { TENANT_SHARE_PERCENT, WORKER_MEMORY_MB } from '../../src/limits.ts';
import { createAdmission } from '../../src/scheduling/admission.ts';
import { createPausedResults, type PausedBounds } from '../../src/scheduling/paused-results.ts';
import { classBounds } from '../scheduling/class-bounds.ts';

export interface TestHostOptions {
  /** Of the local AWS endpoint. */
  readonly endpoint: string;
  /** Of a tenant: its number is the access key ID that the local endpoint takes. */
  readonly accountOf: (tenantId: string) => string;
  readonly resolve: TableSource<HostTable>['resolve'];
  readonly workers?: number;
  readonly memoryMb?: number;
  readonly duckdbMemoryMb?: number;
  readonly pushdown?: boolean;
  readonly command?: (usual: WorkerCommand) => WorkerCommand;
  /** Where limits of read units a second are kept; this host's own memory where absent. */
  readonly buckets?: SharedBuckets;
  readonly onDemandUnitsPerSecond?: number;
  /** Told what queries find, as the registry is. */
  readonly report?: Parameters<typeof createQueryRunner>[0]['report'];
  /** Told of a statement that DuckDB reads otherwise than we do. */
  readonly onDisagreement?: (outcome: string) => void;
  readonly onDeath?: (death: Death) => void;
  /** Nobody has any where absent. */
  readonly budgets?: Budgets;
  /** Where pages begin; nobody knows where absent. */
  readonly positions?: PagePositions;
  /** How many queries run and wait, of each class. */
  readonly classBounds?: ReturnType<typeof classBounds>;
  readonly pausedBounds?: PausedBounds;
  /** Of tables that are throttled, to and from other engines. */
  readonly news?: ThrottlingNews;
}

export interface HostedQuery {
  readonly tenantId?: string;
  readonly parameters?: unknown;
  readonly resumeIdx?: number;
  readonly maxRows?: number;
  readonly consistentRead?: boolean;
  readonly rules?: SqlRules | undefined;
  readonly rowFormat?: 'array' | 'object';
  /** The whole result in this format; a page where absent. */
  readonly format?: 'ndjson' | 'csv' | 'parquet';
  readonly lateAttributes?: 'columns' | 'others' | 'drop' | 'warn' | 'refuse';
  readonly maxReadUnits?: number | null;
  readonly signal?: AbortSignal;
  readonly clientId?: string;
  /** What the reader does with each part of rows before it takes the next. */
  readonly onRows?: () => Promise<void>;
}

export interface HostedAnswer {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  /** How often it was said which columns there are. */
  readonly headers: number;
  /** The rows' JSON text. */
  readonly json: string;
  /** Of a whole result. */
  readonly text: string;
  readonly bytes: Buffer;
  readonly rows: readonly unknown[];
  readonly resumeIdx: number | null;
  readonly readUnits: number;
  readonly warnings: readonly string[];
}

export type TestHost = Awaited<ReturnType<typeof startTestHost>>;

const FAR_MS = 3_600_000;

export async function startTestHost(options: TestHostOptions) {
  const spillFolder = await mkdtemp(join(tmpdir(), 'penstock-workers-'));
  const { memoryMb = WORKER_MEMORY_MB } = options;
  const disagreements: string[] = [];
  const reported: TableFindings[] = [];
  const deaths: Death[] = [];
  const ticks: number[] = [];
  const counts = { retried: 0, halfUnits: 0 };
  const logger = createLogger({ service: 'test', level: 'silent' });
  const refused = createRefusedStatements(null);
  const offenders = createOffenders(refused);
  const codeFolder = await mkdtemp(join(tmpdir(), 'penstock-code-'));
  const usual = workerCommand(memoryMb, { ...process.env, UV_THREADPOOL_SIZE: '4' }, codeFolder);
  const pool = startWorkers({
    places: options.workers ?? 1,
    memoryMb,
    settings: {
      endpoint: options.endpoint,
      memoryMb: options.duckdbMemoryMb ?? 256,
      tempMb: 512,
      threads: 1,
      poolThreads: 4,
      tenantSharePercent: TENANT_SHARE_PERCENT,
      pushdown: options.pushdown ?? true,
      ...(options.onDemandUnitsPerSecond === undefined
        ? {}
        : { onDemandUnitsPerSecond: options.onDemandUnitsPerSecond }),
    },
    command: options.command?.(usual) ?? usual,
    spillFolder,
    offenders,
    logger,
    onThrottled: (throttling) => options.news?.tell(throttling),
    metrics: {
      onDeath(death) {
        deaths.push(death);
        options.onDeath?.(death);
      },
      onTick: (ms) => void ticks.push(ms),
      onMetrics: () => undefined,
    },
    onDisagreement({ outcome }) {
      disagreements.push(outcome);
      options.onDisagreement?.(outcome);
    },
  });
  options.news?.listen((throttling) => {
    for (const { worker } of pool.workers) worker.slow(throttling);
  });
  await pool.ready();
  const credentialsOf = (tenantId: string) => ({
    accessKeyId: options.accountOf(tenantId),
    secretAccessKey: 'test',
    sessionToken: '',
    expiration: new Date(Date.now() + FAR_MS),
  });
  const runner = createQueryRunner({
    admission: createAdmission(options.classBounds ?? classBounds()),
    paused: createPausedResults(options.pausedBounds ?? { inAll: 32, perTenant: 24, idleMs: 30_000 }),
    pool,
    questions: createQuestions({
      tables: createCheckedTables({ resolve: options.resolve }),
      sessions: { credentials: async (tenantId) => credentialsOf(tenantId), renew: async () => false },
    }),
    offenders,
    refused,
    budgets: options.budgets ?? NO_BUDGETS,
    positions: options.positions ?? NO_POSITIONS,
    rateLimits: createRateLimits(options.buckets ?? createOwnBuckets(() => 1)),
    report: (call, found) => {
      reported.push(found);
      options.report?.(call, found);
    },
    onRetry: () => void counts.retried++,
    onPlaced: () => undefined,
    workerMemoryMb: memoryMb,
  });
  const callOf = ({
    tenantId = 'tenant-1',
    signal = new AbortController().signal,
  }: HostedQuery): CatalogCall => ({
    tenantId,
    token: 'token',
    requestId: 'request-1',
    signal,
  });
  const requestOf = (sql: string, query: HostedQuery) => ({
    sql,
    parametersJson: query.parameters === undefined ? '' : JSON.stringify(query.parameters),
    firstRowIdx: query.resumeIdx ?? 0,
    maxRows: query.maxRows ?? (query.format === undefined ? 1000 : null),
    consistentRead: query.consistentRead ?? false,
    rules: query.rules,
  });

  return {
    pool,
    runner,
    /** Statements that ended workers. */
    refused,
    disagreements,
    reported,
    deaths,
    /** How long workers took to answer their host, milliseconds. */
    ticks,
    counts,
    spillFolder,
    /** Of all queries, the late ones among them. */
    unitsCounted: () => counts.halfUnits,
    async run(sql: string, query: HostedQuery = {}): Promise<HostedAnswer> {
      const units = createUnitCount(NOTHING_JOURNALED, (halfUnits) => void (counts.halfUnits += halfUnits));
      const { rowFormat = 'array', maxReadUnits = null, lateAttributes = 'columns' } = query;
      let header: { columns: readonly string[]; columnTypes: readonly string[] } | null = null;
      let headers = 0;
      const pages: Uint8Array[] = [];
      let end: { resumeIdx: number | null; warnings: readonly string[] } | null = null;
      const format = query.format ?? ('json' as const);
      const asked = {
        rowFormat,
        format,
        lateAttributes,
        maxReadUnits,
        units,
        clientId: query.clientId ?? null,
      };
      const parts = runner.execute(requestOf(sql, query), callOf(query), asked);
      try {
        for await (const part of parts) {
          if (part.kind === 'header' || part.kind === 'whole') header = part.header;
          if (part.kind === 'header' || part.kind === 'whole') headers++;
          if (part.kind === 'rows' || part.kind === 'whole') pages.push(joined(part.rows));
          if (part.kind === 'end' || part.kind === 'whole') end = part.end;
          if (part.kind === 'rows') await query.onRows?.();
        }
      } finally {
        counts.halfUnits += units.close();
      }
      if (header === null || end === null) throw new Error('the answer has no header or no end');
      const texts = pages.filter(({ length }) => length > 0).map((page) => Buffer.from(page).toString());
      const json = `[${texts.join(',')}]`;
      return {
        get text() {
          return texts.join('');
        },
        get bytes() {
          return Buffer.concat(pages);
        },
        columns: header.columns,
        types: header.columnTypes,
        headers,
        json,
        // Only where they are looked at: what the parsing of many takes, queries beside it would be thought to take.
        get rows() {
          return JSON.parse(json) as unknown[];
        },
        resumeIdx: end.resumeIdx,
        readUnits: units.halfUnits / 2,
        warnings: end.warnings,
      };
    },
    plan: (sql: string, query: HostedQuery = {}) => runner.plan(requestOf(sql, query), callOf(query)),
    async close() {
      await pool.close();
      for (const folder of [spillFolder, codeFolder]) await rm(folder, { recursive: true, force: true });
    },
  };
}
