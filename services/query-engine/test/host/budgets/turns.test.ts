import { expect } from 'chai';
import { createTurns, type TurnTaker, type Turns } from '../../../src/host/budgets/turns.ts';

const never = new AbortController().signal;

async function take(turns: Turns, key: string, signal: AbortSignal): Promise<TurnTaker> {
  const taker = turns.taker(signal);
  await taker.take(key);
  return taker;
}

describe('turns of pages that wait for a budget', () => {
  it('are taken in order, by one page of a counter at a time', async () => {
    const turns = createTurns();
    const first = await take(turns, 'a', never);
    const order: string[] = [];
    const second = take(turns, 'a', never).then((turn) => {
      order.push('second');
      return turn;
    });
    const third = take(turns, 'a', never).then((turn) => {
      order.push('third');
      return turn;
    });
    (await take(turns, 'b', never)).leave();
    expect(order).to.deep.equal([]);
    first.leave();
    (await second).leave();
    (await third).leave();
    expect(order).to.deep.equal(['second', 'third']);
    expect(turns.isTaken('a')).to.equal(false);
  });

  it('pass over a page that is not wanted any more', async () => {
    const turns = createTurns();
    const first = await take(turns, 'a', never);
    const ending = new AbortController();
    const second = take(turns, 'a', ending.signal).catch((error: unknown) => error);
    const third = take(turns, 'a', never);
    ending.abort('over');
    expect(await second).to.equal('over');
    first.leave();
    (await third).leave();
    expect(await take(turns, 'a', ending.signal).catch((error: unknown) => error)).to.equal('over');
    expect(turns.isTaken('a')).to.equal(false);
  });

  it('know how long the counter has said the same, whoever looked', async () => {
    let now = 0;
    const turns = createTurns(() => now);
    const first = await take(turns, 'a', never);
    const second = take(turns, 'a', never);
    expect(first.unchangedMs('1 of 2')).to.equal(0);
    now = 7;
    expect(first.unchangedMs('1 of 2')).to.equal(7);
    first.leave();
    now = 9;
    expect((await second).unchangedMs('1 of 2')).to.equal(9);
    expect((await second).unchangedMs('2 of 2')).to.equal(0);
  });
});
