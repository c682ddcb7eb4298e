/** Headers between HTTP/2 and Connect. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';

/** Without HTTP/2's own, which begin with a colon. */
export function fromHttp2(headers: IncomingHttpHeaders): Headers {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    if (typeof value === 'string') given.append(name, value);
    else for (const one of value) given.append(name, one);
  }
  return given;
}

export function toHttp2(headers: Headers): OutgoingHttpHeaders {
  const given: OutgoingHttpHeaders = {};
  headers.forEach((value, name) => {
    given[name] = value;
  });
  return given;
}
