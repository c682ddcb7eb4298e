import { expect } from 'chai';
import { createPhases } from '../../src/scheduling/phase.ts';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('phases', () => {
  it('are told before the work that they name begins, among the parts of a result', async () => {
    const phases = createPhases();
    const done: string[] = [];
    async function* work(): AsyncGenerator<string> {
      await phases.enter('waiting');
      await phases.enter('planning');
      done.push('planned');
      await phases.enter('waiting');
      yield 'header';
      await phases.enter('computing');
      await phases.enter('computing');
      done.push('computed');
      yield 'rows';
    }
    const seen: unknown[] = [];
    for await (const part of phases.among(work())) {
      seen.push(typeof part === 'string' ? part : part.phase);
      if (typeof part !== 'string') {
        const before = done.length;
        await wait(5);
        expect(done, `while ${part.phase} is told`).to.have.length(before);
      }
    }
    expect(seen).to.deep.equal(['planning', 'waiting', 'header', 'computing', 'rows']);
    expect(done).to.deep.equal(['planned', 'computed']);
  });

  it('that pass are waited for by nobody, and told only where they are not over a moment later', async () => {
    const phases = createPhases();
    const order: string[] = [];
    async function* work(): AsyncGenerator<string> {
      phases.pass('planning');
      phases.pass('waiting');
      order.push('asked');
      yield 'header';
      await phases.enter('planning');
      phases.pass('waiting');
      await phases.enter('planning');
      order.push('planned');
      phases.pass('waiting');
      order.push('asked again');
      await wait(5);
      yield 'rows';
    }
    for await (const part of phases.among(work())) order.push(typeof part === 'string' ? part : part.phase);
    expect(order).to.deep.equal([
      ...['asked', 'header', 'planning', 'planned', 'asked again', 'waiting', 'rows'],
    ]);
  });

  it('hold nothing up once the caller is gone, and pass failures on', async () => {
    const phases = createPhases();
    let isEnded = false;
    async function* work(): AsyncGenerator<string> {
      try {
        yield 'header';
        yield 'rows';
      } finally {
        await phases.enter('computing');
        isEnded = true;
      }
    }
    for await (const _ of phases.among(work())) break;
    expect(isEnded).to.equal(true);
    const failing = createPhases();
    async function* fails(): AsyncGenerator<string> {
      await failing.enter('planning');
      throw new Error('no plan');
    }
    const seen: string[] = [];
    let failure: unknown = null;
    try {
      for await (const part of failing.among(fails()))
        seen.push(typeof part === 'string' ? part : part.phase);
    } catch (error) {
      failure = error;
    }
    expect(seen).to.deep.equal(['planning']);
    expect(failure).to.have.property('message', 'no plan');
  });
});
