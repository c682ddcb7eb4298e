/**
 * Requests to Penstock. What a page asks for is tried again while Penstock is away, where asking twice does no harm;
 * a session that ended is shown by the shell, and what was typed stays.
 */
import { isAway, isOffline, isSignedOut, waiting } from './connection.ts';
import { ANSWER_MS_MAX, RETRY_WAITS_MS } from './limits.ts';
import { done, failed, type Outcome } from './outcome.ts';
import { noAnswer, problemOf } from './problem-of.ts';
import { SESSION_HEADERS } from './session-header.ts';

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Whether asking twice does no harm. As is, only GET does none. */
  readonly repeatable?: boolean;
  /** How long the answer may take, in milliseconds; null for a stream, which takes as long as it takes. */
  readonly msMax?: number | null;
}

/** As long as said, or until the browser is online again. */
const later = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      unwatch();
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    const wasOffline = isOffline.peek();
    const unwatch = isOffline.subscribe((is) => void (wasOffline && !is && setTimeout(end)));
  });

function signalOf({ signal, msMax = ANSWER_MS_MAX }: Asked): AbortSignal | null {
  const signals = [signal, msMax === null ? undefined : AbortSignal.timeout(msMax)].filter(
    (each) => each !== undefined,
  );
  return signals.length === 0 ? null : AbortSignal.any(signals);
}

async function once(path: string, asked: Asked): Promise<Outcome<Response>> {
  const { method = 'GET', body, headers } = asked;
  try {
    const response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...SESSION_HEADERS,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'same-origin',
      redirect: 'error',
      cache: 'no-store',
      signal: signalOf(asked),
    });
    if (response.ok) return done(response);
    const answer: unknown = await response.json().catch(() => undefined);
    return failed(problemOf(response.status, response.headers.get('x-request-id'), answer));
  } catch (error) {
    return failed(noAnswer(error));
  }
}

/** An answer whose status is a success; its body is the caller's to read. */
export async function open(path: string, asked: Asked = {}): Promise<Outcome<Response>> {
  const isRepeatable = asked.repeatable ?? (asked.method ?? 'GET') === 'GET';
  for (let tried = 0; ; tried += 1) {
    // Then nothing leaves the browser: whatever it is, asking again does no harm.
    const hasNotLeft = isOffline.peek();
    const outcome = await once(path, asked);
    const problem = outcome.ok ? null : outcome.problem;
    if (problem?.kind === 'stopped') return outcome;
    isAway.value = problem?.kind === 'away';
    if (problem?.kind === 'signed-out') isSignedOut.value = true;
    const isTriedAgain = problem?.kind === 'away' && (isRepeatable || hasNotLeft);
    const wait = isTriedAgain ? RETRY_WAITS_MS[tried] : undefined;
    if (wait === undefined) return outcome;
    waiting.value += 1;
    await later(wait, asked.signal);
    waiting.value -= 1;
    if (asked.signal?.aborted === true) return failed({ kind: 'stopped', message: 'Stopped.' });
  }
}

/** `data` of an answer in one of the envelopes. `T` is what the endpoint promises; it is not checked again here. */
export async function ask<T>(path: string, asked: Asked = {}): Promise<Outcome<T>> {
  const opened = await open(path, asked);
  if (!opened.ok) return opened;
  const { status, headers } = opened.value;
  const body: unknown = await opened.value.json().catch(() => undefined);
  const isEnvelope = typeof body === 'object' && body !== null && 'success' in body;
  if (isEnvelope && body.success === true && 'data' in body) return done(body.data as T);
  return failed(problemOf(status, headers.get('x-request-id'), body));
}
