import { AUTHORIZATION_HEADER } from '@penstock/common/rpc/headers.ts';
import type { Exchange } from '../http/exchange.ts';
import { optional, type Parameters } from '../http/form-parameters.ts';

/** How the client authenticates, as it was sent. Auth decides which method it is, and that it is just one. */
export function clientAuthentication(
  { request }: Exchange,
  form: Parameters,
): { readonly authorization?: string; readonly clientId?: string; readonly clientSecret?: string } {
  return {
    ...optional('authorization', request.get(AUTHORIZATION_HEADER)),
    ...optional('clientId', form.get('client_id')),
    ...optional('clientSecret', form.get('client_secret')),
  };
}
