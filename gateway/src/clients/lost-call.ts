/** How a call to an engine was lost. */
import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorDetailSchema } from '@penstock/common/gen/penstock/common/v1/error_pb.js';

/** Whether the engine itself said what is wrong. If it did not, it may have counted rows that never arrived. */
export function hasErrorDetail(error: unknown): boolean {
  return error instanceof ConnectError && error.findDetails(ErrorDetailSchema).length > 0;
}

/** The connection broke, as opposed to the engine saying that something it needs is away. */
export function engineIsGone(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unavailable && !hasErrorDetail(error);
}
