import { expect } from 'chai';
import {
  createByteSink,
  putBytes,
  putText,
  takeBytes,
} from '../../../../src/execution/results/text/byte-sink.ts';

const ROOM = 512 * 1024;
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('a sink of bytes', () => {
  it('keeps what was written however often it has to grow', () => {
    const sink = createByteSink(ROOM);
    let expected = '';
    for (let i = 0; expected.length < 5 * ROOM; i++) {
      const more = `${i}${'é'.repeat(i % 300)};`;
      expected += more;
      if (i % 2 === 0) putText(sink, more);
      else putBytes(sink, Buffer.from(more), 0, Buffer.byteLength(more));
    }
    expect(text(takeBytes(sink))).to.equal(expected);
    expect(sink.length).to.equal(0);
  });

  it('leaves alone what was taken', () => {
    const sink = createByteSink(ROOM);
    const taken = ['first', 'x'.repeat(ROOM), 'third'].map((each) => {
      putText(sink, each);
      return takeBytes(sink);
    });
    putText(sink, 'y'.repeat(ROOM));
    expect(taken.map(text)).to.deep.equal(['first', 'x'.repeat(ROOM), 'third']);
  });

  it('takes no memory of its own for a few bytes', () => {
    const sink = createByteSink(ROOM);
    for (let i = 0; i < 3; i++) {
      putText(sink, 'a row');
      expect(takeBytes(sink).buffer.byteLength).to.be.lessThan(ROOM / 4);
    }
  });
});
