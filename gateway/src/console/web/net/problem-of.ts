/** Reads what a refusal says, in either of the envelopes that there are. */
import type { Problem } from './outcome.ts';

interface Said {
  readonly message?: string;
  readonly detail?: string;
  readonly code?: string;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

function said(body: unknown): Said {
  if (typeof body !== 'object' || body === null || !('error' in body)) return {};
  const { error } = body;
  const detail = 'detailedError' in body ? text(body.detailedError) : undefined;
  if (typeof error !== 'object' || error === null) {
    const message = text(error);
    return { ...(message === undefined ? {} : { message }), ...(detail === undefined ? {} : { detail }) };
  }
  const message = 'message' in error ? text(error.message) : undefined;
  const code = 'code' in error ? text(error.code) : undefined;
  return { ...(message === undefined ? {} : { message }), ...(code === undefined ? {} : { code }) };
}

const AWAY = new Set([502, 503, 504]);

/** Of a body that says `success: false`, or of a status that does. `body`: what was parsed, or undefined. */
export function problemOf(status: number, requestId: string | null, body: unknown): Problem {
  const kind = status === 401 ? 'signed-out' : AWAY.has(status) ? 'away' : 'refused';
  const message = kind === 'signed-out' ? 'You were signed out.' : `Penstock answered with status ${status}.`;
  return { kind, message, status, ...(requestId === null ? {} : { requestId }), ...said(body) };
}

/** Of a request that got no answer. */
export function noAnswer(error: unknown): Problem {
  if (error instanceof DOMException && error.name === 'AbortError') {
    return { kind: 'stopped', message: 'Stopped.' };
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { kind: 'away', message: 'Penstock took too long to answer.' };
  }
  return { kind: 'away', message: 'Penstock could not be reached.' };
}
