import type { HandlingCase } from '../modes.ts';

/** What keeps usage exact where neither Redis nor the disk takes it, and where Redis comes back without it. */
export const UNRECORDED: readonly HandlingCase[] = [
  {
    name: 'no answer goes out that nobody counts',
    mode: 'Redis is away',
    test: {
      file: 'services/query-engine/test/rpc/query-service.test.ts',
      title: 'fails a query whose usage nobody takes, without a trailer, and takes its rows back',
    },
    edit: {
      file: 'services/query-engine/src/rpc/query-usage.ts',
      from: '        throw error;\n      }\n    }\n\n    return { units, countsRequest, record,',
      to: '      }\n    }\n\n    return { units, countsRequest, record,',
    },
  },
  {
    name: 'nobody is let in whom nobody can count',
    mode: 'Redis is away',
    test: {
      file: 'gateway/test/routes/query.process.test.ts',
      title: 'asks no engine while usage cannot be recorded',
    },
    edit: { file: 'gateway/src/routes/query.ts', from: '    usage.ensureAble();\n', to: '' },
  },
  {
    name: 'what nobody took is kept',
    mode: 'Redis is away',
    test: {
      file: 'services/common/test/usage/unable.process.test.ts',
      title: 'is refused at once, refuses what comes after, and is counted once when Redis is back',
    },
    edit: {
      file: 'services/common/src/usage/recorder.ts',
      from: '      for (const event of events) owed.add(event);\n',
      to: '',
    },
  },
  {
    name: 'a stream that was lost begins a new epoch',
    mode: 'Redis restarts',
    test: {
      file: 'services/usage-metering/test/aggregation/epoch.process.test.ts',
      title: 'counts what comes after an emptied Redis, with lower IDs',
    },
    edit: {
      file: 'services/usage-metering/src/stream/entries.ts',
      from: 'epoch = fields[i + 1] ?? noEpoch;',
      to: 'epoch = noEpoch;',
    },
  },
  {
    name: 'a stream whose end was lost begins a new epoch',
    mode: 'Redis restarts',
    test: {
      file: 'services/usage-metering/test/aggregation/epoch.process.test.ts',
      title: 'counts what comes after a restart that lost the end of the stream',
    },
    edit: {
      file: 'services/common/src/usage/epoch.ts',
      from: 'if known[1] == run then return known[2] end',
      to: 'if known[1] then return known[2] end',
    },
  },
];
