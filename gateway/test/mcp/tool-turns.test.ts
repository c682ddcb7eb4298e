import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createToolTurns } from '../../src/mcp/tool-turns.ts';

describe('the tool calls of one request', () => {
  it('run one after the other, in their order, failed or not', async () => {
    const turns = createToolTurns(1_000);
    const log: string[] = [];
    const call = (name: string, ms: number) =>
      turns.run(
        async () => {
          log.push(`${name} begins`);
          await sleep(ms);
          log.push(`${name} ends`);
          if (name === 'b') throw new Error('b failed');
          return name;
        },
        () => 1,
      );
    const outcomes = await Promise.allSettled([call('a', 20), call('b', 5), call('c', 1)]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect(log).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('are refused without running once those before them have filled the budget', async () => {
    const turns = createToolTurns(100);
    const ran: number[] = [];
    const call = (size: number) =>
      turns.run(
        async () => {
          ran.push(size);
          return size;
        },
        (bytes) => bytes,
      );
    const outcomes = await Promise.allSettled([call(60), call(60), call(1)]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2])
      .to.have.nested.property('reason.message')
      .that.matches(/100 bytes: send this call again/);
    expect(ran).to.deep.equal([60, 60]);
  });
});
