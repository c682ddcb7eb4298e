import { ConnectError } from '@connectrpc/connect';
import { ERROR_CODES } from '@penstock/common/errors/codes.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { BODY_BYTES_MAX } from '../limits.ts';
import type { Exchange } from './exchange.ts';

/** How body-parser and Express report a request that cannot be read (`http-errors`). */
interface RequestProblem {
  readonly status: number;
  readonly type: string | undefined;
}

function requestProblem(error: unknown): RequestProblem | null {
  if (!(error instanceof Error) || !('status' in error)) return null;
  const { status } = error;
  if (typeof status !== 'number' || status < 400 || status >= 500) return null;
  return { status, type: 'type' in error && typeof error.type === 'string' ? error.type : undefined };
}

/** Any error that reaches the edge, as one of the closed list. */
export function toPenstockError(error: unknown): PenstockError {
  if (error instanceof PenstockError) return error;
  if (error instanceof ConnectError) return fromConnectError(error);
  const problem = requestProblem(error);
  if (problem === null) return new PenstockError('INTERNAL', 'Internal error', { cause: error });
  if (problem.status === 413) {
    return new PenstockError('PAYLOAD_TOO_LARGE', `The body may have at most ${BODY_BYTES_MAX} bytes`);
  }
  if (problem.type === 'request.aborted')
    return new PenstockError('CANCELLED', 'The caller cancelled the request');
  if (error instanceof URIError) return new PenstockError('VALIDATION_ERROR', 'The URL is malformed');
  return new PenstockError('VALIDATION_ERROR', 'The request body cannot be read');
}

/** The mapped error of an exchange. One that is ours, not the caller's, is logged here with its cause. */
export function mapAndLog({ logger }: Pick<Exchange, 'logger'>, error: unknown): PenstockError {
  const mapped = toPenstockError(error);
  if (ERROR_CODES[mapped.code].category === 'internal') logger.error({ err: mapped }, mapped.message);
  return mapped;
}
