import { expect } from 'chai';
import { callName, createRunningCalls } from '../../src/mcp/running-calls.ts';
import { started } from './support/started.ts';

describe('calls that may be cancelled by a message', () => {
  it('have a name of the agent and its ID, that tells neither', () => {
    const name = callName('Bearer secret', 7);
    const others = [
      callName('Bearer other', 7),
      callName('Bearer secret', '7'),
      callName('Bearer secret', 8),
    ];
    expect(new Set([name, ...others])).to.have.property('size', 4);
    expect(name).to.equal(callName('Bearer secret', 7)).and.not.include('secret');
  });

  it('end when they are named', async () => {
    const calls = createRunningCalls();
    const call = started(calls, 'a');
    expect(calls.cancel('b')).to.equal(false);
    expect(call.wasCancelled()).to.equal(false);
    expect(calls.cancel('a')).to.equal(true);
    expect(await call.ended).to.equal('cancelled');
  });

  it('go on where a name could mean several of them', async () => {
    const calls = createRunningCalls();
    const [one, two] = [started(calls, 'a'), started(calls, 'a')];
    calls.cancel('a');
    expect([one.wasCancelled(), two.wasCancelled()]).to.deep.equal([false, false]);
    one.letGo();
    await one.ended;
    calls.cancel('a');
    expect(await two.ended).to.equal('cancelled');
  });

  it('are forgotten once they ended, however they did', async () => {
    const calls = createRunningCalls();
    const call = started(calls, 'a');
    call.letGo();
    expect(await call.ended).to.equal('done');
    expect(calls.cancel('a')).to.equal(false);
    const failed = calls.run('a', () => Promise.reject(new Error('no')));
    expect(await failed.catch((error: unknown) => String(error))).to.equal('Error: no');
    expect(calls.cancel('a')).to.equal(false);
  });
});
