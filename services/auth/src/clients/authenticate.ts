import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { PrincipalStore } from '../store/principals.ts';
import { hashSecret, secretMatches } from '../tokens/secret.ts';
import type { ApiClient } from './client.ts';

/** The hash to compare with for an unknown client, so that the same work is done. */
const nobodysHash = hashSecret('');

/**
 * The client with these credentials. Throws `UNAUTHORIZED`, with the same words for an unknown client, a wrong secret
 * and a disabled client: an answer must not tell which client IDs exist.
 */
export async function authenticateClient(
  clients: PrincipalStore<ApiClient>,
  clientId: string,
  clientSecret: string,
): Promise<ApiClient> {
  const client = await clients.get(clientId);
  const matches = secretMatches(clientSecret, client?.secretHash ?? nobodysHash);
  if (client === null || !matches || client.status !== 'active') {
    await clients.equalizeTiming(clientId);
    throw new PenstockError('UNAUTHORIZED', 'Invalid client credentials');
  }
  clients.remember(clientId, client.tenantId);
  return client;
}
