/** Records as messages: what an administrator may see of them. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ApiClientSchema,
  SigningKeySchema,
  TenantSchema,
  UserSchema,
} from '@penstock/common/gen/penstock/auth/v1/admin_pb.js';
import type { BudgetSchema } from '@penstock/common/gen/penstock/auth/v1/budget_pb.js';
import type { ApiClient } from '../clients/client.ts';
import type { SigningKeyState } from '../keys/signing-keys.ts';
import type { Budget } from '../store/budgets.ts';
import type { Tenant } from '../tenants/tenant.ts';
import type { User } from '../users/user.ts';

export function toTenantMessage(tenant: Tenant): MessageInitShape<typeof TenantSchema> {
  const { tenantId, name, createdAt, rateLimitRps, rateLimitBurst } = tenant;
  return {
    tenantId,
    name,
    createdAt,
    ...(rateLimitRps === null ? {} : { rateLimitRps }),
    ...(rateLimitBurst === null ? {} : { rateLimitBurst }),
  };
}

export function toBudgetMessage({
  tenantId,
  clientId,
  unitsPerDay,
  unitsPerMonth,
}: Budget): MessageInitShape<typeof BudgetSchema> {
  return {
    tenantId,
    ...(clientId === null ? {} : { clientId }),
    ...(unitsPerDay === null ? {} : { unitsPerDay }),
    ...(unitsPerMonth === null ? {} : { unitsPerMonth }),
  };
}

export function toClientMessage(client: ApiClient): MessageInitShape<typeof ApiClientSchema> {
  const { clientId, tenantId, name, scopes, status, createdAt } = client;
  return { clientId, tenantId, name, scopes, status, createdAt };
}

export function toUserMessage(user: User): MessageInitShape<typeof UserSchema> {
  const { userId, tenantId, email, role, status, createdAt } = user;
  return { userId, tenantId, email, role, status, createdAt };
}

export function toSigningKeyMessage(key: SigningKeyState): MessageInitShape<typeof SigningKeySchema> {
  const { kid, state, createdAtMs, retiredAtMs } = key;
  return {
    keyId: kid,
    state,
    createdAt: new Date(createdAtMs).toISOString(),
    ...(retiredAtMs === null ? {} : { retiredAt: new Date(retiredAtMs).toISOString() }),
  };
}
