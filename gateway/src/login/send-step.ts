import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { AuthorizationStep } from '../clients/oauth-messages.ts';
import type { Exchange } from '../http/exchange.ts';
import { errorPage } from './pages/error.ts';
import { sendPage, sendRedirect } from './send-page.ts';

/** Sends the browser where auth says, with auth's cookies; or shows why there is nowhere to go. */
export function sendStep(exchange: Exchange, { next, setCookies }: AuthorizationStep): void {
  if (next.case === 'redirectUrl') return sendRedirect(exchange, next.value, setCookies);
  if (next.case !== 'error') throw new PenstockError('INTERNAL', 'auth answered neither way');
  const { response, requestId } = exchange;
  const { httpStatus, retryAfterS, error, errorDescription } = next.value;
  if (setCookies.length > 0) response.setHeader('set-cookie', [...setCookies]);
  if (retryAfterS !== undefined) response.setHeader('retry-after', retryAfterS);
  sendPage(exchange, httpStatus, errorPage({ message: errorDescription, code: error, requestId }));
}
