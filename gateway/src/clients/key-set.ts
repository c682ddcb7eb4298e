import type { Client } from '@connectrpc/connect';
import type { JSONWebKeySet } from 'jose';
import { z } from 'zod';
import type { TokenService } from '@penstock/common/gen/penstock/auth/v1/token_pb.js';
import { POLL_TIMEOUT_MS } from '../limits.ts';

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) });

/** The public keys that auth signs for; rejects when auth is away. */
export async function fetchKeySet(
  tokens: Pick<Client<typeof TokenService>, 'getKeySet'>,
): Promise<JSONWebKeySet> {
  const { jwksJson } = await tokens.getKeySet({}, { timeoutMs: POLL_TIMEOUT_MS });
  return keySetSchema.parse(JSON.parse(jwksJson));
}
