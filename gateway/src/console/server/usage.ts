import type { CallOptions } from '@connectrpc/connect';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { GatewayClients, UsageCounts } from '../../clients/gateway-clients.ts';
import { answered } from '../../clients/service-call.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { validQueryParameters } from '../../validation/query-parameters.ts';
import { usageParameters, usageRange } from '../../validation/usage-range.ts';
import { PATHS } from '../api/paths.ts';
import type { PrincipalUsage, UsageByPrincipal, UsedByQueries } from '../api/usage.ts';
import { given } from './given.ts';
import { consoleRoute, type ConsoleRoutes } from './route.ts';

/** As many as one call of the breakdown takes. */
const PRINCIPALS_MAX = 1_000;

type Named = Pick<PrincipalUsage, 'kind' | 'id' | 'name'>;

const used = (counts: UsageCounts | undefined): UsedByQueries => ({
  rowsReturned: Number(given(counts).rowsReturned),
  readUnits: Number(given(counts).readHalfUnits) / 2,
});

interface UsageRouteOptions extends ConsoleRoutes {
  readonly tenantAdmin: GatewayClients['tenantAdmin'];
  readonly usageBreakdown: GatewayClients['usageBreakdown'];
  readonly clock: Clock;
}

/** Who of the tenant used what. */
export function usageByPrincipalEndpoints(options: UsageRouteOptions): readonly Endpoint[] {
  const { tenantAdmin, usageBreakdown, clock } = options;

  async function principals(rpc: CallOptions): Promise<readonly Named[]> {
    const found: Named[] = [];
    let next: { nextToken?: string } = {};
    do {
      const page = await answered(tenantAdmin.listTenantClients(next, rpc));
      for (const { client } of page.clients) {
        const { clientId, name } = given(client);
        found.push({ kind: 'client', id: clientId, name });
      }
      next = page.nextToken === undefined ? {} : { nextToken: page.nextToken };
    } while ('nextToken' in next && found.length < PRINCIPALS_MAX);
    next = {};
    do {
      const page = await answered(tenantAdmin.listPeople(next, rpc));
      for (const { user } of page.people) {
        const { userId, email } = given(user);
        found.push({ kind: 'person', id: userId, name: email });
      }
      next = page.nextToken === undefined ? {} : { nextToken: page.nextToken };
    } while ('nextToken' in next && found.length < PRINCIPALS_MAX);
    return found.slice(0, PRINCIPALS_MAX);
  }

  return [
    consoleRoute(
      options,
      'get',
      PATHS.usageByPrincipal,
      async ({ exchange, rpc }) => {
        const range = usageRange(validQueryParameters(exchange, usageParameters), clock.now());
        const named = await principals(rpc);
        const principalIds = named.map(({ id }) => id);
        const found = await answered(usageBreakdown.getBreakdown({ ...range, principalIds }, rpc));
        const all = named.map((each, i) => ({ ...each, ...used(found.principals[i]?.totals) }));
        const tenant = used(found.tenant?.totals);
        const rest = all.reduce(
          (left, { rowsReturned, readUnits }) => ({
            rowsReturned: Math.max(0, left.rowsReturned - rowsReturned),
            readUnits: Math.max(0, left.readUnits - readUnits),
          }),
          tenant,
        );
        return {
          startDate: range.startDate,
          endDate: range.endDate,
          items: all
            .filter(({ rowsReturned, readUnits }) => rowsReturned > 0 || readUnits > 0)
            .sort((a, b) => b.readUnits - a.readUnits),
          others: rest,
        } satisfies UsageByPrincipal;
      },
      { for: 'admins' },
    ),
  ];
}
