import type { Client } from '@connectrpc/connect';
import { z } from 'zod';
import { TokenService } from '../gen/penstock/auth/v1/token_pb.js';
import { uuidV7 } from '../ids/uuid.ts';
import { callOptions, createRpcClient } from './client.ts';

/** Time for asking the auth service for its keys, milliseconds. */
const KEY_SET_MS_MAX = 3_000;

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) });

/** A JWK set (RFC 7517). */
type KeySet = z.output<typeof keySetSchema>;

/** Asks auth for the public keys that tokens are verified with. Rejects while auth is away. */
export async function fetchKeySet(
  tokens: Pick<Client<typeof TokenService>, 'getKeySet'>,
  timeoutMs: number = KEY_SET_MS_MAX,
): Promise<KeySet> {
  const call = callOptions({ token: null, requestId: uuidV7(), timeoutMs });
  const { jwksJson } = await tokens.getKeySet({}, call);
  return keySetSchema.parse(JSON.parse(jwksJson));
}

/** A client for nothing but the keys, of the auth service at a gRPC target. */
export function keySetClient(target: string): { fetch: () => Promise<KeySet>; close(): void } {
  const { client, close } = createRpcClient(TokenService, { target, defaultTimeoutMs: KEY_SET_MS_MAX });
  return Object.freeze({ fetch: () => fetchKeySet(client), close });
}
