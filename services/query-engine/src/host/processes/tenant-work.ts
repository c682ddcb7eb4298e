/** For whom a worker has worked lately, where that took long: so that others can keep out of the way. */
import type { WorkSeen } from '../../pipe/work-record.ts';
import { LOOK_MS, SLOW_QUERY_MS, TENANT_WORK_FADES_MS } from '../limits.ts';
import type { Run } from './run.ts';

/** Work below this is forgotten, milliseconds. */
const FORGOTTEN_MS = 1;

export interface TenantWork {
  /** So much more was worked for a tenant, milliseconds. */
  add(tenantId: string, ms: number): void;
  /** What was worked for a tenant lately, milliseconds: one that it works for all the time has TENANT_WORK_FADES_MS. */
  of(tenantId: string): number;
  /** The most that was worked lately for any other tenant. */
  ofOthers(tenantId: string): number;
  /** All of it, to go on with elsewhere. */
  entries(): Iterable<readonly [tenantId: string, ms: number]>;
}

export function createTenantWork(now: () => number = () => performance.now()): TenantWork {
  const works = new Map<string, number>();
  let fadedAt = now();
  const fade = (): void => {
    const at = now();
    const part = Math.exp((fadedAt - at) / TENANT_WORK_FADES_MS);
    fadedAt = at;
    for (const [tenantId, ms] of works)
      if (ms * part < FORGOTTEN_MS) works.delete(tenantId);
      else works.set(tenantId, ms * part);
  };
  return {
    add(tenantId, ms) {
      fade();
      works.set(tenantId, (works.get(tenantId) ?? 0) + ms);
    },
    of(tenantId) {
      if (works.size === 0) return 0;
      fade();
      return works.get(tenantId) ?? 0;
    },
    ofOthers(tenantId) {
      if (works.size === 0) return 0;
      fade();
      let most = 0;
      for (const [other, ms] of works) if (other !== tenantId && ms > most) most = ms;
      return most;
    },
    entries() {
      fade();
      return works;
    },
  };
}

/**
 * To be called every LOOK_MS with what the worker works on, and with what its thread has worked so far (null where that is not
 * known): counts what was worked since the last look, by thread and DuckDB, for the tenants whose queries are slow.
 */
export type CountWork = (
  seen: Pick<WorkSeen, 'holder' | 'computing'>,
  workedMs: number | null,
  runOf: (query: number) => Pick<Run, 'tenantId' | 'startedAt'> | undefined,
) => void;

export function createWorkCount(
  work: Pick<TenantWork, 'add'>,
  now: () => number = () => performance.now(),
): CountWork {
  let lastWorkedMs: number | null = null;
  return ({ holder, computing }, workedMs, runOf) => {
    const heldMs = workedMs === null || lastWorkedMs === null ? LOOK_MS : workedMs - lastWorkedMs;
    lastWorkedMs = workedMs;
    const slowSince = now() - SLOW_QUERY_MS;
    const count = (query: number, ms: number): void => {
      const run = runOf(query);
      if (run !== undefined && run.startedAt < slowSince) work.add(run.tenantId, ms);
    };
    count(holder, heldMs);
    for (const query of computing) count(query, LOOK_MS);
  };
}
