import { SCOPES } from '@penstock/common/token/principal.ts';
import { z } from 'zod';
import { scramVerifierSchema } from '../tokens/scram-verifier.ts';

/** A machine account, as it is stored. */
export const clientSchema = z.object({
  clientId: z.string(),
  tenantId: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  status: z.enum(['active', 'disabled']),
  /** Rises when the client's tokens end. A token carries the generation that it was issued in. */
  generation: z.number(),
  /** SHA-256, hex. */
  secretHash: z.string(),
  /** ISO 8601, UTC, to the hour: when a token was last made for it. */
  lastUsedAt: z.string().optional(),
  /** To check proofs of the secret by; clients whose secret was made before there were such have none. */
  scram: scramVerifierSchema.optional(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
});

export type ApiClient = z.infer<typeof clientSchema>;

/** Scopes of a new client for which none are named. */
export const defaultScopes = Object.freeze(['query', 'schemas:read'] as const);
