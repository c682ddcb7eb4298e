import { TokenService } from '@penstock/common/gen/penstock/auth/v1/token_pb.js';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { callOptions, createRpcClient } from '@penstock/common/rpc/client.ts';
import type { TokenVerifierOptions } from '@penstock/common/token/verifier.ts';

/** Time for asking the auth service for its keys, milliseconds. */
const KEY_SET_MS_MAX = 3_000;

/** Asks the auth service for the keys that tokens are verified with. */
export function keySetClient(target: string): { fetch: TokenVerifierOptions['fetchKeySet']; close(): void } {
  const { client, close } = createRpcClient(TokenService, { target, defaultTimeoutMs: KEY_SET_MS_MAX });
  return Object.freeze({
    async fetch() {
      const { jwksJson } = await client.getKeySet({}, callOptions({ token: null, requestId: uuidV7() }));
      return JSON.parse(jwksJson) as Awaited<ReturnType<TokenVerifierOptions['fetchKeySet']>>;
    },
    close,
  });
}
