import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Health, HealthCheckResponse_ServingStatus as Status } from '../gen/grpc/health/v1/health_pb.js';

const WATCH_INTERVAL_MS = 500;

/** grpc.health.v1. The process as a whole is healthy or not, and each of its services answers the same. */
export function healthService(
  isReady: () => boolean,
  knows: (service: string) => boolean,
): ServiceImpl<typeof Health> {
  const statusNow = (): Status => (isReady() ? Status.SERVING : Status.NOT_SERVING);
  return {
    check({ service }) {
      if (service !== '' && !knows(service))
        throw new ConnectError(`no service ${service} here`, Code.NotFound);
      return { status: statusNow() };
    },
    async *watch({ service }, { signal }) {
      const known = service === '' || knows(service);
      let sent: Status | null = null;
      while (!signal.aborted) {
        const status = known ? statusNow() : Status.SERVICE_UNKNOWN;
        if (status !== sent) yield { status };
        sent = status;
        await sleep(WATCH_INTERVAL_MS, undefined, { signal, ref: false });
      }
    },
  };
}
