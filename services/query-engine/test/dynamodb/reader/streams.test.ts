import { expect } from 'chai';
import { inTurn, merged } from '../../../src/dynamodb/reader/streams.ts';

/** A stream that notes what it was asked for, and that it was ended. */
function stream(name: string, length: number, log: string[], failAt = -1) {
  return (async function* () {
    try {
      for (let i = 0; i < length; i++) {
        log.push(`${name}${i}`);
        await new Promise((resolve) => setImmediate(resolve));
        if (i === failAt) throw new Error(`${name} failed`);
        yield `${name}${i}`;
      }
    } finally {
      log.push(`${name} ended`);
    }
  })();
}

const all = async <T>(source: AsyncGenerator<T>) => {
  const values: T[] = [];
  for await (const value of source) values.push(value);
  return values;
};
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('streams in turn', () => {
  it('keep their order, read ahead or not', async () => {
    for (const ahead of [0, 1, 5]) {
      const values = await all(inTurn([stream('a', 2, []), stream('b', 0, []), stream('c', 2, [])], ahead));
      expect(values).to.deep.equal(['a0', 'a1', 'c0', 'c1']);
    }
  });

  it('ask for nothing before it is wanted when nothing is to be read ahead', async () => {
    const log: string[] = [];
    const source = inTurn([stream('a', 3, log), stream('b', 3, log)], 0);
    await source.next();
    await settled();
    expect(log).to.deep.equal(['a0']);
    await source.return(undefined);
    await settled();
    expect(log).to.deep.equal(['a0', 'a ended']);
  });

  it('start later ones meanwhile, and end all that were started', async () => {
    const log: string[] = [];
    const source = inTurn([stream('a', 3, log), stream('b', 3, log), stream('c', 3, log)], 1);
    await source.next();
    await settled();
    expect(log).to.include.members(['a0', 'a1', 'b0']).and.not.include('c0');
    await source.return(undefined);
    await settled();
    expect(log).to.include.members(['a ended', 'b ended']);
  });

  it('tell a failure in its turn', async () => {
    const values: string[] = [];
    let message = '';
    try {
      for await (const value of inTurn([stream('a', 2, []), stream('b', 2, [], 0)], 3)) values.push(value);
    } catch (error) {
      message = String(error);
    }
    expect([values, message]).to.deep.equal([['a0', 'a1'], 'Error: b failed']);
  });
});

describe('merged streams', () => {
  it('yield everything, each stream in its own order, so many at a time', async () => {
    const log: string[] = [];
    const source = merged([stream('a', 3, log), stream('b', 3, log), stream('c', 1, log)], 2);
    const values = await all(source);
    for (const [number, expected] of [['a0', 'a1', 'a2'], ['b0', 'b1', 'b2'], ['c0']].entries())
      expect(values.filter(({ stream }) => stream === number).map(({ value }) => value)).to.deep.equal(
        expected,
      );
    expect(log.indexOf('c0')).to.be.greaterThan(Math.min(log.indexOf('a ended'), log.indexOf('b ended')));
  });

  it('end together when one fails', async () => {
    const log: string[] = [];
    let message = '';
    try {
      await all(merged([stream('a', 50, log), stream('b', 2, log, 1)], 2));
    } catch (error) {
      message = String(error);
    }
    await settled();
    expect(message).to.equal('Error: b failed');
    expect(log).to.include('a ended').and.not.include('a49');
  });

  it('tell a failure that comes while their consumer is at work once it looks, and the process nothing', async () => {
    const unhandled: unknown[] = [];
    const note = (): void => void unhandled.push('rejection');
    process.on('rejectionHandled', note);
    const parts = merged([stream('a', 2, []), stream('b', 2, [], 1)], 2);
    let message = '';
    try {
      for await (const _ of parts) await settled();
    } catch (error) {
      message = String(error);
    }
    await settled();
    process.off('rejectionHandled', note);
    expect(message).to.equal('Error: b failed');
    expect(unhandled).to.deep.equal([]);
  });
});
