/** One part away: what does not need it goes on, what does says so soon. */
import type { HandlingCase } from '../modes.ts';

export const DEGRADING: readonly HandlingCase[] = [
  {
    name: 'usage goes to disk while Redis is away',
    mode: 'Redis is away',
    test: {
      file: 'gateway/test/e2e/unavailable.stack.test.ts',
      title: 'answers queries while Redis is away, quickly, and counts them when it is back',
    },
    edit: {
      file: 'services/common/src/usage/recorder.ts',
      from: 'await within(SPOOL_WAIT_MS_MAX, Promise.all(events.map((event) => spool.append(event))));',
      to: "throw new Error('no disk');",
    },
  },
  {
    name: 'a hung Redis is not waited for each time, for usage',
    mode: 'Redis is away',
    test: {
      file: 'services/common/test/usage/recorder.process.test.ts',
      title:
        'waits about 200 ms for a frozen Redis, not again right after, and counts an ambiguous write once',
    },
    edit: {
      file: 'services/common/src/usage/recorder.ts',
      from: '      restsUntil = Date.now() + REDIS_REST_MS;\n',
      to: '',
    },
  },
  {
    name: 'a hung Redis is not waited for each time, for rate limits',
    mode: 'Redis is away',
    test: {
      file: 'gateway/test/limiting/buckets.process.test.ts',
      title: 'fall back to memory within 200 ms when Redis hangs, and rest instead of waiting each time',
    },
    edit: {
      file: 'gateway/src/limiting/buckets-with-fallback.ts',
      from: '      restUntil = clock.now() + LIMITER_REST_MS;\n',
      to: '',
    },
  },
  {
    name: 'summaries do without the stream',
    mode: 'Redis is away',
    test: {
      file: 'services/usage-metering/test/summary/summarize.process.test.ts',
      title: 'answers from the counters alone, and soon, while Redis is away or does not answer',
    },
    edit: {
      file: 'services/usage-metering/src/summary/summarize.ts',
      from: '      return [];\n',
      to: '      throw error;\n',
    },
  },
  {
    name: 'adding a job gives up soon',
    mode: 'Redis is away',
    test: {
      file: 'services/common/test/queue/queue.process.test.ts',
      title: 'says within two seconds that Redis is away',
    },
    edit: {
      file: 'services/common/src/queue/queue.ts',
      from: 'await Promise.race([work, late]);',
      to: 'await work;',
    },
  },
  {
    name: 'schemas are created without the queue',
    mode: 'Redis is away',
    test: {
      file: 'services/schema-registry/test/jobs/background-refresh.process.test.ts',
      title: 'creates them all the same, quickly',
    },
    edit: {
      file: 'services/schema-registry/src/jobs/background-refresh.ts',
      from: 'await Promise.race([added, limit])',
      to: 'await added',
    },
  },
  {
    name: 'the last list of revocations stands',
    mode: 'auth is away',
    test: {
      file: 'gateway/test/chaos/degraded.stack.test.ts',
      title: 'goes on checking tokens by the keys it knows while auth is away',
    },
    edit: {
      file: 'gateway/src/revocations/revocation-list.ts',
      from: '      failing = true;\n',
      to: '      failing = true;\n      minimums = null;\n',
    },
  },
  {
    name: 'the last keys stand',
    mode: 'auth is away',
    test: {
      file: 'services/common/test/token/verifier.test.ts',
      title: 'goes on verifying with the last known keys while auth is away',
    },
    edit: {
      file: 'services/common/src/token/key-set.ts',
      from: '      lastError = error;\n',
      to: '      lastError = error;\n      known = null;\n',
    },
  },
  {
    name: 'calls that only look something up have a bound',
    mode: 'auth is away',
    test: {
      file: 'gateway/test/e2e/unavailable.stack.test.ts',
      title: 'fails fast, not by hanging, when a service is there but does not answer',
    },
    edit: {
      file: 'gateway/src/limits.ts',
      from: 'export const RPC_TIMEOUT_MS = 5_000;',
      to: 'export const RPC_TIMEOUT_MS = 120_000;',
    },
  },
  {
    name: 'known tables serve while the registry is away',
    mode: 'the registry is away',
    test: {
      file: 'services/query-engine/test/clients/catalog.test.ts',
      title: 'serves what it holds for as long as a change may take, while the registry is away',
    },
    edit: {
      file: 'services/query-engine/src/clients/checked-tables.ts',
      from: 'if (!isAway(error) || !canServe) throw error;',
      to: 'throw error;',
    },
  },
  {
    name: 'known tables serve soon while the registry hangs',
    mode: 'the registry is away',
    test: {
      file: 'services/query-engine/test/clients/catalog.test.ts',
      title: 'waits not long for a registry that is slow where an entry may serve',
    },
    edit: {
      file: 'services/query-engine/src/limits.ts',
      from: 'export const CATALOG_WAIT_MS_MAX = 500;',
      to: 'export const CATALOG_WAIT_MS_MAX = 60_000;',
    },
  },
  {
    name: 'known tables do not serve for ever',
    mode: 'the registry is away',
    test: {
      file: 'gateway/test/chaos/degraded.stack.test.ts',
      title: 'queries what it has just seen while the registry is away, then refuses',
    },
    edit: {
      file: 'services/query-engine/src/limits.ts',
      from: 'export const CATALOG_STALE_MS_MAX = 5_000;',
      to: 'export const CATALOG_STALE_MS_MAX = 600_000;',
    },
  },
  {
    name: 'checking a table has a bound',
    mode: 'the registry is away',
    test: {
      file: 'gateway/test/chaos/degraded.stack.test.ts',
      title: 'queries what it has just seen while the registry is away, then refuses',
    },
    edit: {
      file: 'services/query-engine/src/clients/catalog-client.ts',
      from: '...(isCheck ? { timeoutMs: REGISTRY_CHECK_MS_MAX } : {})',
      to: '',
    },
  },
  {
    name: 'a registry that stopped is not waited for',
    mode: 'the registry is away',
    test: {
      file: 'gateway/test/chaos/degraded.stack.test.ts',
      title: 'says soon that a table which it does not know cannot be looked up while the registry is away',
    },
    edit: {
      file: 'services/query-engine/src/clients/while-answering.ts',
      from: "if (told?.code === 'TIMEOUT') return silent.abort();",
      to: 'if (told === null) continue;',
    },
  },
  {
    name: 'a query ends while its role is being assumed',
    mode: 'STS is slow',
    test: {
      file: 'gateway/test/chaos/degraded.stack.test.ts',
      title: 'waits for a slow STS, gives up on one that hangs, and leaves other tenants alone meanwhile',
    },
    edit: {
      file: 'services/common/src/aws/assumed-role.ts',
      from: 'return await abortable(entry.pending ?? start(entry, key, tenantId, access, requestId), signal);',
      to: 'return await (entry.pending ?? start(entry, key, tenantId, access, requestId));',
    },
  },
  {
    name: 'STS has a bound of its own',
    mode: 'STS is slow',
    test: {
      file: 'gateway/test/chaos/degraded.stack.test.ts',
      title: 'waits for a slow STS, gives up on one that hangs, and leaves other tenants alone meanwhile',
    },
    edit: {
      file: 'services/common/src/aws/limits.ts',
      from: 'export const STS_ANSWER_MS_MAX = 5000;',
      to: 'export const STS_ANSWER_MS_MAX = 500_000;',
    },
  },
  {
    name: 'sessions are renewed before they end',
    mode: 'STS is slow',
    test: {
      file: 'services/common/test/aws/assumed-role.test.ts',
      title:
        'renews in the background when less than five minutes are left, and hands out the old ones meanwhile',
    },
    edit: {
      file: 'services/common/src/aws/assumed-role.ts',
      from: 'if (now >= entry.renewAt && entry.pending === null) {',
      to: 'if (now < 0) {',
    },
  },
  {
    name: 'throttled reads are sent again',
    mode: 'tables of a tenant are throttled',
    test: {
      file: 'services/query-engine/test/dynamodb/read-table.engine.test.ts',
      title: 'waits throttling out',
    },
    edit: {
      file: 'services/query-engine/src/dynamodb/reader/send-page.ts',
      from: "if (classifyDynamoError(error).kind !== 'throttled') throw",
      to: 'throw',
    },
  },
  {
    name: 'the answer says what was waited for',
    mode: 'tables of a tenant are throttled',
    test: {
      file: 'gateway/test/chaos/degraded.stack.test.ts',
      title:
        'says that a table is throttled, to its tenant alone, meters nothing for it, and recovers at once',
    },
    edit: {
      file: 'services/query-engine/src/rpc/query-signal.ts',
      from: 'return timedOut && saysMore ? error : reason;',
      to: 'return timedOut ? reason : reason;',
    },
  },
  {
    name: 'throttled reads come back at once to who paces them',
    mode: 'tables of a tenant are throttled',
    test: {
      file: 'services/common/test/dynamodb/tenant-client.test.ts',
      title: 'leaves a throttled call to its caller at once, and repeats none',
    },
    edit: {
      file: 'services/common/src/dynamodb/leave-throttling.ts',
      from: "        if (info.errorType === 'THROTTLING') throw info.error ?? new Error('throttled');\n",
      to: '',
    },
  },
  {
    name: 'role sessions last by their lifetime, not by the time of day',
    mode: 'clocks are off by a minute',
    test: {
      file: 'services/common/test/aws/assumed-role.test.ts',
      title: 'counts lifetimes, not times of day: a clock hours off changes nothing',
    },
    edit: {
      file: 'services/common/src/aws/assume-role.ts',
      from: 'Expiration.getTime() - (clock.now() + sts.config.systemClockOffset)',
      to: 'Expiration.getTime() - clock.now()',
    },
  },
  {
    name: 'tokens of MCP calls outlive a clock that is ahead',
    mode: 'clocks are off by a minute',
    test: {
      file: 'gateway/test/chaos/clocks/clocks.stack.test.ts',
      title: 'goes on with parts whose clocks are a minute behind',
    },
    edit: { file: 'services/common/src/token/claims.ts', from: 'lifetimeS: 180', to: 'lifetimeS: 30' },
  },
  {
    name: 'schedules of a clock that was ahead are set again',
    mode: 'clocks are off by a minute',
    test: {
      file: 'services/common/test/queue/queue.process.test.ts',
      title: 'goes on with a schedule that a process with a clock ahead of ours has left',
    },
    edit: {
      file: 'services/common/src/queue/queue.ts',
      from: 'if ((known?.next ?? 0) > Date.now() + everyMs) await',
      to: 'if (known === null) await',
    },
  },
  {
    name: 'tokens end by the clock of who checks them',
    mode: 'clocks are off by a minute',
    test: {
      file: 'gateway/test/chaos/clocks/clocks.stack.test.ts',
      title: 'refuses a token once its hour is over by the clock of who checks it, and takes it until then',
    },
    edit: {
      file: 'services/common/src/token/verifier.ts',
      from: 'clockTolerance: options.clockSkewS ?? 2,',
      to: 'clockTolerance: options.clockSkewS ?? 300,',
    },
  },
];
