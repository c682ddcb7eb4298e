import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Exchange } from '../http/exchange.ts';
import { queryParameters, type Parameters } from '../http/form-parameters.ts';

/** The cookies as the browser sent them: auth decides which of them count. */
export const cookieHeader = ({ request }: Exchange): string => request.headers.cookie ?? '';

interface Browser {
  readonly interactionId: string;
  readonly cookieHeader: string;
}

/** The sign-in that the page's URL names, and the browser that asks for it. */
export function browserOf(exchange: Exchange): Browser {
  const interactionId = queryParameters(exchange).get('interaction');
  if (interactionId === undefined) {
    throw new PenstockError('NOT_FOUND', 'Start signing in from the application that you want to connect.');
  }
  return { interactionId, cookieHeader: cookieHeader(exchange) };
}

/** A form of that sign-in. */
export function interactionForm(
  exchange: Exchange,
  form: Parameters,
): { readonly browser: Browser; readonly csrfToken: string } {
  return { browser: browserOf(exchange), csrfToken: form.get('csrf') ?? '' };
}

export const loginPath = (interactionId: string): string =>
  `/login?interaction=${encodeURIComponent(interactionId)}`;
