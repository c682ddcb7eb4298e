import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { Scope } from '@penstock/common/token/principal.ts';
import { newClientId } from '../ids.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { RevocationStore } from '../store/revocations.ts';
import type { TenantStore } from '../store/tenants.ts';
import { requireTenant } from '../tenants/administer.ts';
import { makeScramVerifier } from '../tokens/scram-verifier.ts';
import { hashSecret, newSecret } from '../tokens/secret.ts';
import { defaultScopes } from './client.ts';
import type { ApiClient } from './client.ts';

interface ClientCredentials {
  readonly client: ApiClient;
  readonly clientSecret: string;
}

/** What of a secret is stored. */
const storedOf = async (secret: string): Promise<Pick<ApiClient, 'secretHash' | 'scram'>> => ({
  secretHash: hashSecret(secret),
  scram: await makeScramVerifier(secret),
});

/** All throw `NOT_FOUND` for an unknown tenant or client. */
export interface ClientAdministration {
  /** Without scopes: the default ones. */
  create(tenantId: string, name: string, scopes: readonly Scope[]): Promise<ClientCredentials>;
  list(tenantId: string): Promise<ApiClient[]>;
  /** Ends the client and its tokens. */
  disable(clientId: string): Promise<ApiClient>;
  /** Lets it in again, with the secret it had; its tokens from before stay ended. */
  enable(clientId: string): Promise<ApiClient>;
  /** Gives it a new secret and ends its tokens; a disabled client stays disabled. */
  rotateSecret(clientId: string): Promise<ClientCredentials>;
}

export function createClientAdministration(options: {
  clients: PrincipalStore<ApiClient>;
  tenants: TenantStore;
  revocations: RevocationStore;
  clock: Clock;
}): ClientAdministration {
  const { clients, tenants, revocations, clock } = options;

  async function change(
    clientId: string,
    to: (current: ApiClient) => ApiClient | Promise<ApiClient>,
  ): Promise<ApiClient> {
    const changed = await clients.update(clientId, to);
    if (changed === null) throw new PenstockError('NOT_FOUND', `Client not found: ${clientId}`);
    return changed;
  }

  /** The revocation comes first: should the process die in between, tokens end too early, never too late. */
  const endTokens = (clientId: string, fields: Partial<ApiClient>): Promise<ApiClient> =>
    change(clientId, async (current) => {
      const generation = current.generation + 1;
      await revocations.raise(clientId, generation);
      return { ...current, ...fields, generation };
    });

  return {
    async create(tenantId, name, scopes) {
      await requireTenant(tenants, tenantId);
      const clientSecret = newSecret('clientSecret');
      const client: ApiClient = {
        clientId: newClientId(),
        tenantId,
        name,
        scopes: [...new Set(scopes.length === 0 ? defaultScopes : scopes)],
        status: 'active',
        generation: 1,
        ...(await storedOf(clientSecret)),
        createdAt: new Date(clock.now()).toISOString(),
      };
      await clients.create(client.clientId, client);
      return { client, clientSecret };
    },
    async list(tenantId) {
      await requireTenant(tenants, tenantId);
      return clients.list(tenantId);
    },
    disable: (clientId) => endTokens(clientId, { status: 'disabled' }),
    enable: (clientId) => change(clientId, (current) => ({ ...current, status: 'active' })),
    async rotateSecret(clientId) {
      const clientSecret = newSecret('clientSecret');
      const client = await endTokens(clientId, await storedOf(clientSecret));
      return { client, clientSecret };
    },
  };
}
