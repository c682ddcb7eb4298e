/** Which hosts requests may be sent to, and which pages may send them: the guard against DNS rebinding. */
import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import { exchangeOf } from '../http/exchange.ts';
import { MCP_PATH } from './endpoint.ts';
import { PREFLIGHT_MAX_AGE_S } from './limits.ts';
import { refuse } from './refuse.ts';

interface OriginGuard {
  /** `{mcp_url}/mcp`. Its host is always good, on any port; of a loopback name the other loopback names too. */
  readonly resource: URL;
  /** Other names that requests may be sent to, for example behind a proxy that rewrites `Host`. Without ports. */
  readonly allowedHosts: readonly string[];
  /** Other pages that agents may run in: whole origins (`https://agent.example`). */
  readonly allowedOrigins: readonly string[];
}

/** A name or an address, and a port (RFC 9110, section 7.2). */
const HOST = /^(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** What the protocol's clients send beyond what any page may (MCP 2026-07-28, "Request Metadata"). */
const REQUEST_HEADERS = 'authorization, content-type, mcp-method, mcp-name, mcp-protocol-version';

/**
 * Refuses with 403 what is sent to another host or from a page of another site (MCP, "Streamable HTTP", security). It
 * does so for every method, before any token is looked at. An allowed page gets the CORS headers that its browser
 * asks for.
 */
export function originGuard({ resource, allowedHosts, allowedOrigins }: OriginGuard): RequestHandler {
  const loopback = localhostAllowedHostnames();
  const own = loopback.includes(resource.hostname) ? loopback : [resource.hostname];
  const hosts = [...own, ...allowedHosts];
  const origins = new Set(allowedOrigins);

  return (request, response, next) => {
    if (request.path !== MCP_PATH) return next();
    const { host = '', origin } = request.headers;
    // The library's check accepts `user@host`, `host/path` and the like, from which no URL can be made.
    if (!HOST.test(host)) return refuse(exchangeOf(request), 403, 'Invalid Host header');
    const sentTo = validateHostHeader(host, hosts);
    if (!sentTo.ok) return refuse(exchangeOf(request), 403, sentTo.message);
    if (origin === undefined) return next();

    const sentFrom = validateOriginHeader(origin, own);
    if (!sentFrom.ok && !origins.has(origin)) return refuse(exchangeOf(request), 403, sentFrom.message);
    response.setHeader('access-control-allow-origin', origin);
    response.vary('origin');
    response.setHeader('access-control-expose-headers', 'www-authenticate, retry-after, x-request-id');
    const isPreflight =
      request.method === 'OPTIONS' && request.get('access-control-request-method') !== undefined;
    if (!isPreflight) return next();
    response.setHeader('access-control-allow-methods', 'POST');
    response.setHeader('access-control-allow-headers', REQUEST_HEADERS);
    response.setHeader('access-control-max-age', PREFLIGHT_MAX_AGE_S);
    response.status(204).end();
  };
}
