import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** For answers that are data: nothing in them may be run, framed or kept. */
export function securityHeaders(): RequestHandler[] {
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    xFrameOptions: { action: 'deny' },
  });
  const noStore: RequestHandler = (_request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    next();
  };
  return [headers, noStore];
}
