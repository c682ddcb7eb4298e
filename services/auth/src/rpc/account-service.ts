import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { AccountService } from '@penstock/common/gen/penstock/auth/v1/console_pb.js';
import { loggerOf } from '@penstock/common/rpc/call-context.ts';
import { passkeyIdOf, type AccountAdministration } from '../console/account.ts';
import { consoleCallerOf } from './console-caller.ts';

const audit = (context: HandlerContext, action: string, subject: Record<string, string> = {}): void =>
  loggerOf(context).info({ audit: action, ...subject }, `console: ${action}`);

/** What a user of the console does with what is their own. */
export function accountService(account: AccountAdministration): ServiceImpl<typeof AccountService> {
  const userOf = (context: HandlerContext): string => consoleCallerOf(context).principalId;
  return {
    async getAccount(_request, context) {
      const { user, passkeys, sessions } = await account.get(userOf(context));
      return {
        email: user.email,
        passkeys: passkeys.map((passkey) => ({
          passkeyId: passkeyIdOf(passkey),
          createdAt: passkey.createdAt,
          transports: passkey.transports,
        })),
        hasPassword: user.passwordHash !== null,
        hasTotp: user.sealedTotpSecret !== null,
        sessions: sessions.map(({ sessionId, signedInAtS, lastUsedAtS, expiresAtS, userAgent }) => ({
          ...{ sessionId, userAgent },
          signedInAt: BigInt(signedInAtS),
          lastUsedAt: BigInt(lastUsedAtS),
          expiresAt: BigInt(expiresAtS),
        })),
      };
    },
    async createEnrollmentLink({ sessionId }, context) {
      const { enrollUrl, expiresAtS } = await account.enrollmentLink(userOf(context), sessionId);
      audit(context, 'own enrollment link made');
      return { enrollUrl, expiresAt: BigInt(expiresAtS) };
    },
    async removePasskey({ passkeyId, sessionId }, context) {
      await account.removePasskey(userOf(context), passkeyId, sessionId);
      audit(context, 'own passkey removed');
      return {};
    },
    async removeSession({ sessionId }, context) {
      await account.removeSession(userOf(context), sessionId);
      audit(context, 'own session ended');
      return {};
    },
    async removeAllSessions(_request, context) {
      await account.removeAllSessions(userOf(context));
      audit(context, 'own sessions ended');
      return {};
    },
    async listAgents(_request, context) {
      const agents = await account.agents(userOf(context));
      return {
        agents: agents.map(({ agentId, name, redirectHost, scopes, allowedAtS, expiresAtS }) => ({
          ...{ agentId, name, redirectHost, scopes },
          allowedAt: BigInt(allowedAtS),
          expiresAt: BigInt(expiresAtS),
        })),
      };
    },
    async removeAgent({ agentId }, context) {
      await account.removeAgent(userOf(context), agentId);
      audit(context, 'agent ended');
      return {};
    },
  };
}
