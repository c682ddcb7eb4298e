import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect';
import { UsageBreakdownService } from '@penstock/common/gen/penstock/usage/v1/breakdown_pb.js';
import { UsageService } from '@penstock/common/gen/penstock/usage/v1/usage_pb.js';
import type { ConsumedSchema } from '@penstock/common/gen/penstock/usage/v1/usage_pb.js';
import { principalOf } from '@penstock/common/rpc/call-context.ts';
import { clientCounterName } from '@penstock/common/usage/event.ts';
import { requireScope } from '@penstock/common/token/require-scope.ts';
import { breakdownService } from './breakdown-service.ts';
import { toMessage } from './counts-message.ts';
import type { Summarizer } from '../summary/summarize.ts';

/** What is counted under a name on a day, and in its month up to it. */
async function consumed(
  summarizer: Summarizer,
  name: string,
  day: string,
): Promise<MessageInitShape<typeof ConsumedSchema>> {
  const { totals, days } = await summarizer.summarize(name, `${day.slice(0, 7)}-01`, day);
  return {
    dayHalfUnits: BigInt(days.at(-1)?.counts.readHalfUnits ?? 0),
    monthHalfUnits: BigInt(totals.readHalfUnits),
  };
}

function usageService(summarizer: Summarizer): ServiceImpl<typeof UsageService> {
  return {
    async getSummary({ startDate, endDate }, context) {
      const principal = principalOf(context);
      requireScope(principal, 'usage:read');
      const { totals, days } = await summarizer.summarize(principal.tenantId, startDate, endDate);
      return {
        tenantId: principal.tenantId,
        totals: toMessage(totals),
        days: days.map(({ day, counts }) => ({ day, counts: toMessage(counts) })),
      };
    },

    async getConsumed({ day }, context) {
      const { tenantId, principalId, principalType } = principalOf(context);
      const [tenant, client] = await Promise.all([
        consumed(summarizer, tenantId, day),
        principalType === 'client'
          ? consumed(summarizer, clientCounterName(tenantId, principalId), day)
          : undefined,
      ]);
      return { tenant, ...(client === undefined ? {} : { client }) };
    },
  };
}

/** Registers what the usage service serves. */
export function usageRoutes(summarizer: Summarizer): (router: ConnectRouter) => void {
  return (router) => {
    router.service(UsageService, usageService(summarizer));
    router.service(UsageBreakdownService, breakdownService(summarizer));
  };
}
