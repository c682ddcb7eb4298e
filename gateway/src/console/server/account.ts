import type { GatewayClients } from '../../clients/gateway-clients.ts';
import { answered } from '../../clients/service-call.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { pathParameter } from '../../http/path-parameter.ts';
import type { Account, EnrollmentLink } from '../api/account.ts';
import type { Agent } from '../api/agents.ts';
import { PATHS } from '../api/paths.ts';
import type { Page } from '../api/protocol.ts';
import type { Deleted } from '../api/session.ts';
import { consoleRoute, type ConsoleRoutes } from './route.ts';
import { timestampOf } from './timestamp.ts';

const deleted: Deleted = Object.freeze({ deleted: true });

/** What users do with what is their own: ways in, sessions, agents that they allowed. */
export function accountEndpoints(
  options: ConsoleRoutes & { readonly account: GatewayClients['account'] },
): readonly Endpoint[] {
  const { account, sessions } = options;
  return [
    consoleRoute(options, 'get', PATHS.account, async ({ rpc, signedIn }) => {
      const found = await answered(account.getAccount({}, rpc));
      return {
        email: found.email,
        passkeys: found.passkeys.map(({ passkeyId, createdAt, transports }) => ({
          ...{ passkeyId, createdAt, transports },
        })),
        hasPassword: found.hasPassword,
        hasOneTimeCode: found.hasTotp,
        sessions: found.sessions.map(({ sessionId, userAgent, ...times }) => ({
          ...{ sessionId, userAgent, current: sessionId === signedIn.sessionId },
          signedInAt: timestampOf(times.signedInAt),
          lastUsedAt: timestampOf(times.lastUsedAt),
          expiresAt: timestampOf(times.expiresAt),
        })),
      } satisfies Account;
    }),
    consoleRoute(
      options,
      'post',
      PATHS.enrollmentLink,
      async ({ rpc, signedIn }) => {
        const { sessionId } = signedIn;
        const { enrollUrl, expiresAt } = await answered(account.createEnrollmentLink({ sessionId }, rpc));
        return { enrollUrl, expiresAt: timestampOf(expiresAt) } satisfies EnrollmentLink;
      },
      { status: 201 },
    ),
    consoleRoute(
      options,
      'delete',
      `${PATHS.account}/passkeys/:passkeyId`,
      async ({ exchange, rpc, signedIn }) => {
        const passkeyId = pathParameter(exchange, 'passkeyId');
        await answered(account.removePasskey({ passkeyId, sessionId: signedIn.sessionId }, rpc));
        return deleted;
      },
    ),
    consoleRoute(options, 'delete', `${PATHS.account}/sessions/:sessionId`, async ({ exchange, rpc }) => {
      const sessionId = pathParameter(exchange, 'sessionId');
      await answered(account.removeSession({ sessionId }, rpc));
      sessions.forget(sessionId);
      return deleted;
    }),
    consoleRoute(options, 'get', PATHS.agents, async ({ rpc }) => {
      const { agents } = await answered(account.listAgents({}, rpc));
      const items = agents.map(({ agentId, name, redirectHost, scopes, allowedAt, expiresAt }): Agent => ({
        ...{ agentId, name, redirectHost },
        scopes: scopes.filter((scope) => scope === 'query' || scope === 'schemas:read'),
        allowedAt: timestampOf(allowedAt),
        expiresAt: timestampOf(expiresAt),
      }));
      return { items } satisfies Page<Agent>;
    }),
    consoleRoute(options, 'delete', `${PATHS.agents}/:agentId`, async ({ exchange, rpc }) => {
      await answered(account.removeAgent({ agentId: pathParameter(exchange, 'agentId') }, rpc));
      return deleted;
    }),
  ];
}
