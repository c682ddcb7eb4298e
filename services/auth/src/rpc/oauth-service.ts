import type { ServiceImpl } from '@connectrpc/connect';
import type { OAuthService } from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
import { loggerOf } from '@penstock/common/rpc/call-context.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { toGrant, toOAuthError, toStepMessage, toTokenMessage, toVerifiedMessage } from './oauth-messages.ts';

/** The endpoints of the authorization server. Refusals are logged by their code, never with what was presented. */
export function oauthService(options: {
  server: AuthorizationServer;
  resource: string;
}): ServiceImpl<typeof OAuthService> {
  const { server, resource } = options;
  return {
    getMetadata: () => server.metadata,
    async registerClient({ metadataJson, remoteAddress }, context) {
      const outcome = await server.register({ metadataJson, remoteAddress });
      if (outcome.kind === 'registered') {
        loggerOf(context).info({ audit: 'oauth client registered' }, 'oauth: client registered');
        return { result: { case: 'clientJson', value: outcome.clientJson } };
      }
      loggerOf(context).info({ oauthError: outcome.failure.error }, 'oauth: registration refused');
      return { result: { case: 'error', value: toOAuthError(outcome.failure) } };
    },
    async beginAuthorization(request) {
      return toStepMessage(await server.begin(request));
    },
    async exchangeToken({ client, grant, scope, resource: resources, remoteAddress }, context) {
      const outcome = await server.exchange({
        client: client ?? {},
        grant: toGrant(grant),
        scope,
        resource: resources,
        remoteAddress,
      });
      if (outcome.kind === 'error') {
        loggerOf(context).info({ oauthError: outcome.failure.error, grant: grant.case }, 'oauth: no token');
      }
      return toTokenMessage(outcome);
    },
    async revokeToken({ client, token, tokenTypeHint, remoteAddress }) {
      const failure = await server.revoke({ client: client ?? {}, token, tokenTypeHint, remoteAddress });
      return failure === null ? {} : { error: toOAuthError(failure) };
    },
    async verifyAccessToken({ accessToken }) {
      return toVerifiedMessage(await server.verify(accessToken), resource);
    },
  };
}
