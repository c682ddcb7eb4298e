import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { AdminService } from '@penstock/common/gen/penstock/auth/v1/admin_pb.js';
import { loggerOf } from '@penstock/common/rpc/call-context.ts';
import { isScope } from '@penstock/common/token/principal.ts';
import type { BudgetAdministration } from '../budgets/administer.ts';
import type { ClientAdministration } from '../clients/administer.ts';
import type { Reencrypt } from '../keys/reencrypt.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import type { TenantAdministration } from '../tenants/administer.ts';
import type { UserAdministration } from '../users/administer.ts';
import {
  toBudgetMessage,
  toClientMessage,
  toSigningKeyMessage,
  toTenantMessage,
  toUserMessage,
} from './messages.ts';

/** Every change is logged: what was done to whom, never a secret. */
function audit(context: HandlerContext, action: string, subject: Record<string, string>): void {
  loggerOf(context).info({ audit: action, ...subject }, `administration: ${action}`);
}

/** The RPCs that need the operator's token. */
export function adminService(options: {
  tenants: TenantAdministration;
  clients: ClientAdministration;
  users: UserAdministration;
  keys: SigningKeys;
  budgets: BudgetAdministration;
  reencrypt: Reencrypt;
}): ServiceImpl<typeof AdminService> {
  const { tenants, clients, users, keys, budgets, reencrypt } = options;
  return {
    async createTenant({ name }, context) {
      const tenant = await tenants.create(name);
      audit(context, 'tenant created', { tenantId: tenant.tenantId });
      return toTenantMessage(tenant);
    },
    async listTenants() {
      return { tenants: (await tenants.list()).map(toTenantMessage) };
    },
    async setTenantLimits({ tenantId, rateLimitRps, rateLimitBurst }, context) {
      const limits = { rateLimitRps: rateLimitRps ?? null, rateLimitBurst: rateLimitBurst ?? null };
      const tenant = await tenants.setLimits(tenantId, limits);
      audit(context, 'tenant limits set', { tenantId });
      return toTenantMessage(tenant);
    },
    async createClient({ tenantId, name, scopes }, context) {
      const { client, clientSecret } = await clients.create(tenantId, name, scopes.filter(isScope));
      audit(context, 'client created', { tenantId, clientId: client.clientId });
      return { client: toClientMessage(client), clientSecret };
    },
    async listClients({ tenantId }) {
      return { clients: (await clients.list(tenantId)).map(toClientMessage) };
    },
    async disableClient({ clientId }, context) {
      const client = await clients.disable(clientId);
      audit(context, 'client disabled', { tenantId: client.tenantId, clientId });
      return toClientMessage(client);
    },
    async enableClient({ clientId }, context) {
      const client = await clients.enable(clientId);
      audit(context, 'client enabled', { tenantId: client.tenantId, clientId });
      return toClientMessage(client);
    },
    async rotateClientSecret({ clientId }, context) {
      const { client, clientSecret } = await clients.rotateSecret(clientId);
      audit(context, 'client secret rotated', { tenantId: client.tenantId, clientId });
      return { client: toClientMessage(client), clientSecret };
    },
    async createUser({ tenantId, email, role, password, enrollAtSignIn }, context) {
      const { user, ...secrets } = await users.create({
        tenantId,
        email,
        role: role === 'admin' ? 'admin' : 'member',
        password: password ?? null,
        enrollAtSignIn,
      });
      audit(context, 'user created', { tenantId, userId: user.userId });
      return { user: toUserMessage(user), ...secrets };
    },
    async listUsers({ tenantId }) {
      return { users: (await users.list(tenantId)).map(toUserMessage) };
    },
    async disableUser({ userId }, context) {
      const user = await users.disable(userId);
      audit(context, 'user disabled', { tenantId: user.tenantId, userId });
      return toUserMessage(user);
    },
    async enableUser({ userId }, context) {
      const user = await users.enable(userId);
      audit(context, 'user enabled', { tenantId: user.tenantId, userId });
      return toUserMessage(user);
    },
    async reenrollUser({ userId, password }, context) {
      const { user, enrollUrl } = await users.reenroll(userId, password ?? null);
      audit(context, 'user enrolled again', { tenantId: user.tenantId, userId });
      return { user: toUserMessage(user), enrollUrl };
    },
    async setBudget({ tenantId, clientId = null, unitsPerDay = null, unitsPerMonth = null }, context) {
      const budget = await budgets.set('operator', { tenantId, clientId, unitsPerDay, unitsPerMonth });
      audit(context, 'budget set', { tenantId, ...(clientId === null ? {} : { clientId }) });
      return toBudgetMessage(budget);
    },
    async listBudgets({ tenantId }) {
      const [byOperator, byTenant] = await Promise.all([
        budgets.list('operator', tenantId),
        budgets.list('tenant', tenantId),
      ]);
      return { budgets: byOperator.map(toBudgetMessage), setByTenant: byTenant.map(toBudgetMessage) };
    },
    async removeBudget({ tenantId, clientId = null }, context) {
      await budgets.remove('operator', tenantId, clientId);
      audit(context, 'budget removed', { tenantId, ...(clientId === null ? {} : { clientId }) });
      return {};
    },
    async listSigningKeys() {
      return { keys: (await keys.list()).map(toSigningKeyMessage) };
    },
    async rotateSigningKey(_request, context) {
      const keyId = await keys.rotate();
      audit(context, 'signing key rotated', { keyId });
      return { keyId };
    },
    async reencryptSecrets(_request, context) {
      const done = await reencrypt({ signal: context.signal, logger: loggerOf(context) });
      audit(context, 'secrets encrypted again', { keyId: done.keyId });
      return { ...done, stillInUse: [...done.stillInUse] };
    },
  };
}
