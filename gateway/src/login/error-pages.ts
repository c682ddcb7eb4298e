import { ERROR_CODES } from '@penstock/common/errors/codes.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import { mapAndLog } from '../http/to-penstock-error.ts';
import { errorPage } from './pages/error.ts';
import { sendPage } from './send-page.ts';

/** 405 as a page. */
export function refuseMethodOnPage(exchange: Exchange, message: string): void {
  sendPage(exchange, 405, errorPage({ message, requestId: exchange.requestId }));
}

/** A handler whose errors are shown as a page: a person is looking at it. */
export function answeringErrorPages(handle: Endpoint['handle']): Endpoint['handle'] {
  return async (exchange) => {
    try {
      await handle(exchange);
    } catch (error) {
      if (exchange.response.headersSent) throw error;
      const { response, requestId } = exchange;
      const mapped = mapAndLog(exchange, error);
      const { category, http } = ERROR_CODES[mapped.code];
      if (mapped.retryAfterS !== undefined) response.setHeader('retry-after', Math.ceil(mapped.retryAfterS));
      const message =
        category === 'user' ? mapped.message : 'Sign-in is not available at the moment. Try again shortly.';
      sendPage(exchange, http, errorPage({ message, requestId }));
    }
  };
}
