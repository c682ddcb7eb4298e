/** Errors between an engine's host and its workers. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { ErrorMessage } from './messages.ts';

/** What the log may have of a cause: where it was thrown, without what it says, which may quote a statement. */
export function placeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause;
  const stack = cause.stack ?? '';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return [cause.name, ...frames].join('\n');
}

export function toErrorMessage(error: unknown): ErrorMessage {
  if (!(error instanceof PenstockError)) {
    return { code: 'INTERNAL', message: 'Internal error', cause: placeOf(error) };
  }
  const { code, message, detail, retryAfterS, cause } = error;
  return { code, message, detail, retryAfterS, cause: cause === undefined ? undefined : placeOf(cause) };
}

export function fromErrorMessage({ code, message, detail, retryAfterS, cause }: ErrorMessage): PenstockError {
  return new PenstockError(code, message, {
    detail,
    retryAfterS,
    cause: cause === undefined ? undefined : new Error(`in a worker: ${cause}`),
  });
}
