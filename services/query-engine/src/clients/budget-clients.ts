/** Budgets from auth, and what was used of them from usage metering. */
import { TokenService } from '@penstock/common/gen/penstock/auth/v1/token_pb.js';
import { UsageService } from '@penstock/common/gen/penstock/usage/v1/usage_pb.js';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { callOptions, createRpcClient } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { BUDGET_RPC_MS_MAX } from '../limits.ts';

/** A budget as auth has it. */
interface BudgetRecord {
  readonly tenantId: string;
  readonly clientId: string | null;
  readonly unitsPerDay: number | null;
  readonly unitsPerMonth: number | null;
}

export interface BudgetClients {
  /** All budgets and their version; null: they are still those of the known one. */
  readonly fetch: (
    knownVersion: string,
  ) => Promise<{ readonly version: string; readonly budgets: readonly BudgetRecord[] } | null>;
  /** Half units that the caller's tenant, or the caller, has consumed on the day or in its month. Throws PenstockError. */
  readonly consumed: (
    asked: { readonly whose: 'tenant' | 'client'; readonly period: 'day' | 'month'; readonly day: string },
    call: { readonly token: string; readonly requestId: string },
  ) => Promise<number>;
  close(): void;
}

export function budgetClients(targets: { readonly auth: string; readonly usage: string }): BudgetClients {
  const tokens = createRpcClient(TokenService, { target: targets.auth, defaultTimeoutMs: BUDGET_RPC_MS_MAX });
  const usage = createRpcClient(UsageService, { target: targets.usage, defaultTimeoutMs: BUDGET_RPC_MS_MAX });
  return {
    async fetch(knownVersion) {
      const call = callOptions({ token: null, requestId: uuidV7() });
      const { version, budgets } = await tokens.client.getBudgets({ knownVersion }, call);
      if (version === knownVersion) return null;
      return {
        version,
        budgets: budgets.map(({ tenantId, clientId, unitsPerDay, unitsPerMonth }) => ({
          tenantId,
          clientId: clientId ?? null,
          unitsPerDay: unitsPerDay ?? null,
          unitsPerMonth: unitsPerMonth ?? null,
        })),
      };
    },
    async consumed({ whose, period, day }, { token, requestId }) {
      try {
        const found = await usage.client.getConsumed({ day }, callOptions({ token, requestId }));
        const counted = found[whose];
        return Number((period === 'day' ? counted?.dayHalfUnits : counted?.monthHalfUnits) ?? 0n);
      } catch (error) {
        throw fromConnectError(error);
      }
    },
    close() {
      tokens.close();
      usage.close();
    },
  };
}
