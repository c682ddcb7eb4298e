/** How a request to /mcp is refused before any tool sees it. */
import type { OAuthErrorCode } from '@modelcontextprotocol/server';
import { bearerAuthChallengeResponse, OAuthError } from '@modelcontextprotocol/server';
import { ERROR_CODES } from '@penstock/common/errors/codes.ts';
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { sendJson } from '../http/answer.ts';
import { setRetryAfter } from '../http/error-envelopes.ts';
import type { Exchange } from '../http/exchange.ts';

/** JSON-RPC's range for what an implementation defines itself. */
const SERVER_ERROR = -32_000;
const INTERNAL_ERROR = -32_603;
const INVALID_REQUEST = -32_600;

/** Where the metadata of the resource at this URL is (RFC 9728, section 3.1: inserted before the path). */
function resourceMetadataUrl(resource: URL): string {
  return new URL(`/.well-known/oauth-protected-resource${resource.pathname}`, resource).href;
}

interface Challenge {
  readonly code: OAuthErrorCode.InvalidToken | OAuthErrorCode.InsufficientScope;
  readonly message: string;
  /** What a token should be asked for with. */
  readonly scopes: readonly string[];
}

/** 401 or 403 with what a client needs to get a token that is good enough: the metadata and the scopes. */
export function challenge({ response }: Exchange, resource: URL, { code, message, scopes }: Challenge): void {
  const answer = bearerAuthChallengeResponse(new OAuthError(code, message), {
    requiredScopes: [...scopes],
    resourceMetadataUrl: resourceMetadataUrl(resource),
  });
  response.setHeader('www-authenticate', answer.headers.get('www-authenticate') ?? 'Bearer');
  sendJson(response, answer.status, { error: code, error_description: message });
}

/** A JSON-RPC error at the status that HTTP has for it. */
export function refuse(
  { response }: Exchange,
  status: number,
  message: string,
  id: string | number | null = null,
): void {
  const code = status >= 500 ? INTERNAL_ERROR : status === 400 ? INVALID_REQUEST : SERVER_ERROR;
  sendJson(response, status, { jsonrpc: '2.0', id, error: { code, message } });
}

/** Refuses with what went wrong; 429 and 503 say when to come back. */
export function refuseWith(exchange: Exchange, error: PenstockError, id: string | number | null): void {
  const { http } = ERROR_CODES[error.code];
  setRetryAfter(exchange, http, error);
  refuse(exchange, http, error.message, id);
}
