import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until, untilSome } from './until.ts';

describe('waiting until something is so', () => {
  it('ends as soon as the condition holds', async () => {
    let looks = 0;
    await until(() => ++looks === 3);
    expect(looks).to.equal(3);
  });

  it('waits for conditions that are asked for', async () => {
    let looks = 0;
    await until(async () => ++looks === 2);
    expect(looks).to.equal(2);
  });

  it('names what did not come true', async () => {
    const error: unknown = await until(() => false, { timeoutMs: 1, what: 'the queue is empty' }).catch(
      (e: unknown) => e,
    );
    expect(String(error)).to.equal('Error: This did not come true in 1 ms: the queue is empty');
    const looks = 1;
    const unnamed: unknown = await until(() => looks > 2, { timeoutMs: 1 }).catch((e: unknown) => e);
    expect(String(unnamed)).to.include('looks > 2');
  });

  it('looks once more when its bound has passed during a look', async () => {
    let looks = 0;
    const slow = async (): Promise<boolean> => {
      await sleep(30);
      return ++looks === 2;
    };
    await until(slow, { timeoutMs: 10 });
    expect(looks).to.equal(2);
  });

  it('passes on what the condition throws', async () => {
    const error: unknown = await until(() => Promise.reject(new Error('gone'))).catch((e: unknown) => e);
    expect(String(error)).to.equal('Error: gone');
  });

  it('returns what came', async () => {
    let looks = 0;
    expect(await untilSome(() => (++looks === 2 ? 'row' : undefined))).to.equal('row');
    expect(await untilSome(() => 0)).to.equal(0);
    expect(await untilSome(async () => false)).to.equal(false);
  });
});
