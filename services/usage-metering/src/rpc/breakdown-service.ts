import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type {
  PrincipalUsageSchema,
  UsageBreakdownService,
} from '@penstock/common/gen/penstock/usage/v1/breakdown_pb.js';
import { principalOf } from '@penstock/common/rpc/call-context.ts';
import { requireScope } from '@penstock/common/token/require-scope.ts';
import { clientCounterName } from '@penstock/common/usage/event.ts';
import { zeroCounts } from '../counts.ts';
import type { Summarizer } from '../summary/summarize.ts';
import { toMessage } from './counts-message.ts';

type Summary = Awaited<ReturnType<Summarizer['summarize']>>;

function toUsage({ totals, days }: Summary): MessageInitShape<typeof PrincipalUsageSchema> {
  return { totals: toMessage(totals), lastDay: toMessage(days.at(-1)?.counts ?? zeroCounts) };
}

/** Who of a tenant used what. Names of counters begin with the tenant of the token, whichever IDs are asked for. */
export function breakdownService(summarizer: Summarizer): ServiceImpl<typeof UsageBreakdownService> {
  return {
    async getBreakdown({ startDate, endDate, principalIds }, context) {
      const principal = principalOf(context);
      requireScope(principal, 'usage:read');
      const { tenantId } = principal;
      const names = [tenantId, ...principalIds.map((id) => clientCounterName(tenantId, id))];
      const [tenant, ...principals] = await summarizer.summarizeEach(names, startDate, endDate);
      return {
        ...(tenant === undefined ? {} : { tenant: toUsage(tenant) }),
        principals: principals.map(toUsage),
      };
    },
  };
}
