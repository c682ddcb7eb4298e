import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { CONSOLE_SESSION, MCP_REFRESH_TOKEN_LIFETIME_S, OWN_ENROLLMENT_LIFETIME_S } from '../limits.ts';
import type { Consent, ConsentStore } from '../store/consents.ts';
import type { ConsoleSession, ConsoleSessionStore } from '../store/console-sessions.ts';
import type { Passkey, PasskeyStore } from '../store/passkeys.ts';
import type { PrincipalStore } from '../store/principals.ts';
import { hashSecret } from '../tokens/secret.ts';
import type { User } from '../users/user.ts';
import type { EnrollmentLink, UserAdministration } from '../users/administer.ts';

/** Somebody's ways in, and where they are signed in. */
interface Account {
  readonly user: User;
  readonly passkeys: readonly Passkey[];
  readonly sessions: readonly ConsoleSession[];
}

/** An OAuth client that a user allowed, once or several times. */
interface Agent extends Omit<Consent, 'grantHash'> {
  /** Epoch seconds: at the latest then its access has run out. */
  readonly expiresAtS: number;
}

/** What users do with what is their own: `userId` is of who asks. */
export interface AccountAdministration {
  get(userId: string): Promise<Account>;
  /** Throws `SIGN_IN_AGAIN` where the session's sign-in is too long ago. */
  enrollmentLink(userId: string, sessionId: string): Promise<EnrollmentLink>;
  /** Throws `SIGN_IN_AGAIN`, `NOT_FOUND`; `CONFLICT` where nothing else would let the user in. */
  removePasskey(userId: string, passkeyId: string, sessionId: string): Promise<void>;
  /** Throws `NOT_FOUND`. */
  removeSession(userId: string, sessionId: string): Promise<void>;
  removeAllSessions(userId: string): Promise<void>;
  /** Allowed last first. */
  agents(userId: string): Promise<Agent[]>;
  /** Throws `NOT_FOUND`. */
  removeAgent(userId: string, agentId: string): Promise<void>;
}

/** The public name of a passkey. */
export const passkeyIdOf = ({ credentialId }: Pick<Passkey, 'credentialId'>): string =>
  hashSecret(credentialId);

const notFound = (what: string): PenstockError => new PenstockError('NOT_FOUND', `${what} not found`);

export function createAccountAdministration(options: {
  readonly users: PrincipalStore<User>;
  readonly sessions: ConsoleSessionStore;
  readonly passkeys: PasskeyStore;
  readonly consents: ConsentStore;
  readonly enrollments: Pick<UserAdministration, 'enrollmentLink'>;
  readonly clock: Clock;
}): AccountAdministration {
  const { users, sessions, passkeys, consents, enrollments, clock } = options;
  const nowS = (): number => Math.floor(clock.now() / 1000);

  async function userOf(userId: string): Promise<User> {
    const user = await users.get(userId);
    if (user?.status !== 'active') throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
    return user;
  }

  /** Who got hold of a session must not turn it into a way in of their own, or lock its user out. */
  async function requireFreshSignIn(userId: string, sessionId: string): Promise<void> {
    const session = await sessions.get(userId, sessionId);
    if (session !== null && nowS() - session.signedInAtS <= CONSOLE_SESSION.freshSignInS) return;
    throw new PenstockError('SIGN_IN_AGAIN', 'Sign in again to change how you sign in');
  }

  const passkeysOf = async (user: User): Promise<Passkey[]> => {
    const found = await Promise.all((await passkeys.idsOf(user)).map((id) => passkeys.get(id)));
    return found.filter((passkey) => passkey !== null);
  };

  return {
    async get(userId) {
      const user = await userOf(userId);
      const [own, open] = await Promise.all([passkeysOf(user), sessions.list(userId)]);
      const counting = open.filter(({ generation }) => generation === user.generation);
      return {
        user,
        passkeys: own.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)),
        sessions: counting.sort((a, b) => b.lastUsedAtS - a.lastUsedAtS),
      };
    },
    async enrollmentLink(userId, sessionId) {
      const user = await userOf(userId);
      await requireFreshSignIn(userId, sessionId);
      return enrollments.enrollmentLink(user, OWN_ENROLLMENT_LIFETIME_S);
    },
    async removePasskey(userId, passkeyId, sessionId) {
      const user = await userOf(userId);
      await requireFreshSignIn(userId, sessionId);
      const own = await passkeysOf(user);
      const passkey = own.find((each) => passkeyIdOf(each) === passkeyId);
      if (passkey === undefined) throw notFound('Passkey');
      const hasPassword = user.passwordHash !== null && user.sealedTotpSecret !== null;
      if (own.length === 1 && !hasPassword) {
        throw new PenstockError(
          'CONFLICT',
          'This passkey is the only way to sign in: add another one before you remove it',
        );
      }
      await passkeys.remove(passkey);
    },
    async removeSession(userId, sessionId) {
      if (!(await sessions.remove(userId, sessionId))) throw notFound('Session');
    },
    async removeAllSessions(userId) {
      await users.update(userId, (current) => ({ ...current, signedOutAtS: nowS() }));
      for (const { sessionId } of await sessions.list(userId)) await sessions.remove(userId, sessionId);
    },
    async agents(userId) {
      const byAgent = new Map<string, Agent>();
      for (const { grantHash: _grantHash, ...consent } of await consents.list(userId)) {
        const known = byAgent.get(consent.agentId);
        if (known !== undefined && known.allowedAtS >= consent.allowedAtS) continue;
        const expiresAtS = consent.allowedAtS + MCP_REFRESH_TOKEN_LIFETIME_S;
        byAgent.set(consent.agentId, { ...consent, expiresAtS });
      }
      return [...byAgent.values()].sort((a, b) => b.allowedAtS - a.allowedAtS);
    },
    async removeAgent(userId, agentId) {
      if (!(await consents.end(userId, agentId))) throw notFound('Agent');
    },
  };
}
