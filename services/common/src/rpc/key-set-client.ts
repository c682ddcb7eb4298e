import { TokenService } from '../gen/penstock/auth/v1/token_pb.js';
import { uuidV7 } from '../ids/uuid.ts';
import type { TokenVerifierOptions } from '../token/verifier.ts';
import { callOptions, createRpcClient } from './client.ts';

/** Time for asking the auth service for its keys, milliseconds. */
const KEY_SET_MS_MAX = 3_000;

/** Asks the auth service, at a gRPC target, for the keys that tokens are verified with. */
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
