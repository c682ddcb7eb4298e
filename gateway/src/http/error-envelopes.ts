/** How errors are written for clients: queries have one envelope, all other endpoints another. */
import { ERROR_CODES } from '@penstock/common/errors/codes.ts';
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { sendJson } from './answer.ts';
import type { Exchange } from './exchange.ts';

export const QUERY_PATH = '/v1/query';

/** 429 and 503 say when to come back (RFC 9110, section 10.2.3). */
export function setRetryAfter({ response }: Exchange, status: number, error: PenstockError): void {
  if (status !== 429 && status !== 503) return;
  response.setHeader('retry-after', Math.max(1, Math.ceil(error.retryAfterS ?? 1)));
}

/** What the contract says of a query that failed. */
export interface QueryError {
  readonly error: string;
  readonly detailedError?: string;
}

export const queryErrorOf = ({ message, detail }: PenstockError): QueryError => ({
  error: message,
  ...(detail === undefined ? {} : { detailedError: detail }),
});

/** Sends the error; `status` replaces the code's own (405 has no code of its own). */
export function sendError(exchange: Exchange, error: PenstockError, status?: number): void {
  const { request, response, requestId } = exchange;
  const isQuery = request.path === QUERY_PATH;
  const { http, queryHttp } = ERROR_CODES[error.code];
  const sent = status ?? (isQuery ? queryHttp : http);
  setRetryAfter(exchange, sent, error);
  const body = isQuery
    ? { success: false, ...queryErrorOf(error) }
    : { success: false, error: { message: error.message, code: error.code, requestId } };
  sendJson(response, sent, body);
}
