import type { ServiceImpl } from '@connectrpc/connect';
import type { ScramService } from '@penstock/common/gen/penstock/auth/v1/scram_pb.js';
import type { ClientProofs } from '../clients/prove.ts';
import type { RestTokens } from '../tokens/rest-tokens.ts';

/** The RPCs of clients that prove their secret. */
export function scramService(options: {
  readonly proofs: ClientProofs;
  readonly restTokens: Pick<RestTokens, 'issueTo'>;
}): ServiceImpl<typeof ScramService> {
  const { proofs, restTokens } = options;
  return {
    async getScramParameters({ clientId }) {
      const { salt, ...others } = await proofs.parametersOf(clientId);
      return { salt: Buffer.from(salt, 'base64'), ...others };
    },
    async issueTokenByProof({ clientId, authMessage, clientProof }) {
      const { client, serverSignature } = await proofs.check(clientId, authMessage, clientProof);
      return { serverSignature, ...(await restTokens.issueTo(client)) };
    },
  };
}
