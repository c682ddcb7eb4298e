import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { Principal, Scope } from '@penstock/common/token/principal.ts';
import { SCOPES } from '@penstock/common/token/principal.ts';
import { CONSOLE_SESSION } from '../limits.ts';
import type { ConsoleSession, ConsoleSessionStore } from '../store/console-sessions.ts';
import { sessionIdOf, userIdIn } from '../store/console-sessions.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { TenantStore } from '../store/tenants.ts';
import type { RateLimit, Tenant } from '../tenants/tenant.ts';
import { rateLimitOf } from '../tenants/tenant.ts';
import { newSecret } from '../tokens/secret.ts';
import type { TokenSigner } from '../tokens/sign.ts';
import type { User } from '../users/user.ts';
import type { RedeemSignIn } from './redeem-sign-in.ts';

/** Who is signed in, and a token to act with. */
export interface VerifiedSession {
  readonly session: ConsoleSession;
  readonly user: User;
  readonly tenant: Tenant;
  readonly principal: Omit<Principal, 'tokenType'>;
  /** Good for `TOKEN_KINDS.console.lifetimeS`. */
  readonly internalToken: string;
  /** The session's end was moved just now. */
  readonly renewed: boolean;
}

/** What the hosted login gave, and the browser that brings it. */
export interface NewSession {
  readonly code: string;
  readonly codeVerifier: string;
  readonly userAgent: string;
  readonly remoteAddress: string;
  /** Of the session that the browser has so far, which ends; empty for none. */
  readonly previousToken: string;
}

/** Sessions of the console. All that is known of one is read at each call: what ends it counts from the next on. */
export interface ConsoleSessions {
  /** Throws `UNAUTHORIZED` where the code does not fit. */
  begin(request: NewSession): Promise<{ sessionToken: string; session: ConsoleSession; user: User }>;
  /** Throws `UNAUTHORIZED`, always with the same words. */
  verify(sessionToken: string): Promise<VerifiedSession>;
  /** Ends the session, and the hosted login's sessions of its user; null where there was none. */
  end(sessionToken: string): Promise<ConsoleSession | null>;
}

/** What a user may do by their role (decisions, "Roles"). */
const MEMBER_SCOPES: readonly Scope[] = Object.freeze(['query', 'schemas:read'] as const);

const unauthorized = (): PenstockError => new PenstockError('UNAUTHORIZED', 'Unauthorized');

export function createConsoleSessions(options: {
  readonly store: ConsoleSessionStore;
  readonly redeem: RedeemSignIn;
  readonly users: PrincipalStore<User>;
  readonly tenants: TenantStore;
  readonly signer: TokenSigner;
  readonly rateLimit: RateLimit;
  readonly clock: Clock;
}): ConsoleSessions {
  const { store, users, tenants, signer, clock } = options;
  const nowS = (): number => Math.floor(clock.now() / 1000);
  const endOf = (session: Pick<ConsoleSession, 'beganAtS'>): number =>
    Math.min(nowS() + CONSOLE_SESSION.idleS, session.beganAtS + CONSOLE_SESSION.lifetimeS);

  /** The oldest make room: nobody uses so many browsers. */
  async function makeRoom(userId: string): Promise<void> {
    const sessions = (await store.list(userId)).sort((a, b) => a.lastUsedAtS - b.lastUsedAtS);
    const surplus = sessions.slice(0, Math.max(0, sessions.length - CONSOLE_SESSION.perUserMax + 1));
    for (const { sessionId } of surplus) await store.remove(userId, sessionId);
  }

  async function renewed(session: ConsoleSession): Promise<ConsoleSession | null> {
    if (nowS() - session.lastUsedAtS < CONSOLE_SESSION.renewalS) return null;
    const later = { ...session, lastUsedAtS: nowS(), expiresAtS: endOf(session) };
    await store.renew(later);
    return later;
  }

  return {
    async begin(request) {
      const { user, signedInAtS } = await options.redeem(request);
      const { userId, generation } = user;
      const sessionToken = `${userId}.${newSecret('consoleSession')}`;
      const atS = nowS();
      const session = {
        sessionId: sessionIdOf(sessionToken),
        ...{ userId, generation, signedInAtS, beganAtS: atS, lastUsedAtS: atS },
        expiresAtS: endOf({ beganAtS: atS }),
        userAgent: request.userAgent,
      };
      const previousUserId = userIdIn(request.previousToken);
      if (previousUserId !== null) await store.remove(previousUserId, sessionIdOf(request.previousToken));
      await makeRoom(userId);
      await store.create(session);
      const lastSignedInAt = new Date(signedInAtS * 1000).toISOString();
      await users.update(userId, (current) => ({ ...current, lastSignedInAt }));
      return { sessionToken, session, user };
    },

    async verify(sessionToken) {
      const userId = userIdIn(sessionToken);
      if (userId === null) throw unauthorized();
      const [session, user] = await Promise.all([
        store.get(userId, sessionIdOf(sessionToken)),
        users.get(userId),
      ]);
      if (session === null || user?.status !== 'active' || user.generation !== session.generation)
        throw unauthorized();
      const tenant = await tenants.get(user.tenantId);
      if (tenant === null) throw unauthorized();
      users.remember(userId, user.tenantId);
      const principal = {
        tenantId: user.tenantId,
        principalId: userId,
        principalType: 'user',
        role: user.role,
        scopes: user.role === 'admin' ? SCOPES : MEMBER_SCOPES,
        generation: user.generation,
        rateLimit: rateLimitOf(tenant, options.rateLimit),
        signedInAtS: session.signedInAtS,
      } as const;
      const internalToken = await signer.sign(principal, 'console');
      const later = await renewed(session);
      const current = later ?? session;
      return { session: current, user, tenant, principal, internalToken, renewed: later !== null };
    },

    async end(sessionToken) {
      const userId = userIdIn(sessionToken);
      const session = userId === null ? null : await store.get(userId, sessionIdOf(sessionToken));
      if (userId === null || session === null) return null;
      // Else whoever comes to this browser next would be let in by the hosted login, without a word.
      await users.update(userId, (current) => ({ ...current, signedOutAtS: nowS() }));
      await store.remove(userId, session.sessionId);
      return session;
    },
  };
}
