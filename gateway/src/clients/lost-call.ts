/** How a call to an engine was lost, and whether the statement may have been the cause. */
import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorDetailSchema } from '@penstock/common/gen/penstock/common/v1/error_pb.js';
import { Phase } from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { wasCutOffByClosing, wasNeverSent } from '@penstock/common/rpc/error-mapping.ts';

/** Whether the engine itself said what is wrong. If it did not, it may have counted rows that never arrived. */
export function hasErrorDetail(error: unknown): boolean {
  return error instanceof ConnectError && error.findDetails(ErrorDetailSchema).length > 0;
}

/** The connection broke, as opposed to the engine saying that something it needs is away. */
export function engineIsGone(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unavailable && !hasErrorDetail(error);
}

/** The engine's own deadline passed long ago, and it did not say so. */
export function engineIsSilent(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.DeadlineExceeded && !hasErrorDetail(error);
}

/**
 * Whether the statement may be why the engine is gone or silent: the engine was planning or computing it. A call that
 * never left is no sign of that, nor one that a closing engine cut off.
 */
export function mayBeCause(error: unknown, phase: Phase): boolean {
  if (wasNeverSent(error) || wasCutOffByClosing(error)) return false;
  return phase === Phase.PLANNING || phase === Phase.COMPUTING;
}
