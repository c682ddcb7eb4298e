import { z } from 'zod';
import { hashSecret } from '../tokens/secret.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

const sessionSchema = z.object({
  /** The hash of its token. */
  sessionId: z.string(),
  userId: z.string(),
  /** The user's at the sign-in: in another one the session is over. */
  generation: z.number(),
  /** Epoch seconds of the sign-in, which may be older than the session. */
  signedInAtS: z.number(),
  beganAtS: z.number(),
  /** To some minutes. */
  lastUsedAtS: z.number(),
  expiresAtS: z.number(),
  /** What the browser said of itself. */
  userAgent: z.string(),
});

/** A browser that is signed in to the console. */
export type ConsoleSession = z.infer<typeof sessionSchema>;

/** Tokens have the form `<user ID>.<secret>`, so that a session is found, and listed, among those of its user. */
export interface ConsoleSessionStore {
  create(session: ConsoleSession): Promise<void>;
  /** Null for an unknown or expired one. */
  get(userId: string, sessionId: string): Promise<ConsoleSession | null>;
  /** Writes when it was used last, and ends now. Nothing where it is gone. */
  renew(session: ConsoleSession): Promise<void>;
  /** False where there was none. */
  remove(userId: string, sessionId: string): Promise<boolean>;
  list(userId: string): Promise<ConsoleSession[]>;
}

/** The public name of a session: the hash of its token. */
export const sessionIdOf = (sessionToken: string): string => hashSecret(sessionToken);

/** The user whose session a token says it is; null where it is no such token. */
export function userIdIn(sessionToken: string): string | null {
  return /^(usr_[0-9a-f]{32})\.pst_se_[\w-]{43}$/.exec(sessionToken)?.[1] ?? null;
}

export function createConsoleSessionStore(table: AuthTable): ConsoleSessionStore {
  const records = recordsIn(table, sessionSchema);
  const keyOf = (userId: string, sessionId: string): ItemKey => ({
    pk: `USER#${userId}`,
    sk: `SESSION#${sessionId}`,
  });
  return {
    async create(session) {
      await records.create(keyOf(session.userId, session.sessionId), session, session.expiresAtS);
    },
    get: (userId, sessionId) => records.get(keyOf(userId, sessionId)),
    async renew(session) {
      await records.update(keyOf(session.userId, session.sessionId), () => session, session.expiresAtS);
    },
    async remove(userId, sessionId) {
      return (await records.take(keyOf(userId, sessionId))) !== null;
    },
    list: (userId) => records.list(`USER#${userId}`, 'SESSION#'),
  };
}
