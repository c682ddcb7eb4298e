import { createHash } from 'node:crypto';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { SCOPES, type Principal } from '@penstock/common/token/principal.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../../clients/service-call.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import { CONSOLE_SESSION_KNOWN_MS, CONSOLE_SESSIONS_KNOWN_MAX, RPC_TIMEOUT_MS } from '../../limits.ts';
import type { Caller } from '../../middleware/admission.ts';
import type { RevocationList } from '../../revocations/revocation-list.ts';
import type { ConsoleCookies } from './cookies.ts';
import { requireOwnPage } from './own-page.ts';

/** Who is signed in to the console, in which session. */
export interface SignedIn extends Caller {
  readonly sessionId: string;
  readonly email: string;
  readonly role: 'admin' | 'member';
  readonly tenantName: string;
  /** Epoch seconds. */
  readonly signedInAtS: number;
  readonly expiresAtS: number;
}

/** Sessions as auth knows them. */
export interface ConsoleSessions {
  /**
   * Who sent a request of the console's page, and a token to act with.
   *
   * @throws PenstockError CROSS_SITE; UNAUTHORIZED where there is no session or it has ended, and the cookie with it;
   *   VALIDATION_ERROR where a bearer token came along; RATE_LIMITED for an address that guesses; UNAVAILABLE
   */
  signedIn(exchange: Exchange): Promise<SignedIn>;
  /** Ends the request's session, and its cookie. A session that has ended is no error. */
  end(exchange: Exchange): Promise<void>;
  /** To be called when a session was ended otherwise: this gateway asks auth again. */
  forget(sessionId: string): void;
  /** The same for all sessions of a user: those that ended, or that may do something else now. */
  forgetUser(userId: string): void;
  /** Takes the cookie from the browser. */
  clearCookie(exchange: Exchange): void;
}

interface Known extends SignedIn {
  /** When auth was asked; what changed since may not be in its answer. */
  readonly askedAtMs: number;
  readonly untilMs: number;
}

const MEMBER_SCOPES = Object.freeze(['query', 'schemas:read'] as const);

const unauthorized = (): PenstockError => new PenstockError('UNAUTHORIZED', 'Unauthorized');
/** As auth names a session: its token is kept nowhere. */
const sessionIdOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * What auth says of a session holds for two seconds here; then it is asked again. So a session that ends anywhere, and a
 * role that changes, count on every gateway within that time, and a gateway that starts again knows all sessions.
 */
export function createConsoleSessions(options: {
  readonly rpc: GatewayClients['consoleSessions'];
  readonly cookies: ConsoleCookies;
  readonly revocations: RevocationList;
  readonly wrongTokens: WrongTries;
  readonly origin: string;
  readonly clock: Clock;
}): ConsoleSessions {
  const { rpc, cookies, revocations, wrongTokens, origin, clock } = options;
  const known = boundedCache<Known>(CONSOLE_SESSIONS_KNOWN_MAX);
  /** Since when nothing that was known of a user's sessions counts, by user. */
  const forgottenAtMs = boundedCache<number>(CONSOLE_SESSIONS_KNOWN_MAX);
  const asked = new Map<string, Promise<{ readonly signedIn: Known; readonly renewed: boolean }>>();

  async function askAuth(token: string, requestId: string) {
    // Several requests of a page wait for one answer: it must not end with the first of them.
    const askedAtMs = clock.now();
    const call = onBehalfOf({ requestId, signal: AbortSignal.timeout(RPC_TIMEOUT_MS) }, null);
    const found = await answered(rpc.verifySession({ sessionToken: token }, call));
    const { rateLimitRps: rps, rateLimitBurst: burst } = found;
    const role = found.role === 'admin' ? 'admin' : 'member';
    const principal: Principal = Object.freeze({
      tenantId: found.tenantId,
      principalId: found.userId,
      principalType: 'user',
      scopes: role === 'admin' ? SCOPES : MEMBER_SCOPES,
      role,
      generation: Number(found.generation),
      rateLimit: rps === undefined || burst === undefined ? null : { rps, burst },
      tokenType: 'console',
    });
    const signedIn: Known = Object.freeze({
      ...{ principal, token: found.internalToken, role },
      ...{ sessionId: found.sessionId, email: found.email, tenantName: found.tenantName },
      signedInAtS: Number(found.signedInAt),
      expiresAtS: Number(found.expiresAt),
      askedAtMs,
      untilMs: clock.now() + CONSOLE_SESSION_KNOWN_MS,
    });
    known.set(found.sessionId, signedIn);
    return { signedIn, renewed: found.renewed };
  }

  function askOnce(token: string, sessionId: string, requestId: string) {
    const before = asked.get(sessionId);
    if (before !== undefined) return before;
    const asking = askAuth(token, requestId).finally(() => asked.delete(sessionId));
    asked.set(sessionId, asking);
    return asking;
  }

  function stillHolds({ principal, askedAtMs, untilMs }: Known): boolean {
    const forgotten = forgottenAtMs.get(principal.principalId) ?? -Infinity;
    return clock.now() < untilMs && forgotten < askedAtMs;
  }

  async function look(exchange: Exchange, token: string): Promise<Known> {
    const sessionId = sessionIdOf(token);
    const before = known.get(sessionId);
    if (before !== undefined && stillHolds(before)) return before;
    const ask = () => askOnce(token, sessionId, exchange.requestId);
    try {
      // Whose session was good a moment ago is not throttled because of others at the same address.
      const { signedIn, renewed } = await (before === undefined
        ? wrongTokens.attempt(exchange, ask, { code: 'UNAUTHORIZED' })
        : ask());
      if (renewed) cookies.setSession(exchange, token, secondsTo(signedIn.expiresAtS));
      return signedIn;
    } catch (error) {
      if (error instanceof PenstockError && error.code === 'UNAUTHORIZED') known.delete(sessionId);
      throw error;
    }
  }

  const secondsTo = (endS: number): number => Math.max(1, endS - Math.floor(clock.now() / 1000));

  return Object.freeze({
    async signedIn(exchange: Exchange): Promise<SignedIn> {
      requireOwnPage(exchange, origin);
      if (exchange.request.get('authorization') !== undefined) {
        throw new PenstockError(
          'VALIDATION_ERROR',
          "A request of the console's page has no bearer token: send one or the other",
        );
      }
      const token = cookies.session(exchange);
      if (token === null) throw unauthorized();
      try {
        const signedIn = await look(exchange, token);
        if (await revocations.isRevoked(signedIn.principal)) throw unauthorized();
        return signedIn;
      } catch (error) {
        if (!(error instanceof PenstockError)) throw error;
        // What no session ever looked like is refused in other words by auth.
        const isOver = error.code === 'UNAUTHORIZED' || error.code === 'VALIDATION_ERROR';
        if (!isOver) throw error;
        cookies.setSession(exchange, null, 0);
        throw unauthorized();
      }
    },

    async end(exchange: Exchange): Promise<void> {
      requireOwnPage(exchange, origin);
      const token = cookies.session(exchange);
      cookies.setSession(exchange, null, 0);
      if (token === null) return;
      known.delete(sessionIdOf(token));
      await answered(rpc.endSession({ sessionToken: token }, onBehalfOf(exchange, null)));
    },

    forget: (sessionId: string) => known.delete(sessionId),
    forgetUser: (userId: string) => forgottenAtMs.set(userId, clock.now()),
    clearCookie: (exchange: Exchange) => cookies.setSession(exchange, null, 0),
  });
}
