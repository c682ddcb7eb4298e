import { z } from 'zod';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { NamedBudget } from '../../clients/console-messages.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import { answered } from '../../clients/service-call.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { pathParameter } from '../../http/path-parameter.ts';
import { BUDGET_UNITS_MAX } from '../../limits.ts';
import type { Budget, BudgetAmounts, BudgetList, Used } from '../api/budgets.ts';
import { PATHS } from '../api/paths.ts';
import type { Deleted } from '../api/session.ts';
import { bodyOf } from './body.ts';
import { given } from './given.ts';
import { consoleRoute, type ConsoleCall, type ConsoleRoutes } from './route.ts';

const units = z.number().min(0).max(BUDGET_UNITS_MAX).nullable();
const amounts = z
  .strictObject({ unitsPerDay: units, unitsPerMonth: units })
  .refine(({ unitsPerDay, unitsPerMonth }) => unitsPerDay !== null || unitsPerMonth !== null, {
    error: 'must have read units a day or a month',
  });

const sent = ({ unitsPerDay, unitsPerMonth }: z.output<typeof amounts>) => ({
  ...(unitsPerDay === null ? {} : { unitsPerDay }),
  ...(unitsPerMonth === null ? {} : { unitsPerMonth }),
});

const amountsOf = (set: NamedBudget['budget']): BudgetAmounts => ({
  unitsPerDay: set?.unitsPerDay ?? null,
  unitsPerMonth: set?.unitsPerMonth ?? null,
});
const clientOf = ({ budget, operatorBudget }: NamedBudget): string | undefined =>
  given(budget ?? operatorBudget).clientId;

function shown(named: NamedBudget, used: Used): Budget {
  const { budget, operatorBudget, clientName = null } = named;
  const byOperator = operatorBudget === undefined ? null : amountsOf(operatorBudget);
  return { clientId: clientOf(named) ?? null, clientName, ...amountsOf(budget), byOperator, used };
}

interface BudgetRouteOptions extends ConsoleRoutes {
  readonly tenantAdmin: GatewayClients['tenantAdmin'];
  readonly usageBreakdown: GatewayClients['usageBreakdown'];
  readonly clock: Clock;
}

/** What the tenant and its clients may read a day and a month, and what they have. */
export function budgetEndpoints(options: BudgetRouteOptions): readonly Endpoint[] {
  const { tenantAdmin, usageBreakdown, clock } = options;

  /** Of the tenant, and of each client, from the first of the month until today (UTC). */
  async function usedBy(
    clientIds: readonly string[],
    { rpc }: ConsoleCall,
  ): Promise<{
    readonly tenant: Used;
    readonly clients: readonly Used[];
  }> {
    const endDate = new Date(clock.now()).toISOString().slice(0, 10);
    const range = { startDate: `${endDate.slice(0, 7)}-01`, endDate, principalIds: [...clientIds] };
    const { tenant, principals } = await answered(usageBreakdown.getBreakdown(range, rpc));
    const usedOf = ({ totals, lastDay }: (typeof principals)[number]): Used => ({
      today: Number(given(lastDay).readHalfUnits) / 2,
      thisMonth: Number(given(totals).readHalfUnits) / 2,
    });
    return { tenant: usedOf(given(tenant)), clients: principals.map(usedOf) };
  }

  const put = async (call: ConsoleCall, clientId: string | null): Promise<Budget> => {
    const given = sent(await bodyOf(call.exchange, amounts));
    const asked = { ...given, ...(clientId === null ? {} : { clientId }) };
    const { budget } = await answered(tenantAdmin.setTenantBudget(asked, call.rpc));
    if (budget === undefined) throw new Error('auth set no budget');
    const used = await usedBy(clientId === null ? [] : [clientId], call);
    return shown(budget, used.clients[0] ?? used.tenant);
  };

  const remove = async ({ rpc }: ConsoleCall, clientId: string | null): Promise<Deleted> => {
    await answered(tenantAdmin.setTenantBudget(clientId === null ? {} : { clientId }, rpc));
    return { deleted: true };
  };

  const admins = { for: 'admins' } as const;
  const own = `${PATHS.budgets}/tenant`;
  const ofClient = `${PATHS.budgets}/clients/:clientId`;
  const clientIn = ({ exchange }: ConsoleCall): string => pathParameter(exchange, 'clientId');
  return [
    consoleRoute(
      options,
      'get',
      PATHS.budgets,
      async (call) => {
        const { budgets } = await answered(tenantAdmin.listTenantBudgets({}, call.rpc));
        const clientIds = budgets.flatMap((budget) => clientOf(budget) ?? []);
        const used = await usedBy(clientIds, call);
        const nothing: Used = { today: 0, thisMonth: 0 };
        const usedOf = (clientId: string | undefined): Used =>
          clientId === undefined ? used.tenant : (used.clients[clientIds.indexOf(clientId)] ?? nothing);
        return {
          items: budgets.map((budget) => shown(budget, usedOf(clientOf(budget)))),
          used: used.tenant,
        } satisfies BudgetList;
      },
      admins,
    ),
    consoleRoute(options, 'put', own, (call) => put(call, null), admins),
    consoleRoute(options, 'delete', own, (call) => remove(call, null), admins),
    consoleRoute(options, 'put', ofClient, (call) => put(call, clientIn(call)), admins),
    consoleRoute(options, 'delete', ofClient, (call) => remove(call, clientIn(call)), admins),
  ];
}
