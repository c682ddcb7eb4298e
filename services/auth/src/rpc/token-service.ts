import type { ServiceImpl } from '@connectrpc/connect';
import type { TokenService } from '@penstock/common/gen/penstock/auth/v1/token_pb.js';
import type { SigningKeys } from '../keys/signing-keys.ts';
import type { RevocationStore } from '../store/revocations.ts';
import type { TokenExchange } from '../tokens/exchange.ts';

/** The RPCs that need no token. */
export function tokenService(options: {
  exchange: TokenExchange;
  keys: SigningKeys;
  revocations: RevocationStore;
}): ServiceImpl<typeof TokenService> {
  const { exchange, keys, revocations } = options;
  return {
    issueToken: ({ clientId, clientSecret }) => exchange.issue(clientId, clientSecret),
    refreshToken: ({ refreshToken }) => exchange.refresh(refreshToken),
    async getKeySet() {
      return { jwksJson: JSON.stringify(await keys.keySet()) };
    },
    async listRevocations() {
      const revoked = await revocations.list();
      return {
        revocations: revoked.map(({ principalId, minimumGeneration }) => ({
          principalId,
          minimumGeneration: BigInt(minimumGeneration),
        })),
      };
    },
  };
}
