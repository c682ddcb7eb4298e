/** Usage is exact, whatever dies. */
import type { HandlingCase } from '../modes.ts';

export const EXACTNESS: readonly HandlingCase[] = [
  {
    name: 'a request is on disk before it is answered',
    mode: 'the gateway is killed',
    test: {
      file: 'gateway/test/chaos/killed.stack.test.ts',
      title: 'has on disk that a request was made before the gateway answers it',
    },
    edit: {
      file: 'gateway/src/routes/query.ts',
      from: 'await Promise.all([planQuery(queries, planned, timed), call.count?.()]);',
      to: 'await Promise.all([planQuery(queries, planned, timed)]);\n      void call.count?.();',
    },
  },
  {
    name: 'what a process had on disk when it died is recorded by the next',
    mode: 'the gateway is killed',
    test: {
      file: 'services/common/test/usage/recorder.process.test.ts',
      title: 'replays files of dead processes at start, without a half-written last line',
    },
    edit: {
      file: 'services/common/src/usage/replay.ts',
      from: '} else if (name.endsWith(openSuffix) &&',
      to: '} else if (name === openSuffix &&',
    },
  },
  {
    name: 'a file that another took over is not written to any more',
    mode: 'the gateway is killed',
    test: {
      file: 'services/common/test/usage/recorder.process.test.ts',
      title: 'loses nothing when another process takes over a segment that is still being written',
    },
    edit: {
      file: 'services/common/src/usage/spool.ts',
      from: 'return found?.ino === inode;',
      to: 'return found?.ino !== null || inode > 0;',
    },
  },
  {
    name: 'what an engine read is on disk before it answers',
    mode: 'an engine is killed',
    test: {
      file: 'gateway/test/chaos/killed.stack.test.ts',
      title: 'has on disk what an engine read before it answers',
    },
    edit: {
      file: 'services/query-engine/src/rpc/query-service.ts',
      from: '      await record(rowCount);',
      to: '      void record(rowCount);',
    },
  },
  {
    name: 'what an unfinished query had read is recorded by the next engine',
    mode: 'an engine is killed',
    test: {
      file: 'gateway/test/chaos/killed-reading.stack.test.ts',
      title: 'has on disk what every page cost that had come',
    },
    edit: {
      file: 'services/query-engine/src/host/read-journal/recover-reads.ts',
      from: 'if (readHalfUnits === 0) continue;',
      to: 'if (readHalfUnits >= 0) continue;',
    },
  },
  {
    name: 'a statement whose engine died runs on another',
    mode: 'an engine is killed',
    test: {
      file: 'gateway/test/chaos/degraded.stack.test.ts',
      title: 'runs a statement again when its engine is killed on the way, and meters the answer once',
    },
    edit: {
      file: 'gateway/src/clients/lost-call.ts',
      from: 'error.code === Code.Unavailable && !hasErrorDetail(error)',
      to: 'error.code === Code.Aborted && !hasErrorDetail(error)',
    },
  },
  {
    name: 'rows of an answer that did not come are taken back',
    mode: 'an engine is killed',
    test: {
      file: 'gateway/test/clients/run-query.test.ts',
      title: 'takes back the rows of every run whose answer did not come, before it says so',
    },
    edit: {
      file: 'gateway/src/clients/run-query.ts',
      from: 'await call.usage.takeBackRows(call.tenantId, call.usageId);',
      to: 'void 0;',
    },
  },
  {
    name: 'calls of a service that is gone are said to be so',
    mode: 'the usage-metering service is killed',
    test: {
      file: 'gateway/test/e2e/unavailable.stack.test.ts',
      title: 'comes back by itself when a process is killed, and says UNAVAILABLE meanwhile',
    },
    edit: {
      file: 'services/common/src/rpc/error-mapping.ts',
      from: 'case Code.Unavailable:\n      return make(',
      to: 'case Code.DataLoss:\n      return make(',
    },
  },
  {
    name: 'a counter knows up to where it has counted',
    mode: 'a worker is killed',
    test: {
      file: 'services/usage-metering/test/aggregation/drain.process.test.ts',
      title: 'counts once when it is killed between counting and removing, also with new entries after that',
    },
    edit: {
      file: 'services/usage-metering/src/aggregation/apply.ts',
      from: 'const left = entries.filter(({ id }) => isLater(id, previous));',
      to: 'const left = entries;',
    },
  },
  {
    name: 'one worker goes on with what another left',
    mode: 'a worker is killed',
    test: {
      file: 'services/usage-metering/test/worker.process.test.ts',
      title: 'counts once what a worker had counted when it died, and Redis with it, before it was removed',
    },
    edit: {
      file: 'services/usage-metering/src/aggregation/apply.ts',
      from: 'const left = entries.filter(({ id }) => isLater(id, previous));',
      to: 'const left = entries;',
    },
  },
  {
    name: 'of two workers at a counter, one counts',
    mode: 'a worker is killed',
    test: {
      file: 'services/usage-metering/test/aggregation/drain.process.test.ts',
      title: 'counts once with several drainers at once, while usage is being recorded',
    },
    edit: {
      file: 'services/usage-metering/src/store/counters.ts',
      from: "previous === null ? 'attribute_not_exists(#appliedTo)' : '#appliedTo = :previous',",
      to: "previous === null ? 'attribute_not_exists(nothing)' : '#appliedTo = :previous OR #appliedTo <> :previous',",
    },
  },
  {
    name: 'usage on disk goes to Redis when it is back',
    mode: 'Redis restarts',
    test: {
      file: 'services/common/test/usage/recorder.process.test.ts',
      title: 'spools while Redis is dead and replays when it is back',
    },
    edit: {
      file: 'services/common/src/usage/recorder.ts',
      from: 'setInterval(() => void replay(false), REPLAY_INTERVAL_MS)',
      to: 'setInterval(() => undefined, REPLAY_INTERVAL_MS)',
    },
  },
  {
    name: 'a write whose answer was lost counts once',
    mode: 'Redis restarts',
    test: {
      file: 'services/common/test/usage/recorder.process.test.ts',
      title:
        'waits about 200 ms for a frozen Redis, not again right after, and counts an ambiguous write once',
    },
    edit: {
      file: 'services/common/src/usage/stream.ts',
      from: "if redis.call('EXISTS', mark) == 0 then",
      to: 'if true then',
    },
  },
  {
    name: 'connections are made again',
    mode: 'Redis restarts',
    test: {
      file: 'services/common/test/redis/connect.process.test.ts',
      title: 'answers commands; fails at once while Redis is dead; recovers; says so once',
    },
    edit: {
      file: 'services/common/src/redis/connect.ts',
      from: 'retryStrategy: (attempt) => Math.min(attempt * RECONNECT_DELAY_MS.step, RECONNECT_DELAY_MS.max),',
      to: 'retryStrategy: () => null,',
    },
  },
  {
    name: 'a Redis that forgot a script is told it again',
    mode: 'Redis restarts',
    test: {
      file: 'gateway/test/limiting/buckets.process.test.ts',
      title: 'are shared by all gateways, exact under load, and refilled at the rate',
    },
    edit: {
      file: 'services/common/src/redis/script.ts',
      from: "if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;",
      to: 'if (error !== null) throw error;',
    },
  },
  {
    name: 'Redis has each write on disk',
    mode: 'Redis restarts',
    test: {
      file: 'deploy/local/test/stack/redis.process.test.ts',
      title: 'is found or unpacked, keeps every write over a restart, and ends when closed',
    },
    edit: {
      file: 'deploy/local/src/stack/redis.ts',
      from: "['--appendonly', 'yes'],",
      to: "['--appendonly', 'no'],",
    },
  },
  {
    name: 'a tenant that cannot be counted holds up no other',
    mode: 'DynamoDB throttles the control plane',
    test: {
      file: 'services/usage-metering/test/aggregation/drain.process.test.ts',
      title: 'goes on when one tenant cannot be counted, and counts that one exactly later, in order',
    },
    edit: {
      file: 'services/usage-metering/src/aggregation/drain.ts',
      from: '        failed.add(groupName(group));\n',
      to: '        throw error;\n',
    },
  },
  {
    name: 'a tenant that could not be counted is left for the next time',
    mode: 'DynamoDB throttles the control plane',
    test: {
      file: 'services/usage-metering/test/aggregation/drain.process.test.ts',
      title: 'adds no later entries of a tenant whose earlier ones failed in the same drain',
    },
    edit: {
      file: 'services/usage-metering/src/aggregation/drain.ts',
      from: 'if (!failed.has(groupName(group))) return await applyGroup(counters, group);',
      to: 'return await applyGroup(counters, group);',
    },
  },
  {
    name: 'a summary that cannot be read says so',
    mode: 'DynamoDB throttles the control plane',
    test: {
      file: 'gateway/test/chaos/degraded.stack.test.ts',
      title: 'queries what it has just seen, and says UNAVAILABLE elsewhere, while the control plane has',
    },
    edit: {
      file: 'services/usage-metering/src/store/counters.ts',
      from: 'if (error instanceof Error && ourFault.has(error.name)) return error;',
      to: 'if (error instanceof Error) return error;',
    },
  },
  {
    name: 'known tables serve while they cannot be looked up',
    mode: 'DynamoDB throttles the control plane',
    test: {
      file: 'services/query-engine/test/clients/catalog.test.ts',
      title:
        'serves a table that it holds for as long, while the registry cannot say how it is, and checks it after that',
    },
    edit: {
      file: 'services/query-engine/src/clients/checked-tables.ts',
      from: 'isAway(answer.error) && entry !== undefined',
      to: 'isAway(answer.error) && entry === null',
    },
  },
];
