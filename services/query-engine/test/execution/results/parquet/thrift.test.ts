import { expect } from 'chai';
import { createFooterWriter, footerRange } from '../../../../src/execution/results/parquet/footer.ts';
import { readStruct, writeValue, ThriftType } from '../../../../src/execution/results/parquet/thrift.ts';

/** A struct as Thrift writes it: fields 1 (i32), 2 (binary), 4 (true), 20 (list of 16 i64), 21 (double), 22 (list of booleans). */
const WRITTEN = Buffer.from([
  ...[0x15, 0x03],
  ...[0x18, 0x02, 0x68, 0x69],
  ...[0x21],
  ...[0x09, 0x28, 0xf6, 0x10, ...Array.from({ length: 16 }, (_, i) => i)],
  ...[0x17, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f],
  ...[0x19, 0x21, 0x01, 0x02],
  0,
]);

describe('a struct of Thrift', () => {
  it('is written as it was read', () => {
    const struct = readStruct(WRITTEN);
    expect([...struct.keys()]).to.deep.equal([1, 2, 4, 20, 21, 22]);
    expect(struct.get(1)).to.deep.equal({ type: ThriftType.I32, integer: -2n });
    const parts: Buffer[] = [];
    writeValue(parts, { type: ThriftType.STRUCT, struct });
    expect(Buffer.concat(parts).toString('hex')).to.equal(WRITTEN.toString('hex'));
  });

  it('keeps whole numbers of 64 bits', () => {
    for (const integer of [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
      const parts: Buffer[] = [];
      const struct = new Map([[1, { type: ThriftType.I64, integer }]]);
      writeValue(parts, { type: ThriftType.STRUCT, struct });
      expect(readStruct(Buffer.concat(parts)).get(1)).to.deep.equal({ type: ThriftType.I64, integer });
    }
  });

  it('is none where its bytes end too early', () => {
    for (let length = 0; length < WRITTEN.length; length++)
      expect(() => readStruct(WRITTEN.subarray(0, length)), String(length)).to.throw('thrift: the bytes end');
  });
});

describe('the footer of a Parquet file', () => {
  it('is not looked for in what has none', () => {
    expect(() => footerRange(100, Buffer.from('12345678'))).to.throw('a file has no footer');
  });

  it('is not written before there is a schema', () => {
    expect(() => createFooterWriter(['a']).end()).to.throw('a file without a schema');
  });
});
