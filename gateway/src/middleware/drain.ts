import type { RequestHandler } from 'express';

/** While the process drains, every answer ends its connection, so that the client's next request goes elsewhere. */
export function closeWhileDraining(isDraining: () => boolean): RequestHandler {
  return (_request, response, next) => {
    if (isDraining()) response.setHeader('connection', 'close');
    next();
  };
}
