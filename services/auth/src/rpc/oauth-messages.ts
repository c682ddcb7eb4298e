/** What the authorization server says, as messages; and its requests, from messages. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AuthorizationStepSchema,
  ExchangeTokenRequest,
  ExchangeTokenResponseSchema,
  OAuthErrorSchema,
  VerifyAccessTokenResponseSchema,
} from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
import type { AuthorizationStep } from '../oauth/browser/step.ts';
import type { TokenGrant, TokenOutcome } from '../oauth/grant-tokens.ts';
import type { OAuthFailure } from '../oauth/failure.ts';
import type { VerifiedToken } from '../oauth/verify.ts';

export function toOAuthError(failure: OAuthFailure): MessageInitShape<typeof OAuthErrorSchema> {
  return { ...failure };
}

export function toStepMessage(step: AuthorizationStep): MessageInitShape<typeof AuthorizationStepSchema> {
  const { next } = step;
  return {
    setCookies: [...step.setCookies],
    next:
      next.kind === 'redirect'
        ? { case: 'redirectUrl', value: next.url }
        : { case: 'error', value: toOAuthError(next.failure) },
  };
}

export function toGrant(grant: ExchangeTokenRequest['grant']): TokenGrant | null {
  switch (grant.case) {
    case 'authorizationCode':
      return { ...grant.value, kind: 'authorization_code' };
    case 'refreshToken':
      return { ...grant.value, kind: 'refresh_token' };
    case 'clientCredentials':
      return { kind: 'client_credentials' };
    case 'otherGrantType':
      return { kind: 'other', grantType: grant.value };
    case undefined:
      return null;
  }
}

export function toTokenMessage(outcome: TokenOutcome): MessageInitShape<typeof ExchangeTokenResponseSchema> {
  return {
    result:
      outcome.kind === 'granted'
        ? { case: 'granted', value: { ...outcome.tokens } }
        : { case: 'error', value: toOAuthError(outcome.failure) },
  };
}

export function toVerifiedMessage(
  verified: VerifiedToken,
  resource: string,
): MessageInitShape<typeof VerifyAccessTokenResponseSchema> {
  const { principal } = verified;
  return {
    internalToken: verified.internalToken,
    expiresAt: BigInt(verified.expiresAtS),
    clientId: verified.clientId,
    tenantId: principal.tenantId,
    principalId: principal.principalId,
    principalType: principal.principalType,
    scopes: [...principal.scopes],
    ...(principal.role === null ? {} : { role: principal.role }),
    ...(principal.rateLimit === null
      ? {}
      : { rateLimitRps: principal.rateLimit.rps, rateLimitBurst: principal.rateLimit.burst }),
    resource,
    generation: BigInt(principal.generation),
  };
}
