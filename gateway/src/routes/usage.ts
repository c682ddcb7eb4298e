import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { GatewayClients, UsageCounts } from '../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../clients/service-call.ts';
import { sendData } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Admission } from '../middleware/admission.ts';
import { validQueryParameters } from '../validation/query-parameters.ts';
import { usageParameters, usageRange } from '../validation/usage-range.ts';

/** Half units are exact. Each number shown is rounded up once, to whole units. */
function shown(counts: UsageCounts | undefined): Record<string, number> {
  if (counts === undefined) {
    throw new PenstockError('INTERNAL', 'Internal error', {
      cause: new Error('usage was answered without counts'),
    });
  }
  return {
    requests: Number(counts.requests),
    rowsReturned: Number(counts.rowsReturned),
    ddbReadUnits: Number((counts.readHalfUnits + 1n) / 2n),
  };
}

interface UsageRouteOptions {
  readonly admission: Admission;
  readonly usage: GatewayClients['usage'];
  readonly clock: Clock;
}

export function usageEndpoints({ admission, usage, clock }: UsageRouteOptions): readonly Endpoint[] {
  const handle = async (exchange: Exchange): Promise<void> => {
    const { token } = await admission.admit(exchange, 'usage:read');
    const range = usageRange(validQueryParameters(exchange, usageParameters), clock.now());
    const summary = await answered(usage.getSummary(range, onBehalfOf(exchange, token)));
    sendData(exchange.response, 200, {
      tenantId: summary.tenantId,
      ...range,
      totals: shown(summary.totals),
      days: summary.days.map(({ day, counts }) => ({ day, ...shown(counts) })),
    });
  };
  return [{ method: 'get', path: '/v1/usage/summary', handle }];
}
