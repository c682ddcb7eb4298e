/** What the server's interceptors found out about a call, for its handler. */
import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { PenstockError } from '../errors/penstock-error.ts';
import type { Logger } from '../logging/logger.ts';
import type { Principal } from '../token/principal.ts';
import { USAGE_ID_HEADER } from './headers.ts';

export const principalKey = createContextKey<Principal | null>(null, { description: 'principal' });
export const tokenKey = createContextKey<string | null>(null, { description: 'token' });
export const requestIdKey = createContextKey<string>('', { description: 'request ID' });
export const loggerKey = createContextKey<Logger | null>(null, { description: 'logger' });

type Context = Pick<HandlerContext, 'values'>;

/** @throws PenstockError UNAUTHORIZED in a service that takes calls without a token */
export function principalOf(context: Context): Principal {
  const principal = context.values.get(principalKey);
  if (principal === null) throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
  return principal;
}

/** The verified token, to forward on calls made on the caller's behalf. Throws as principalOf does. */
export function tokenOf(context: Context): string {
  const token = context.values.get(tokenKey);
  if (token === null) throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
  return token;
}

export function requestIdOf(context: Context): string {
  return context.values.get(requestIdKey);
}

/** Writes request ID, tenant and principal on every line. */
export function loggerOf(context: Context): Logger {
  const logger = context.values.get(loggerKey);
  if (logger === null) throw new TypeError('loggerOf: the call did not come through startRpcServer');
  return logger;
}

/** The UUID that usage is recorded under; null where the caller sent none. */
export function usageIdOf(context: Pick<HandlerContext, 'requestHeader'>): string | null {
  return context.requestHeader.get(USAGE_ID_HEADER);
}
