import { expect } from 'chai';
import { createRunningCalls, type MessageId } from '../../src/mcp/running-calls.ts';

/** Runs until it is aborted or let go. */
function started(calls: ReturnType<typeof createRunningCalls>, agent: string, id: MessageId) {
  const { promise, resolve } = Promise.withResolvers<string>();
  let aborted = false;
  const ended = calls.run(agent, id, (signal) => {
    signal.addEventListener('abort', () => {
      aborted = true;
      resolve('cancelled');
    });
    return promise;
  });
  return { ended, wasCancelled: () => aborted, letGo: () => resolve('done') };
}

describe('calls that may be cancelled by a message', () => {
  it('end when their own agent names them', async () => {
    const calls = createRunningCalls();
    const call = started(calls, 'a', 7);
    calls.cancel('b', 7);
    calls.cancel('a', '7');
    calls.cancel('a', 8);
    expect(call.wasCancelled()).to.equal(false);
    calls.cancel('a', 7);
    expect(await call.ended).to.equal('cancelled');
  });

  it('go on where an ID could mean several of them', async () => {
    const calls = createRunningCalls();
    const [one, two] = [started(calls, 'a', 1), started(calls, 'a', 1)];
    calls.cancel('a', 1);
    expect([one.wasCancelled(), two.wasCancelled()]).to.deep.equal([false, false]);
    one.letGo();
    await one.ended;
    calls.cancel('a', 1);
    expect(await two.ended).to.equal('cancelled');
  });

  it('are forgotten once they ended, however they did', async () => {
    const calls = createRunningCalls();
    const call = started(calls, 'a', 1);
    call.letGo();
    expect(await call.ended).to.equal('done');
    const failed = calls.run('a', 1, () => Promise.reject(new Error('no')));
    expect(await failed.catch((error: unknown) => String(error))).to.equal('Error: no');
    calls.cancel('a', 1);
    expect(call.wasCancelled()).to.equal(false);
  });
});
