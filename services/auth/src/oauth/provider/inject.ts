/** Calls oidc-provider in this process, without a port: it speaks HTTP only. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import inject from 'light-my-request';

interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly form?: URLSearchParams;
  readonly json?: unknown;
  readonly authorization?: string | undefined;
  /** By name. */
  readonly cookies?: Readonly<Record<string, string>>;
}

export interface ProviderResponse {
  readonly status: number;
  readonly location: string | null;
  /** JSON, parsed; null for none. */
  readonly body: unknown;
  readonly wwwAuthenticate?: string;
  /** Cookies set, by name; an empty one is to be forgotten. */
  readonly cookies: Readonly<Record<string, string>>;
}

export type ProviderCall = (request: ProviderRequest) => Promise<ProviderResponse>;

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function cookiesSet(header: string | string[] | undefined): Record<string, string> {
  const lines = typeof header === 'string' ? [header] : (header ?? []);
  return Object.fromEntries(
    lines.map((line) => {
      const [pair = ''] = line.split(';', 1);
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** `issuer`: what the provider takes for its own origin. */
export function createProviderCall(handler: RequestHandler, issuer: string): ProviderCall {
  const { host, protocol } = new URL(issuer);
  return async ({ method, path, query, form, json, authorization, cookies = {} }) => {
    const cookie = Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const payload = form?.toString() ?? (json === undefined ? undefined : JSON.stringify(json));
    const contentType = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
    const response = await inject((request, reply) => void handler(request, reply), {
      method,
      url: query === undefined ? path : `${path}?${query.toString()}`,
      authority: host,
      headers: {
        host,
        accept: 'application/json',
        'x-forwarded-proto': protocol.slice(0, -1),
        ...(cookie === '' ? {} : { cookie }),
        ...(authorization === undefined ? {} : { authorization }),
        ...(payload === undefined ? {} : { 'content-type': contentType }),
      },
      ...(payload === undefined ? {} : { payload }),
    });
    const challenge = response.headers['www-authenticate'];
    const { location } = response.headers;
    return {
      status: response.statusCode,
      location: typeof location === 'string' ? location : null,
      body: parsed(response.body),
      ...(typeof challenge === 'string' ? { wwwAuthenticate: challenge } : {}),
      cookies: cookiesSet(response.headers['set-cookie']),
    };
  };
}
