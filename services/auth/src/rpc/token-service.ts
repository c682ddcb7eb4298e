import type { ServiceImpl } from '@connectrpc/connect';
import type { TokenService } from '@penstock/common/gen/penstock/auth/v1/token_pb.js';
import type { SigningKeys } from '../keys/signing-keys.ts';
import type { BudgetStore } from '../store/budgets.ts';
import type { RevocationStore } from '../store/revocations.ts';
import type { RestTokens } from '../tokens/rest-tokens.ts';
import { smallerOf } from '../budgets/smaller.ts';
import { toBudgetMessage } from './messages.ts';

/** The RPCs that need no token. */
export function tokenService(options: {
  restTokens: RestTokens;
  keys: SigningKeys;
  revocations: RevocationStore;
  budgets: Pick<BudgetStore, 'list' | 'version'>;
}): ServiceImpl<typeof TokenService> {
  const { restTokens, keys, revocations, budgets } = options;
  return {
    issueToken: ({ clientId, clientSecret }) => restTokens.issue(clientId, clientSecret),
    refreshToken: ({ refreshToken }) => restTokens.refresh(refreshToken),
    async getKeySet() {
      return { jwksJson: JSON.stringify(await keys.keySet()) };
    },
    async getBudgets({ knownVersion }) {
      // The version first: a change that comes between the two is sent again.
      const version = await budgets.version();
      if (version === knownVersion) return { version };
      const [byOperator, byTenants] = await Promise.all([budgets.list('operator'), budgets.list('tenant')]);
      return { version, budgets: smallerOf([...byOperator, ...byTenants]).map(toBudgetMessage) };
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
