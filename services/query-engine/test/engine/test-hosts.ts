/**
 * Hosts that tests share: each test is a tenant there, with an account of its own. Two hosts, of a worker each, serve all
 * engine tests of a process; the one that scans is started by the first test that wants it.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { atRunEnd } from '../../../common/test/support/run-end.ts';
import type { TableFindings } from '../../src/clients/catalog-client.ts';
import type { TableSource } from '../../src/clients/checked-tables.ts';
import type { HostTable } from '../../src/clients/host-tables.ts';
import type { Death } from '../../src/host/processes/worker-types.ts';
import { startTestHost, type TestHost } from '../host/test-host.ts';

/** What hosts ask a test, and tell it until it leaves. */
export interface HostTenant {
  readonly accountId: string;
  readonly resolve: TableSource<HostTable>['resolve'];
  /** What its own queries found. */
  readonly onReport: (found: TableFindings) => void;
  /** Whosever statement it was: tests of a process come one after the other. */
  readonly onDisagreement: (outcome: string) => void;
  /** Whosever worker it was. */
  readonly onDeath: (death: Death) => void;
}

export interface TestHosts {
  /** Makes a test a tenant, and gives its ID. */
  enter(tenant: HostTenant): string;
  leave(tenantId: string): void;
  /** The host that reads as the planner says, and the one that reads every table whole. */
  readonly pushdown: () => Promise<TestHost>;
  readonly scanning: () => Promise<TestHost>;
  close(): Promise<void>;
}

/** All tenants of a process have different IDs, since what is told late is told by ID. */
let entered = 0;

export function createTestHosts(endpoint: string): TestHosts {
  const tenants = new Map<string, HostTenant>();
  const find = (tenantId: string): HostTenant => {
    const found = tenants.get(tenantId);
    if (found === undefined) throw new PenstockError('INTERNAL', `the test of ${tenantId} is over`);
    return found;
  };
  const started = new Map<boolean, Promise<TestHost>>();
  const start = (pushdown: boolean): Promise<TestHost> => {
    const known = started.get(pushdown);
    if (known !== undefined) return known;
    const starting = startTestHost({
      endpoint,
      pushdown,
      accountOf: (tenantId) => find(tenantId).accountId,
      resolve: async (call, references, maySample) =>
        find(call.tenantId).resolve(call, references, maySample),
      report: ({ tenantId }, found) => tenants.get(tenantId)?.onReport(found),
      onDisagreement(outcome) {
        for (const tenant of tenants.values()) tenant.onDisagreement(outcome);
      },
      onDeath(death) {
        for (const tenant of tenants.values()) tenant.onDeath(death);
      },
    });
    started.set(pushdown, starting);
    return starting;
  };
  return {
    enter(tenant) {
      const tenantId = `tenant-${++entered}`;
      tenants.set(tenantId, tenant);
      return tenantId;
    },
    leave: (tenantId) => void tenants.delete(tenantId),
    pushdown: () => start(true),
    scanning: () => start(false),
    async close() {
      for (const host of started.values()) await (await host).close();
    },
  };
}

let shared: TestHosts | null = null;

/** Of the process; closed when its last test is over. */
export function sharedTestHosts(endpoint: string): TestHosts {
  if (shared !== null) return shared;
  const hosts = createTestHosts(endpoint);
  atRunEnd(() => hosts.close());
  shared = hosts;
  return hosts;
}
