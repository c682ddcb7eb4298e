import type { ServiceImpl } from '@connectrpc/connect';
import type { ConsoleSessionService } from '@penstock/common/gen/penstock/auth/v1/console_pb.js';
import { loggerOf } from '@penstock/common/rpc/call-context.ts';
import type { ConsoleSessions } from '../console/sessions.ts';

/** Sessions of the console, for the gateway. What begins and ends is logged, never with what. */
export function consoleSessionService(sessions: ConsoleSessions): ServiceImpl<typeof ConsoleSessionService> {
  return {
    async beginSession({ previousSessionToken: previousToken, ...signIn }, context) {
      const { code, codeVerifier, userAgent, remoteAddress } = signIn;
      const { sessionToken, session, user } = await sessions.begin({
        ...{ code, codeVerifier, userAgent, remoteAddress, previousToken },
      });
      const { userId, tenantId } = user;
      loggerOf(context).info({ audit: 'console session began', userId, tenantId }, 'console: signed in');
      return { sessionToken, expiresAt: BigInt(session.expiresAtS) };
    },
    async verifySession({ sessionToken }) {
      const { session, user, tenant, principal, internalToken, renewed } =
        await sessions.verify(sessionToken);
      return {
        ...{ internalToken, renewed, sessionId: session.sessionId },
        ...{ userId: user.userId, email: user.email, role: user.role },
        ...{ tenantId: tenant.tenantId, tenantName: tenant.name },
        signedInAt: BigInt(session.signedInAtS),
        expiresAt: BigInt(session.expiresAtS),
        generation: BigInt(principal.generation),
        ...(principal.rateLimit === null
          ? {}
          : { rateLimitRps: principal.rateLimit.rps, rateLimitBurst: principal.rateLimit.burst }),
      };
    },
    async endSession({ sessionToken }, context) {
      const ended = await sessions.end(sessionToken);
      if (ended !== null)
        loggerOf(context).info(
          { audit: 'console session ended', userId: ended.userId },
          'console: signed out',
        );
      return {};
    },
  };
}
