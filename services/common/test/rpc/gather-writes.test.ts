import { expect } from 'chai';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gatherWrites } from '../../src/rpc/gather-writes.ts';

/** A stream that tells what came together. */
function recording(): { readonly stream: Writable; readonly written: string[][] } {
  const written: string[][] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push([chunk.toString()]);
      done();
    },
    writev(chunks, done) {
      written.push(chunks.map(({ chunk }) => String(chunk)));
      done();
    },
  });
  gatherWrites(stream);
  return { stream, written };
}

describe('gathered writes', () => {
  it('go out together when only settled promises are between them', async () => {
    const { stream, written } = recording();
    await Promise.resolve();
    stream.write('a');
    for (let i = 0; i < 20; i++) await Promise.resolve();
    stream.write('b');
    await nextTurn();
    expect(written).to.deep.equal([['a', 'b']]);
  });

  it('do not wait for what comes later, and end with all that was written', async () => {
    const { stream, written } = recording();
    stream.write('a');
    await nextTurn();
    expect(written).to.deep.equal([['a']]);
    stream.write('b');
    stream.end('c');
    await nextTurn();
    expect(written).to.deep.equal([['a'], ['b', 'c']]);
    expect(stream.writableFinished).to.equal(true);
  });

  it('tell a writer to wait, and go on when it may', async () => {
    const { stream, written } = recording();
    const large = 'x'.repeat(stream.writableHighWaterMark);
    let drained = false;
    stream.once('drain', () => (drained = true));
    expect(stream.write(large)).to.equal(false);
    await nextTurn();
    expect(written).to.deep.equal([[large]]);
    expect(drained).to.equal(true);
  });
});
