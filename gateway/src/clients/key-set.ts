import { z } from 'zod';
import { POLL_TIMEOUT_MS } from '../limits.ts';
import type { GatewayClients } from './gateway-clients.ts';

/** A JWK set (RFC 7517). */
export type KeySet = z.output<typeof keySetSchema>;

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) });

/** The public keys that auth signs for; rejects when auth is away. */
export async function fetchKeySet(tokens: Pick<GatewayClients['tokens'], 'getKeySet'>): Promise<KeySet> {
  const { jwksJson } = await tokens.getKeySet({}, { timeoutMs: POLL_TIMEOUT_MS });
  return keySetSchema.parse(JSON.parse(jwksJson));
}
