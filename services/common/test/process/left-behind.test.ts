import { expect } from 'chai';
import { AsyncResource } from 'node:async_hooks';
import { usePlainBinding } from '../../src/rpc/plain-binding.ts';
import { leftBehind } from './left-behind.ts';

const TIMES = 500;
const NUMBERS = 500;
const PAYLOAD_BYTES = NUMBERS * 8;

/** Something that is held by whoever refers to it. */
const payload = (): readonly number[] => Array.from({ length: NUMBERS }, (_, i) => i + 0.5);

async function* passedOn<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const item of items) yield item;
}

async function* one<T>(item: T): AsyncGenerator<T> {
  yield item;
}

describe('garbage that grows old', function () {
  this.timeout(60_000);

  it('is what a generator sees that is a closure, and not what one is handed', async () => {
    const closure = await leftBehind(async () => {
      const held = payload();
      const items = (async function* () {
        yield held;
      })();
      for await (const item of items) void item;
    }, TIMES);
    const handed = await leftBehind(async () => {
      for await (const item of passedOn(one(payload()))) void item;
    }, TIMES);
    expect(closure).to.be.greaterThan(PAYLOAD_BYTES / 2);
    expect(handed).to.be.lessThan(PAYLOAD_BYTES / 10);
  });

  it('is not what is bound to an asynchronous resource', async () => {
    usePlainBinding();
    const bytes = await leftBehind(async () => {
      const held = payload();
      const bound = new AsyncResource('TEST').bind(() => held);
      bound();
    }, TIMES);
    expect(bytes).to.be.lessThan(PAYLOAD_BYTES / 10);
  });
});

describe('binding to an asynchronous resource', () => {
  before(() => usePlainBinding());

  it('passes on `this`, arguments and the result', () => {
    function sum(this: unknown, b: number, c: number): number {
      return (this as { readonly a: number }).a + b + c;
    }
    const resource = new AsyncResource('TEST');
    const own = { a: 1, sum: resource.bind(sum) };
    expect(own.sum(10, 100)).to.equal(111);
    expect(AsyncResource.bind(sum, 'TEST', { a: 5 })(10, 100)).to.equal(115);
  });

  it('runs what is bound in the resource', () => {
    const resource = new AsyncResource('TEST');
    const bound = resource.bind(() => resource.asyncId());
    expect(bound()).to.equal(resource.asyncId());
  });

  it('throws what is bound', () => {
    const bound = new AsyncResource('TEST').bind(() => {
      throw new RangeError('as it is');
    });
    expect(bound).to.throw(RangeError, 'as it is');
  });
});
