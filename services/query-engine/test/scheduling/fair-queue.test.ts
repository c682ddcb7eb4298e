import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { createFairQueue } from '../../src/scheduling/fair-queue.ts';

const never = new AbortController().signal;
const bounds = { places: 1, perTenant: 1, waiting: 10, retryAfterS: 3 };

const refusal = (entering: Promise<unknown>): Promise<unknown> =>
  entering.then(
    () => null,
    (refused: unknown) => refused,
  );

describe('a fair queue', () => {
  it('serves the queries of a tenant in their order', async () => {
    const queue = createFairQueue(bounds);
    const leave = await queue.enter('a', never);
    const order: string[] = [];
    const second = queue.enter('a', never).then((leaveSecond) => (order.push('second'), leaveSecond()));
    const third = queue.enter('a', never).then((leaveThird) => (order.push('third'), leaveThird()));
    expect(queue.waiting).to.equal(2);
    leave();
    leave();
    await Promise.all([second, third]);
    expect(order).to.deep.equal(['second', 'third']);
    expect([queue.taken, queue.waiting]).to.deep.equal([0, 0]);
  });

  it('serves tenants in turn, however many queries one of them has waiting', async () => {
    const queue = createFairQueue({ ...bounds, waiting: 100 });
    const order: string[] = [];
    const leave = await queue.enter('a', never);
    const enter = async (tenantId: string): Promise<void> => {
      const done = await queue.enter(tenantId, never);
      order.push(tenantId);
      done();
    };
    const all = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(enter);
    leave();
    await Promise.all(all);
    expect(order).to.deep.equal(['b', 'c', 'a', 'b', 'a', 'a', 'a']);
  });

  it('gives the next place to the tenant that has the fewest', async () => {
    const queue = createFairQueue({ ...bounds, places: 3, perTenant: 3 });
    const leaves = [
      await queue.enter('a', never),
      await queue.enter('a', never),
      await queue.enter('b', never),
    ];
    const order: string[] = [];
    const waiting = ['a', 'b', 'c'].map(async (tenantId) => {
      await queue.enter(tenantId, never);
      order.push(tenantId);
    });
    for (const leave of leaves) leave();
    await Promise.all(waiting);
    expect(order).to.deep.equal(['c', 'a', 'b']);
  });

  it('keeps places that a single tenant cannot have, for whoever comes next', async () => {
    const queue = createFairQueue({ ...bounds, places: 4, perTenant: 3 });
    for (let i = 0; i < 5; i++) void queue.enter('a', never);
    expect([queue.taken, queue.waiting]).to.deep.equal([3, 2]);
    await queue.enter('b', never);
    expect([queue.taken, queue.waiting]).to.deep.equal([4, 2]);
  });

  it('refuses those that too many wait before, and says when to try again', async () => {
    const queue = createFairQueue({ ...bounds, waiting: 0 });
    await queue.enter('a', never);
    const error = await refusal(queue.enter('a', never));
    expect(error).to.be.instanceOf(PenstockError).with.property('code', 'UNAVAILABLE');
    expect(error).to.have.property('retryAfterS', 3);
  });

  it('refuses whoever filled the queue, not the tenant that comes last', async () => {
    const queue = createFairQueue({ ...bounds, waiting: 3 });
    const leave = await queue.enter('a', never);
    const [first, second, third] = [0, 1, 2].map(() => queue.enter('a', never)) as [
      Promise<() => void>,
      Promise<() => void>,
      Promise<() => void>,
    ];
    const pushedOut = refusal(third);
    const other = queue.enter('b', never);
    expect(await pushedOut).to.have.property('code', 'UNAVAILABLE');
    expect(queue.waiting).to.equal(3);
    leave();
    (await other)();
    (await first)();
    (await second)();
    expect([queue.taken, queue.waiting]).to.deep.equal([0, 0]);
  });

  it('forgets one that gives up waiting', async () => {
    const queue = createFairQueue(bounds);
    const leave = await queue.enter('a', never);
    const giving = new AbortController();
    const waiting = refusal(queue.enter('a', giving.signal));
    giving.abort(new PenstockError('CANCELLED', 'gone'));
    expect(await waiting).to.have.property('code', 'CANCELLED');
    leave();
    expect([queue.taken, queue.waiting]).to.deep.equal([0, 0]);
  });
});
