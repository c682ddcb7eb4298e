import { fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { ExecuteResponseSchema } from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { encodingOf } from '@penstock/common/rpc/grpc/encoded-message.ts';
import { rowsMessage } from '../../src/rpc/rows-message.ts';

const piecesOf = (...sizes: number[]): Buffer[] => sizes.map((size, i) => Buffer.alloc(size, 48 + i));

describe('rows as a message', () => {
  for (const [sizes, rowCount] of [
    [[], 0],
    [[7], 1],
    [[7, 0, 5], 127],
    [[16_385], 128],
    [[65_536, 65_536, 131_000], 70_000],
    [[1, 2_100_000], 4_294_967_295],
  ] as const)
    it(`are what protobuf makes of them: ${rowCount} rows in pieces of ${sizes.join(', ')} bytes`, () => {
      const pieces = piecesOf(...sizes);
      const message = rowsMessage(pieces, rowCount);
      const sent = encodingOf(message) ?? [toBinary(ExecuteResponseSchema, message)];
      const { header, rows, trailer } = fromBinary(ExecuteResponseSchema, Buffer.concat(sent));
      expect([header, trailer, rows?.rowCount]).to.deep.equal([undefined, undefined, rowCount]);
      expect(Buffer.concat(pieces).equals(rows!.json)).to.equal(true);
    });

  it('are not copied where they are many', () => {
    const pieces = piecesOf(65_536, 65_536);
    const [head, ...rest] = encodingOf(rowsMessage(pieces, 3)) ?? [];
    expect(head?.length).to.be.lessThan(32);
    expect(rest.every((piece, i) => piece === pieces[i])).to.equal(true);
  });

  it('are the same to who sends them in another form', () => {
    const pieces = piecesOf(20_000, 10);
    const message = rowsMessage(pieces, 3);
    const { rows } = fromBinary(ExecuteResponseSchema, toBinary(ExecuteResponseSchema, message));
    expect(Buffer.concat(pieces).equals(rows!.json)).to.equal(true);
    expect(toJson(ExecuteResponseSchema, message)).to.deep.equal({
      rows: { json: Buffer.concat(pieces).toString('base64'), rowCount: 3 },
    });
  });
});
