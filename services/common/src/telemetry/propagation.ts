/** W3C trace context (https://www.w3.org/TR/trace-context/) into and out of what we send. Baggage is left behind. */
import { context, propagation, ROOT_CONTEXT, type Context } from '@opentelemetry/api';

/** What a request that belongs to a trace has. */
export const TRACE_HEADER = 'traceparent';

const fromHeaders = {
  get: (headers: Headers, key: string) => headers.get(key) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};
const toHeaders = { set: (headers: Headers, key: string, value: string) => headers.set(key, value) };

/** The trace context in the headers of an RPC. */
export function extractHeaders(headers: Headers): Context {
  return propagation.deleteBaggage(propagation.extract(ROOT_CONTEXT, headers, fromHeaders));
}

/** The trace context in the headers of an HTTP request. */
export function extractHttp(headers: Readonly<Record<string, string | string[] | undefined>>): Context {
  return propagation.deleteBaggage(propagation.extract(ROOT_CONTEXT, headers));
}

/** Sends the trace under way along. */
export function injectHeaders(headers: Headers): void {
  propagation.inject(context.active(), headers, toHeaders);
}

/** The trace under way as text, for a job that is to go on with it; null where there is none. */
export function injectText(): string | null {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return Object.keys(carrier).length === 0 ? null : JSON.stringify(carrier);
}

/** The trace context that injectText wrote. Any other text continues no trace. */
export function extractText(text: string | undefined): Context {
  if (text === undefined) return ROOT_CONTEXT;
  try {
    const carrier: unknown = JSON.parse(text);
    return typeof carrier === 'object' && carrier !== null
      ? propagation.deleteBaggage(propagation.extract(ROOT_CONTEXT, carrier))
      : ROOT_CONTEXT;
  } catch {
    return ROOT_CONTEXT;
  }
}
