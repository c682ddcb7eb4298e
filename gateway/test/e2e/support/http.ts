const TIMEOUT_MS = 90_000;

export interface HttpAnswer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** The text as sent, for checks of exact numbers and key order. */
  readonly text: string;
  readonly body: Body;
}

export interface HttpRequest {
  readonly token?: string | undefined;
  readonly json?: unknown;
  /** Sent as it is, with the content type of JSON. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** One request; never throws for a status. A body that is not JSON parses to undefined. */
export async function http<Body = unknown>(
  method: string,
  url: string,
  request: HttpRequest = {},
): Promise<HttpAnswer<Body>> {
  const body = request.raw ?? (request.json === undefined ? undefined : JSON.stringify(request.json));
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(request.token === undefined ? {} : { authorization: `Bearer ${request.token}` }),
      ...request.headers,
    },
    signal: request.signal ?? AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) as Body };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
