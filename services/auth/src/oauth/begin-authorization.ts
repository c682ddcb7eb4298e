import type Provider from 'oidc-provider';
import type { Accounts } from './accounts.ts';
import { setAll } from './authenticated-call.ts';
import type { BrowserCookies } from './browser/cookies.ts';
import { browserSession } from './browser/session.ts';
import { toStep } from './browser/step.ts';
import type { AuthorizationStep } from './browser/step.ts';
import { internalCookies, routes } from './provider/configuration.ts';
import type { ProviderCall } from './provider/inject.ts';
import { MCP_SCOPES, requestedScopes } from './scopes.ts';

/** The query of GET /authorize: those of its parameters that mean something here. */
export interface AuthorizationRequest {
  readonly responseType?: string | undefined;
  readonly clientId?: string | undefined;
  readonly redirectUri?: string | undefined;
  readonly scope?: string | undefined;
  readonly state?: string | undefined;
  readonly codeChallenge?: string | undefined;
  readonly codeChallengeMethod?: string | undefined;
  readonly prompt?: string | undefined;
  readonly responseMode?: string | undefined;
  readonly resource: readonly string[];
  readonly cookieHeader: string;
}

interface AuthorizeOptions {
  readonly provider: Provider;
  readonly call: ProviderCall;
  readonly accounts: Accounts;
  readonly cookies: BrowserCookies;
  readonly mcpUrl: string;
}

/** Only the code flow exists here. Errors of the implicit flow would go into the fragment. */
const responseTypeOf = (asked: string | undefined): string | undefined =>
  asked === undefined || asked === '' || asked === 'code' ? asked : 'unsupported';

/** Answers go into the query of the redirect URI. oidc-provider has other modes, with pages of its own. */
const responseModeOf = (asked: string | undefined): string | undefined =>
  asked === undefined || asked === '' || asked === 'query' ? undefined : 'unsupported';

function queryOf(request: AuthorizationRequest): URLSearchParams {
  const asked = requestedScopes(request.scope);
  const parameters = {
    response_type: responseTypeOf(request.responseType),
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    // Users may have all MCP scopes; other scopes (`openid`, `offline_access`) are ignored.
    scope: (asked.length === 0 ? MCP_SCOPES : asked).join(' '),
    state: request.state,
    code_challenge: request.codeChallenge,
    code_challenge_method: request.codeChallengeMethod,
    prompt: request.prompt,
    response_mode: responseModeOf(request.responseMode),
  };
  const query = new URLSearchParams();
  setAll(query, parameters);
  for (const resource of request.resource) if (resource !== '') query.append('resource', resource);
  return query;
}

/** GET /authorize: to the login page, back to the client with an error, or an error page. */
export async function beginAuthorization(
  options: AuthorizeOptions,
  request: AuthorizationRequest,
): Promise<AuthorizationStep> {
  const session = await browserSession(options, request.cookieHeader);
  const response = await options.call({
    method: 'GET',
    path: routes.authorization,
    query: queryOf(request),
    cookies: session === null ? {} : { [internalCookies.session]: session.sessionId },
  });
  return toStep(options, response, request.clientId);
}
