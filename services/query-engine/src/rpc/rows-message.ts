/** Rows as a message of the result stream. Many are sent in the pieces that a worker's came in. */
import { create } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  ExecuteResponseSchema,
  RowBatchSchema,
  type ExecuteResponse,
} from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { encodedAs } from '@penstock/common/rpc/grpc/encoded-message.ts';
import { joined, lengthOf, type Pieces } from '../pipe/channel.ts';

/** Fewer bytes are copied: that costs less than writing several buffers. */
const COPIED_BYTES_MAX = 16_384;

const ROWS = ExecuteResponseSchema.field.rows.number;
const { json: JSON_BYTES, rowCount: ROW_COUNT } = RowBatchSchema.field;

/** All that stands before the rows, which come last: fields may have any order. */
function headOf(rowCount: number, bytes: number): Uint8Array {
  const batch = new BinaryWriter()
    .tag(ROW_COUNT.number, WireType.Varint)
    .uint32(rowCount)
    .tag(JSON_BYTES.number, WireType.LengthDelimited)
    .uint32(bytes)
    .finish();
  return new BinaryWriter()
    .tag(ROWS, WireType.LengthDelimited)
    .uint32(batch.length + bytes)
    .raw(batch)
    .finish();
}

/** The message of some rows. `pieces` must stay as they are until it is sent. */
export function rowsMessage(pieces: Pieces, rowCount: number): ExecuteResponse {
  const bytes = lengthOf(pieces);
  const message = create(ExecuteResponseSchema, { rows: { rowCount } });
  if (bytes <= COPIED_BYTES_MAX) {
    message.rows!.json = joined(pieces);
    return message;
  }
  // For those who look at it, which sending does not.
  Object.defineProperty(message.rows, 'json', { get: () => joined(pieces), enumerable: true });
  return encodedAs(message, [headOf(rowCount, bytes), ...pieces]);
}
