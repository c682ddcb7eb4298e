/** How a call to an engine was lost, and what is done then. */
import { Code, ConnectError } from '@connectrpc/connect';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { ErrorDetailSchema } from '@penstock/common/gen/penstock/common/v1/error_pb.js';

/** Whether the engine itself said what is wrong. If it did not, it may have counted rows that never arrived. */
export function hasErrorDetail(error: unknown): boolean {
  return error instanceof ConnectError && error.findDetails(ErrorDetailSchema).length > 0;
}

/** The connection broke, as opposed to the engine saying that something it needs is away. */
function engineIsGone(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unavailable && !hasErrorDetail(error);
}

/** Makes a call, and once more where its engine is gone and whoever waits for it is not. */
export async function onceMore<T>(
  signal: AbortSignal,
  first: () => Promise<T>,
  again: () => Promise<T> = first,
): Promise<T> {
  return first().catch((error: unknown) => {
    if (!engineIsGone(error) || signal.aborted) throw error;
    return again();
  });
}

/** An engine's answer that is none. */
export const broken = (what: string): PenstockError =>
  new PenstockError('INTERNAL', 'Internal error', { cause: new Error(`the engine's answer ${what}`) });
