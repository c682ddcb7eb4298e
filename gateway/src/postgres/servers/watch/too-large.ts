/** Which processes are to end so that memory is enough for all. */
import type { ProcessSample, ServerSample } from './sample.ts';

export interface MemoryLimits {
  readonly SERVER_BYTES_MAX: number;
  readonly ALL_SERVERS_BYTES_MAX: number;
}

export interface Victim {
  readonly server: ServerSample;
  readonly pid: number;
}

const largest = (children: readonly ProcessSample[]): ProcessSample | undefined =>
  children.toSorted((a, b) => b.own - a.own)[0];

const victimOf = (server: ServerSample): readonly Victim[] => {
  const child = largest(server.children);
  return child === undefined ? [] : [{ server, pid: child.pid }];
};

/** The tenant whose servers take most, and of its servers the largest. */
function largestServer(samples: readonly ServerSample[]): ServerSample | undefined {
  const tenants = [...Map.groupBy(samples, ({ tenantId }) => tenantId).values()];
  const total = (own: readonly ServerSample[]): number => own.reduce((sum, { bytes }) => sum + bytes, 0);
  const [most] = tenants.toSorted((a, b) => total(b) - total(a));
  return most?.toSorted((a, b) => b.bytes - a.bytes)[0];
}

/** Of a server that is too large, its largest session; of all together, the largest of the tenant that takes most. */
export function tooLarge(samples: readonly ServerSample[], limits: MemoryLimits): readonly Victim[] {
  const own = samples.filter(({ bytes }) => bytes > limits.SERVER_BYTES_MAX).flatMap(victimOf);
  const all = samples.reduce((sum, { bytes }) => sum + bytes, 0);
  const most = own.length > 0 || all <= limits.ALL_SERVERS_BYTES_MAX ? undefined : largestServer(samples);
  return most === undefined ? own : victimOf(most);
}
