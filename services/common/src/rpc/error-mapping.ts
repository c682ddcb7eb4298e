/** PenstockError to gRPC status and back: the one place that knows both. */
import { Code, ConnectError } from '@connectrpc/connect';
import type { ValidationError } from '@bufbuild/protovalidate';
import { pathToString } from '@bufbuild/protobuf/reflect';
import { ERROR_CODES, isErrorCode, type ErrorCode } from '../errors/codes.ts';
import { PenstockError } from '../errors/penstock-error.ts';
import { ErrorDetailSchema } from '../gen/penstock/common/v1/error_pb.js';
import type { Logger } from '../logging/logger.ts';

/** On an error that a client transport made: which service was called. Never sent. */
export const CALLED_SERVICE_HEADER = 'penstock-called-service';

/**
 * Ends the calls that are left when a drain is over. It has no ErrorDetail, so callers treat it as a broken
 * connection and repeat what they can on another replica.
 */
export const SERVER_IS_CLOSING = new ConnectError('the server is closing', Code.Unavailable);

const RETRY_AFTER_UNAVAILABLE_S = 1;

function encode(error: PenstockError): ConnectError {
  const detail = {
    code: error.code,
    message: error.message,
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    ...(error.retryAfterS === undefined ? {} : { retryAfterS: error.retryAfterS }),
  };
  return new ConnectError(
    error.message,
    ERROR_CODES[error.code].grpc,
    undefined,
    [{ desc: ErrorDetailSchema, value: detail }],
    error,
  );
}

/** `sql: value is required; options.max_rows: …`, at most this many of them. */
const VIOLATIONS_SHOWN_MAX = 5;

/** Knows such an error by its name: the class's package takes a sixth of a second to load, and callers have no other use for it. */
const isViolations = (cause: unknown): cause is ValidationError =>
  cause instanceof Error && cause.name === 'ValidationError';

function fromViolations(error: ValidationError): PenstockError {
  const texts = error.violations.map(({ field, message }) =>
    field.length === 0 ? message : `${pathToString(field)}: ${message}`,
  );
  const shown = texts.slice(0, VIOLATIONS_SHOWN_MAX).join('; ');
  return new PenstockError('VALIDATION_ERROR', shown, { cause: error });
}

/**
 * The error that a server sends. A PenstockError goes out as it is. Any other error is logged here with its cause,
 * and goes out as an internal error without it.
 */
export function toConnectError(error: unknown, logger: Logger): ConnectError {
  if (error === SERVER_IS_CLOSING) return SERVER_IS_CLOSING;
  if (isOwnDeadline(error)) return new ConnectError('the deadline has passed', Code.DeadlineExceeded);
  const known = error instanceof ConnectError || isAbort(error) ? fromConnectError(error) : error;
  if (known instanceof PenstockError) {
    if (ERROR_CODES[known.code].category === 'internal') logger.error({ err: known }, known.message);
    return encode(known);
  }
  logger.error({ err: error }, 'unexpected error in a call');
  return encode(new PenstockError('INTERNAL', 'Internal error', { cause: error }));
}

/**
 * Whether the call's own deadline has passed. Such an error goes out without ErrorDetail: the caller knows which
 * service it called.
 */
function isOwnDeadline(error: unknown): boolean {
  return (
    error instanceof ConnectError &&
    error.code === Code.DeadlineExceeded &&
    !error.metadata.has(CALLED_SERVICE_HEADER) &&
    error.findDetails(ErrorDetailSchema).length === 0
  );
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** What a client makes of a failed call: the ErrorDetail that came along, else what the gRPC code says. */
export function fromConnectError(error: unknown): PenstockError {
  if (error instanceof PenstockError) return error;
  const status = ConnectError.from(error);
  if (status.cause instanceof PenstockError) return status.cause;
  if (isViolations(status.cause)) return fromViolations(status.cause);
  const [detail] = status.findDetails(ErrorDetailSchema);
  if (detail !== undefined && isErrorCode(detail.code)) {
    const { code, message, detail: text, retryAfterS } = detail;
    return new PenstockError(code, message, { detail: text, retryAfterS, cause: error });
  }
  return fromCode(status);
}

function fromCode(status: ConnectError): PenstockError {
  const called = status.metadata.get(CALLED_SERVICE_HEADER);
  const service = called === null ? 'A service' : `The ${called} service`;
  const make = (code: ErrorCode, message: string, retryAfterS?: number): PenstockError =>
    new PenstockError(code, message, { retryAfterS, cause: status });
  switch (status.code) {
    case Code.Unavailable:
      return make('UNAVAILABLE', `${service} is not available; try again`, RETRY_AFTER_UNAVAILABLE_S);
    case Code.DeadlineExceeded:
      return make('TIMEOUT', `${service} did not answer in time; try again`);
    case Code.Canceled:
      return make('CANCELLED', 'The caller cancelled the request');
    case Code.Unauthenticated:
      return make('UNAUTHORIZED', 'Unauthorized');
    default:
      return make('INTERNAL', 'Internal error');
  }
}
