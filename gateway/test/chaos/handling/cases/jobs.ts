/** Jobs are tried again, done once, and kept where they fail for good. */
import type { HandlingCase } from '../modes.ts';

export const JOBS: readonly HandlingCase[] = [
  {
    name: 'a job that failed is tried again',
    mode: 'a job fails',
    test: {
      file: 'services/common/test/queue/queue.process.test.ts',
      title: 'tries a job again when it fails',
    },
    edit: {
      file: 'services/common/src/queue/queue.ts',
      from: '  attempts: JOB_ATTEMPTS_MAX,\n',
      to: '  attempts: 1,\n',
    },
  },
  {
    name: 'a job that can never succeed is not',
    mode: 'a job fails',
    test: {
      file: 'services/common/test/queue/queue.process.test.ts',
      title: 'does not repeat a job that failed by its own fault',
    },
    edit: {
      file: 'services/common/src/queue/worker.ts',
      from: 'throw isFinal(error) ? new UnrecoverableError(String(error)) : error;',
      to: 'throw error;',
    },
  },
  {
    name: 'another worker takes the job of one that died',
    mode: 'a worker is killed',
    test: {
      file: 'services/common/test/queue/queue.process.test.ts',
      title: 'gives a job to another worker when the process of the first is killed',
    },
    edit: {
      file: 'services/common/src/queue/worker.ts',
      from: 'stalledInterval: lockMs',
      to: 'stalledInterval: 600_000',
    },
  },
  {
    name: 'schedules are set again in a Redis that lost them',
    mode: 'Redis restarts',
    test: {
      file: 'services/common/test/queue/queue.process.test.ts',
      title: 'goes on with a schedule when Redis comes back without its data',
    },
    edit: {
      file: 'services/common/src/queue/queue.ts',
      from: 'for (const schedule of schedules.values()) {',
      to: 'for (const schedule of []) {',
    },
  },
  {
    name: 'a job that waits is not added again',
    mode: 'a job comes twice',
    test: {
      file: 'services/common/test/queue/queue.process.test.ts',
      title: 'adds a job once while one with its key waits or runs',
    },
    edit: {
      file: 'services/common/src/queue/queue.ts',
      from: '{ deduplication: { id: options.dedupeKey } }',
      to: '{}',
    },
  },
  {
    name: 'counting twice counts once',
    mode: 'a job comes twice',
    test: {
      file: 'services/usage-metering/test/aggregation/drain.process.test.ts',
      title: 'counts once when an update takes effect but its answer is lost',
    },
    edit: {
      file: 'services/usage-metering/src/aggregation/apply.ts',
      from: 'const left = entries.filter(({ id }) => isLater(id, previous));',
      to: 'const left = entries;',
    },
  },
  {
    name: 'a job that ran out of attempts is kept',
    mode: 'a job is given up',
    test: {
      file: 'services/common/test/queue/queue.process.test.ts',
      title: 'keeps a job that ran out of attempts in the list of failed ones',
    },
    edit: {
      file: 'services/common/src/queue/queue.ts',
      from: 'removeOnFail: KEEP_FAILED,',
      to: 'removeOnFail: true,',
    },
  },
  {
    name: 'usage that cannot be counted is kept',
    mode: 'a job is given up',
    test: {
      file: 'services/usage-metering/test/aggregation/drain.process.test.ts',
      title: 'moves what cannot be counted to the dead letters once and counts the rest',
    },
    edit: {
      file: 'services/usage-metering/src/aggregation/drain.ts',
      from: 'for (const entry of deadLetters) await moveToDeadLetters(redis, entry);',
      to: '',
    },
  },
  {
    name: 'a job that was given up can be run again',
    mode: 'a job is given up',
    test: {
      file: 'services/auth/test/admin/dead-letters.process.test.ts',
      title: 'runs one again, and it is done once its cause is mended',
    },
    edit: {
      file: 'services/common/src/queue/failed-jobs.ts',
      from: "      await job?.retry('failed', { resetAttemptsMade: true });\n",
      to: '',
    },
  },
];
