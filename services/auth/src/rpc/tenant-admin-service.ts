import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type {
  InvitationSchema,
  NamedBudgetSchema,
  PersonSchema,
  TenantAdminService,
  TenantClientSchema,
} from '@penstock/common/gen/penstock/auth/v1/tenant_admin_pb.js';
import { loggerOf } from '@penstock/common/rpc/call-context.ts';
import { isScope } from '@penstock/common/token/principal.ts';
import type { ApiClient } from '../clients/client.ts';
import type {
  Invitation,
  NamedBudget,
  Person,
  TenantAdministration,
} from '../console/tenant-administration.ts';
import { tenantAdminOf } from './console-caller.ts';
import { toBudgetMessage, toClientMessage, toUserMessage } from './messages.ts';

/** Every change is logged, with who made it: the logger names the caller. */
const audit = (context: HandlerContext, action: string, subject: Record<string, string> = {}): void =>
  loggerOf(context).info({ audit: action, ...subject }, `tenant administration: ${action}`);

const roleOf = (text: string): 'admin' | 'member' => (text === 'admin' ? 'admin' : 'member');

function toTenantClient(client: ApiClient): MessageInitShape<typeof TenantClientSchema> {
  const { lastUsedAt } = client;
  return { client: toClientMessage(client), ...(lastUsedAt === undefined ? {} : { lastUsedAt }) };
}

function toPerson({ user, enrolled }: Person): MessageInitShape<typeof PersonSchema> {
  const { lastSignedInAt } = user;
  return { user: toUserMessage(user), enrolled, ...(lastSignedInAt === undefined ? {} : { lastSignedInAt }) };
}

function toInvitation({
  person,
  enrollUrl,
  expiresAtS,
}: Invitation): MessageInitShape<typeof InvitationSchema> {
  return { person: toPerson(person), enrollUrl, expiresAt: BigInt(expiresAtS) };
}

function toNamedBudget(named: NamedBudget): MessageInitShape<typeof NamedBudgetSchema> {
  const { own, byOperator, clientName } = named;
  return {
    ...(own === null ? {} : { budget: toBudgetMessage(own) }),
    ...(byOperator === null ? {} : { operatorBudget: toBudgetMessage(byOperator) }),
    ...(clientName === null ? {} : { clientName }),
  };
}

const nextOf = (nextToken: string | null): { nextToken?: string } =>
  nextToken === null ? {} : { nextToken };

/** What an administrator of a tenant does in the console. */
export function tenantAdminService(tenant: TenantAdministration): ServiceImpl<typeof TenantAdminService> {
  return {
    async listTenantClients({ nextToken }, context) {
      const page = await tenant.clients(tenantAdminOf(context), nextToken ?? null);
      return { clients: page.items.map(toTenantClient), ...nextOf(page.nextToken) };
    },
    async createTenantClient({ name, scopes }, context) {
      const admin = tenantAdminOf(context);
      const { client, clientSecret } = await tenant.createClient(admin, name, scopes.filter(isScope));
      audit(context, 'client created', { clientId: client.clientId });
      return { client: toTenantClient(client), clientSecret };
    },
    async rotateTenantClientSecret({ clientId }, context) {
      const { client, clientSecret } = await tenant.rotateSecret(tenantAdminOf(context), clientId);
      audit(context, 'client secret rotated', { clientId });
      return { client: toTenantClient(client), clientSecret };
    },
    async setTenantClientStatus({ clientId, active }, context) {
      const client = await tenant.setClientActive(tenantAdminOf(context), clientId, active);
      audit(context, active ? 'client enabled' : 'client disabled', { clientId });
      return toTenantClient(client);
    },
    async listPeople({ nextToken }, context) {
      const page = await tenant.people(tenantAdminOf(context), nextToken ?? null);
      return { people: page.items.map(toPerson), ...nextOf(page.nextToken) };
    },
    async invitePerson({ email, role }, context) {
      const invitation = await tenant.invite(tenantAdminOf(context), email, roleOf(role));
      audit(context, 'user invited', { userId: invitation.person.user.userId });
      return toInvitation(invitation);
    },
    async setPersonRole({ userId, role }, context) {
      const person = await tenant.setRole(tenantAdminOf(context), userId, roleOf(role));
      audit(context, 'user role set', { userId, role });
      return toPerson(person);
    },
    async setPersonStatus({ userId, active }, context) {
      const person = await tenant.setPersonActive(tenantAdminOf(context), userId, active);
      audit(context, active ? 'user enabled' : 'user disabled', { userId });
      return toPerson(person);
    },
    async reenrollPerson({ userId }, context) {
      const invitation = await tenant.reenroll(tenantAdminOf(context), userId);
      audit(context, 'user enrolled again', { userId });
      return toInvitation(invitation);
    },
    async listTenantBudgets(_request, context) {
      return { budgets: (await tenant.budgets(tenantAdminOf(context))).map(toNamedBudget) };
    },
    async setTenantBudget({ clientId = null, unitsPerDay = null, unitsPerMonth = null }, context) {
      const budget = await tenant.setBudget(tenantAdminOf(context), { clientId, unitsPerDay, unitsPerMonth });
      const subject = clientId === null ? {} : { clientId };
      audit(context, budget === null ? 'budget removed' : 'budget set', subject);
      return budget === null ? {} : { budget: toNamedBudget(budget) };
    },
  };
}
