/** More work than there is room for. */
import type { HandlingCase } from '../modes.ts';

export const OVERLOAD: readonly HandlingCase[] = [
  {
    name: 'the queue has an end',
    mode: 'more is asked than can be done',
    test: {
      file: 'services/query-engine/test/scheduling/fair-queue.test.ts',
      title: 'refuses those that too many wait before, and says when to try again',
    },
    edit: {
      file: 'services/query-engine/src/scheduling/fair-queue.ts',
      from: 'if (waiting < bounds.waiting) return;',
      to: 'return;',
    },
  },
  {
    name: 'a process has queues with an end',
    mode: 'more is asked than can be done',
    test: {
      file: 'gateway/test/chaos/overload.stack.test.ts',
      title: 'refuses what is beyond its queues at once',
    },
    edit: {
      file: 'services/query-engine/src/limits.ts',
      from: 'export const WAITING_QUERIES = 128;',
      to: 'export const WAITING_QUERIES = 100_000;',
    },
  },
  {
    name: 'whoever filled the queue makes room',
    mode: 'one tenant asks for more than its share',
    test: {
      file: 'services/query-engine/test/scheduling/fair-queue.test.ts',
      title: 'refuses whoever filled the queue, not the tenant that comes last',
    },
    edit: {
      file: 'services/query-engine/src/scheduling/fair-queue.ts',
      from: '    for (const tenant of tenants.values()) if (tenant.waiters.size > most.waiters.size) most = tenant;\n',
      to: '',
    },
  },
  {
    name: 'a tenant has a share of the places',
    mode: 'one tenant asks for more than its share',
    test: {
      file: 'services/query-engine/test/scheduling/fair-queue.test.ts',
      title: 'keeps places that a single tenant cannot have, for whoever comes next',
    },
    edit: {
      file: 'services/query-engine/src/scheduling/fair-queue.ts',
      from: 'taken < bounds.places && own < bounds.perTenant',
      to: 'taken < bounds.places && own < bounds.places',
    },
  },
  {
    name: 'a tenant has a share of a process',
    mode: 'one tenant asks for more than its share',
    test: { file: 'gateway/test/chaos/overload.stack.test.ts', title: 'answers one tenant while another' },
    edit: {
      file: 'services/query-engine/src/limits.ts',
      from: 'export const TENANT_SHARE_PERCENT = 75;',
      to: 'export const TENANT_SHARE_PERCENT = 100;',
    },
  },
  {
    name: 'scans work in slices',
    mode: 'one tenant scans while another reads by key',
    test: {
      file: 'services/query-engine/test/engine/fairness.engine.test.ts',
      title: 'lets a key read wait for a slice of the scans of another tenant, not for their pages',
    },
    edit: {
      file: 'services/query-engine/src/execution/thread-share.ts',
      from: "runSliced: (work) => (place.workloadClass === 'short' ? runInOneGo(work) : slices.run(tenantId, work)),",
      to: 'runSliced: runInOneGo,',
    },
  },
  {
    name: 'scans have a workload class of their own',
    mode: 'one tenant scans while another reads by key',
    test: {
      file: 'services/query-engine/test/scheduling/admission.test.ts',
      title: 'lets a short query in while long ones fill their class',
    },
    edit: {
      file: 'services/query-engine/src/scheduling/admission.ts',
      from: '() => queues.long.enter(tenantId, signal)',
      to: '() => queues.short.enter(tenantId, signal)',
    },
  },
  {
    name: 'a query that reads more than was thought becomes a scan',
    mode: 'one tenant scans while another reads by key',
    test: {
      file: 'services/query-engine/test/execution/thread-share.test.ts',
      title: 'make a query long once it has read more than a short one may',
    },
    edit: {
      file: 'services/query-engine/src/execution/thread-share.ts',
      from: "if (place.workloadClass === 'short' && readsTooMuch(meter.halfUnits)) await place.promote();",
      to: '',
    },
  },
  {
    name: 'scans leave threads to check tokens with',
    mode: 'one tenant scans while another reads by key',
    test: {
      file: 'services/query-engine/test/execution/thread-share.test.ts',
      title: 'leave threads for checking tokens however many long statements run',
    },
    edit: {
      file: 'services/query-engine/src/execution/thread-share.ts',
      from: 'enterBoth(longStatements, statements, tenantId, signal)',
      to: 'Promise.resolve(nothing)',
    },
  },
];
