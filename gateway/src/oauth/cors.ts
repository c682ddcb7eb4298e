import type { RequestHandler } from 'express';
import { METADATA_PATHS } from './metadata.ts';
import { PREFLIGHT_MAX_AGE_S } from './limits.ts';

/**
 * Public clients may run in a browser, on any origin: these routes read no cookie, so any page may call them.
 * /authorize and the login pages are not among them: the browser itself opens those.
 */
const METHODS: ReadonlyMap<string, string> = new Map([
  ...[...METADATA_PATHS.protectedResource, ...METADATA_PATHS.authorizationServer].map(
    (path) => [path, 'GET'] as const,
  ),
  ...['/token', '/register', '/revoke'].map((path) => [path, 'POST'] as const),
]);

/** Answers preflights of the routes that browser clients call, and marks their answers as readable. */
export function oauthCors(): RequestHandler {
  return (request, response, next) => {
    const method = METHODS.get(request.path);
    if (method === undefined) return next();
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-expose-headers', 'www-authenticate, retry-after, x-request-id');
    const isPreflight =
      request.method === 'OPTIONS' && request.get('access-control-request-method') !== undefined;
    if (!isPreflight) return next();
    response.setHeader('access-control-allow-methods', method);
    response.setHeader('access-control-allow-headers', 'authorization, content-type, mcp-protocol-version');
    response.setHeader('access-control-max-age', PREFLIGHT_MAX_AGE_S);
    response.status(204).end();
  };
}
