import { z } from 'zod';

/** The enrollment of a user who has never been enrolled again. */
export const FIRST_ENROLLMENT = 1;

/** A portal user, as it is stored. */
export const userSchema = z.object({
  userId: z.string(),
  tenantId: z.string(),
  /** As given. */
  email: z.string(),
  role: z.enum(['admin', 'member']),
  status: z.enum(['active', 'disabled']),
  /** Rises when their tokens end. */
  generation: z.number(),
  /** Rises when their passkeys end: those of an earlier one don't count. Above the first, only a link enrolls. */
  enrollment: z.number().default(FIRST_ENROLLMENT),
  /** argon2id in PHC form; null: signs in with a passkey, until a link sets one. */
  passwordHash: z.string().nullable(),
  /** Base32, sealed with the user ID as context; null: enrolls a second factor at the first sign-in. */
  sealedTotpSecret: z.string().nullable(),
  /** Time step (RFC 6238) of the last one-time code that was accepted: none up to it works again. */
  lastTotpStep: z.number().default(0),
  /** Epoch seconds: sessions of the hosted login from before, or from then, do not count. */
  signedOutAtS: z.number().default(0),
  /** ISO 8601, UTC: to the console; undefined: never. */
  lastSignedInAt: z.string().optional(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
});

export type User = z.infer<typeof userSchema>;
