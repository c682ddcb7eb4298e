import type { MessageInitShape } from '@bufbuild/protobuf';
import type { UsageCountsSchema } from '@penstock/common/gen/penstock/usage/v1/usage_pb.js';
import type { Counts } from '../counts.ts';

/** Counters as a message. */
export function toMessage({
  requests,
  rowsReturned,
  readHalfUnits,
}: Counts): MessageInitShape<typeof UsageCountsSchema> {
  return {
    requests: BigInt(requests),
    rowsReturned: BigInt(rowsReturned),
    readHalfUnits: BigInt(readHalfUnits),
  };
}
