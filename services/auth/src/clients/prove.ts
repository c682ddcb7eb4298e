import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { PrincipalStore } from '../store/principals.ts';
import { nobodysVerifier, serverSignatureFor, type ScramVerifier } from '../tokens/scram-verifier.ts';
import type { ApiClient } from './client.ts';

/** Clients that prove their secret instead of sending it. */
export interface ClientProofs {
  /** What to make the proof with; of a client that nobody has, what one could have. */
  parametersOf(
    clientId: string,
  ): Promise<Pick<ScramVerifier, 'salt' | 'iterations'> & { readonly hasVerifier: boolean }>;
  /**
   * The client that the proof is of, and the server's own proof. Throws `UNAUTHORIZED` as `authenticateClient` does: with
   * the same words whatever is wrong.
   */
  check(
    clientId: string,
    authMessage: string,
    clientProof: Uint8Array,
  ): Promise<{ readonly client: ApiClient; readonly serverSignature: Uint8Array }>;
}

/** `saltKey`: what salts of clients that nobody has are made from, the same on every replica. */
export function createClientProofs(clients: PrincipalStore<ApiClient>, saltKey: Uint8Array): ClientProofs {
  return {
    async parametersOf(clientId) {
      const client = await clients.get(clientId);
      await clients.equalizeTiming(clientId);
      const { salt, iterations } = client?.scram ?? nobodysVerifier(saltKey, clientId);
      return { salt, iterations, hasVerifier: client === null || client.scram !== undefined };
    },
    async check(clientId, authMessage, clientProof) {
      const client = await clients.get(clientId);
      const verifier = client?.scram ?? nobodysVerifier(saltKey, clientId);
      const serverSignature = serverSignatureFor(verifier, authMessage, clientProof);
      if (client === null || serverSignature === null || client.status !== 'active') {
        await clients.equalizeTiming(clientId);
        throw new PenstockError('UNAUTHORIZED', 'Invalid client credentials');
      }
      clients.remember(clientId, client.tenantId);
      return { client, serverSignature };
    },
  };
}
