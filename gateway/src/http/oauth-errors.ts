/** Errors as OAuth clients read them (RFC 6749, section 5.2). */
import { ERROR_CODES } from '@penstock/common/errors/codes.ts';
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { sendJson } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import { mapAndLog } from './to-penstock-error.ts';

/** An error of auth, or one made here. */
interface OAuthProblem {
  readonly error: string;
  readonly errorDescription: string;
  readonly httpStatus: number;
  readonly retryAfterS?: number | undefined;
  readonly wwwAuthenticate?: string | undefined;
}

/** An error that OAuth's own rules do not name. `requestError` is the code for a wrong request on this route. */
function oauthProblemOf(error: PenstockError, requestError = 'invalid_request'): OAuthProblem {
  const { category, http } = ERROR_CODES[error.code];
  if (error.code === 'RATE_LIMITED') {
    const { message: errorDescription, retryAfterS } = error;
    return { error: 'temporarily_unavailable', errorDescription, httpStatus: http, retryAfterS };
  }
  if (category === 'user') {
    return { error: requestError, errorDescription: error.message, httpStatus: http === 413 ? 413 : 400 };
  }
  const errorDescription =
    error.code === 'UNAVAILABLE' ? 'Sign-in is not available at the moment; try again' : 'Internal error';
  return { error: 'server_error', errorDescription, httpStatus: 500 };
}

export function sendOAuthProblem({ response }: Exchange, problem: OAuthProblem): void {
  if (problem.retryAfterS !== undefined) response.setHeader('retry-after', problem.retryAfterS);
  if (problem.wwwAuthenticate !== undefined) response.setHeader('www-authenticate', problem.wwwAuthenticate);
  sendJson(response, problem.httpStatus, {
    error: problem.error,
    error_description: problem.errorDescription,
  });
}

/** 405 the OAuth way: RFC 6749 knows no code of its own for a wrong method. */
export function refuseOAuthMethod(exchange: Exchange, message: string): void {
  sendOAuthProblem(exchange, { error: 'invalid_request', errorDescription: message, httpStatus: 405 });
}

/** A handler whose errors are answered the OAuth way. */
export function answeringOAuthErrors(handle: Endpoint['handle'], requestError?: string): Endpoint['handle'] {
  return async (exchange) => {
    try {
      await handle(exchange);
    } catch (error) {
      if (exchange.response.headersSent) throw error;
      const mapped = mapAndLog(exchange, error);
      sendOAuthProblem(exchange, oauthProblemOf(mapped, requestError));
    }
  };
}
