import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { mapConcurrently } from '@penstock/common/concurrency/limit.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { Principal, Scope } from '@penstock/common/token/principal.ts';
import type { BudgetAdministration } from '../budgets/administer.ts';
import type { ClientAdministration } from '../clients/administer.ts';
import type { ApiClient } from '../clients/client.ts';
import {
  CONSOLE_SESSION,
  ENROLLMENT_LIFETIME_S,
  PEOPLE_CONCURRENCY,
  TENANT_CLIENTS_MAX,
  TENANT_PAGE_MAX,
  TENANT_PEOPLE_MAX,
} from '../limits.ts';
import type { Budget } from '../store/budgets.ts';
import type { PasskeyStore } from '../store/passkeys.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { EnrollmentLink, UserAdministration } from '../users/administer.ts';
import type { User } from '../users/user.ts';

/** Who asks: an administrator of the tenant. */
type Admin = Pick<Principal, 'tenantId' | 'principalId' | 'signedInAtS'>;

/** A user, and whether they have what it takes to sign in. */
export interface Person {
  readonly user: User;
  readonly enrolled: boolean;
}

export interface Invitation extends EnrollmentLink {
  readonly person: Person;
}

/** What is set for a tenant or a client; one of the two at least. The smaller counts. */
export interface NamedBudget {
  /** What an administrator of the tenant set. */
  readonly own: Budget | null;
  readonly byOperator: Budget | null;
  /** Null for the tenant's own, and where the client is gone. */
  readonly clientName: string | null;
}

/** Some of a list, and where it goes on; null: it ends. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextToken: string | null;
}

/**
 * What an administrator does with their own tenant. All throw `NOT_FOUND` for what belongs to another, in the words that
 * are for what does not exist; and `SIGN_IN_AGAIN` what makes or replaces a way in, where the sign-in is too long ago: who
 * got hold of a session must not make it last.
 */
export interface TenantAdministration {
  clients(admin: Admin, after: string | null): Promise<ListPage<ApiClient>>;
  /** Throws `LIMIT_REACHED`. */
  createClient(
    admin: Admin,
    name: string,
    scopes: readonly Scope[],
  ): Promise<{ client: ApiClient; clientSecret: string }>;
  rotateSecret(admin: Admin, clientId: string): Promise<{ client: ApiClient; clientSecret: string }>;
  setClientActive(admin: Admin, clientId: string, active: boolean): Promise<ApiClient>;
  people(admin: Admin, after: string | null): Promise<ListPage<Person>>;
  /** Throws `LIMIT_REACHED`; `VALIDATION_ERROR` where the address is taken. */
  invite(admin: Admin, email: string, role: User['role']): Promise<Invitation>;
  /** Throws `CONFLICT` for oneself: a tenant must not be left without an administrator. */
  setRole(admin: Admin, userId: string, role: User['role']): Promise<Person>;
  setPersonActive(admin: Admin, userId: string, active: boolean): Promise<Person>;
  /** Throws `CONFLICT` for oneself: whoever is signed in has links of their own, which live shorter. */
  reenroll(admin: Admin, userId: string): Promise<Invitation>;
  budgets(admin: Admin): Promise<NamedBudget[]>;
  /** Without amounts it is removed; the operator's stays. */
  setBudget(admin: Admin, budget: Omit<Budget, 'tenantId'>): Promise<NamedBudget | null>;
}

function page<T>(all: readonly T[], idOf: (item: T) => string, after: string | null): ListPage<T> {
  const rest = after === null ? all : all.filter((item) => idOf(item) > after);
  const items = rest.slice(0, TENANT_PAGE_MAX);
  const last = items.at(-1);
  return { items, nextToken: last !== undefined && items.length < rest.length ? idOf(last) : null };
}

const limitReached = (count: number, what: string): PenstockError =>
  new PenstockError(
    'LIMIT_REACHED',
    `There are ${count} ${what}, as many as there may be; the operator of the service can make more`,
  );

export function createTenantAdministrationByAdmins(options: {
  readonly clientStore: Pick<PrincipalStore<ApiClient>, 'get'>;
  readonly clients: ClientAdministration;
  readonly userStore: Pick<PrincipalStore<User>, 'get'>;
  readonly users: UserAdministration;
  readonly passkeys: Pick<PasskeyStore, 'idsOf'>;
  readonly budgets: BudgetAdministration;
  readonly clock: Clock;
}): TenantAdministration {
  const { clientStore, clients, userStore, users, passkeys, budgets, clock } = options;

  async function ownClient({ tenantId }: Admin, clientId: string): Promise<ApiClient> {
    const client = await clientStore.get(clientId);
    if (client?.tenantId === tenantId) return client;
    throw new PenstockError('NOT_FOUND', `Client not found: ${clientId}`);
  }

  async function ownUser({ tenantId }: Admin, userId: string): Promise<User> {
    const user = await userStore.get(userId);
    if (user?.tenantId === tenantId) return user;
    throw new PenstockError('NOT_FOUND', `User not found: ${userId}`);
  }

  async function anotherUser(admin: Admin, userId: string): Promise<void> {
    await ownUser(admin, userId);
    if (userId !== admin.principalId) return;
    throw new PenstockError('CONFLICT', 'Another administrator has to do this to your own account');
  }

  function requireFreshSignIn({ signedInAtS = 0 }: Admin): void {
    if (Math.floor(clock.now() / 1000) - signedInAtS <= CONSOLE_SESSION.freshSignInS) return;
    throw new PenstockError('SIGN_IN_AGAIN', 'Sign in again to let somebody in, or to make a secret');
  }

  async function personOf(user: User): Promise<Person> {
    const hasPassword = user.passwordHash !== null && user.sealedTotpSecret !== null;
    return { user, enrolled: hasPassword || (await passkeys.idsOf(user)).length > 0 };
  }

  async function namedBudgets({ tenantId }: Admin): Promise<NamedBudget[]> {
    const [own, byOperator] = await Promise.all([
      budgets.list('tenant', tenantId),
      budgets.list('operator', tenantId),
    ]);
    const of = (all: readonly Budget[], clientId: string | null): Budget | null =>
      all.find((budget) => budget.clientId === clientId) ?? null;
    const clientIds = [...new Set([...own, ...byOperator].map(({ clientId }) => clientId))];
    return Promise.all(
      clientIds
        .sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))
        .map(async (clientId) => {
          const client = clientId === null ? null : await clientStore.get(clientId);
          const set = { own: of(own, clientId), byOperator: of(byOperator, clientId) };
          return { ...set, clientName: client?.name ?? null };
        }),
    );
  }

  return {
    async clients({ tenantId }, after) {
      return page(await clients.list(tenantId), ({ clientId }) => clientId, after);
    },
    async createClient(admin, name, scopes) {
      requireFreshSignIn(admin);
      const { tenantId } = admin;
      const { length } = await clients.list(tenantId);
      if (length >= TENANT_CLIENTS_MAX) throw limitReached(length, 'API clients');
      return clients.create(tenantId, name, scopes);
    },
    async rotateSecret(admin, clientId) {
      requireFreshSignIn(admin);
      await ownClient(admin, clientId);
      return clients.rotateSecret(clientId);
    },
    async setClientActive(admin, clientId, active) {
      if (active) requireFreshSignIn(admin);
      await ownClient(admin, clientId);
      return active ? clients.enable(clientId) : clients.disable(clientId);
    },

    async people({ tenantId }, after) {
      const { items, nextToken } = page(await users.list(tenantId), ({ userId }) => userId, after);
      return { items: await mapConcurrently(items, PEOPLE_CONCURRENCY, personOf), nextToken };
    },
    async invite(admin, email, role) {
      requireFreshSignIn(admin);
      const { tenantId } = admin;
      const { length } = await users.list(tenantId);
      if (length >= TENANT_PEOPLE_MAX) throw limitReached(length, 'people');
      const nobodysSecrets = { password: null, enrollAtSignIn: true };
      const { user, enrollUrl } = await users.create({ tenantId, email, role, ...nobodysSecrets });
      const expiresAtS = Math.floor(clock.now() / 1000) + ENROLLMENT_LIFETIME_S;
      return { person: { user, enrolled: false }, enrollUrl, expiresAtS };
    },
    async setRole(admin, userId, role) {
      if (role === 'admin') requireFreshSignIn(admin);
      await anotherUser(admin, userId);
      return personOf(await users.setRole(userId, role));
    },
    async setPersonActive(admin, userId, active) {
      if (active) requireFreshSignIn(admin);
      await anotherUser(admin, userId);
      return personOf(await (active ? users.enable(userId) : users.disable(userId)));
    },
    async reenroll(admin, userId) {
      requireFreshSignIn(admin);
      await anotherUser(admin, userId);
      const { user, enrollUrl, expiresAtS } = await users.reenroll(userId, null);
      return { person: await personOf(user), enrollUrl, expiresAtS };
    },

    budgets: namedBudgets,
    async setBudget(admin, { clientId, unitsPerDay, unitsPerMonth }) {
      const { tenantId } = admin;
      if (clientId !== null) await ownClient(admin, clientId);
      if (unitsPerDay === null && unitsPerMonth === null) {
        await budgets.remove('tenant', tenantId, clientId);
        return null;
      }
      const own = await budgets.set('tenant', { tenantId, clientId, unitsPerDay, unitsPerMonth });
      const found = (await namedBudgets(admin)).find((named) => named.own?.clientId === clientId);
      return { byOperator: null, clientName: null, ...found, own };
    },
  };
}
