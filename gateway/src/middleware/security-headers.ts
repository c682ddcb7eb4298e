import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

/** The headers that a middleware sets, which are the same for every answer. */
function headersOf(middleware: RequestHandler): Map<string, string> {
  const found = new Map<string, string>();
  const answer = {
    setHeader: (name: string, value: string) => found.set(name.toLowerCase(), value),
    removeHeader: (name: string) => found.delete(name.toLowerCase()),
  };
  middleware({} as Request, answer as unknown as Response, () => undefined);
  return found;
}

/** For answers that are data: nothing in them may be run, framed or kept. */
export function securityHeaders(): RequestHandler {
  const headers = headersOf(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
      },
      xFrameOptions: { action: 'deny' },
    }),
  );
  return (_request, response, next) => {
    response.setHeaders(headers);
    response.setHeader('cache-control', 'no-store');
    next();
  };
}
