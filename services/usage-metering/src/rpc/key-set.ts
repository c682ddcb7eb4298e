import { randomUUID } from 'node:crypto';
import { TokenService } from '@penstock/common/gen/penstock/auth/v1/token_pb.js';
import { callOptions, createRpcClient } from '@penstock/common/rpc/client.ts';
import type { TokenVerifierOptions } from '@penstock/common/token/verifier.ts';

const timeoutMs = 5000;

/** Where the verifier gets its keys: auth, at a gRPC target. */
export function keySetSource(target: string): {
  fetchKeySet: TokenVerifierOptions['fetchKeySet'];
  close: () => void;
} {
  const { client, close } = createRpcClient(TokenService, { target, defaultTimeoutMs: timeoutMs });
  return {
    async fetchKeySet() {
      const { jwksJson } = await client.getKeySet({}, callOptions({ token: null, requestId: randomUUID() }));
      return JSON.parse(jwksJson) as Awaited<ReturnType<TokenVerifierOptions['fetchKeySet']>>;
    },
    close,
  };
}
