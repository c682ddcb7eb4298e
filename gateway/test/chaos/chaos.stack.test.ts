/**
 * Parts are killed, frozen and refused at random, and every answer is right or says what is wrong.
 *
 * Takes long: each phase runs for its time, and parts take theirs to come back.
 */
import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { isLong } from './long.ts';
import { prepareChaos, RIGHT_KINDS_MIN, type Chaos } from './run.ts';
import type { PhaseName } from './phases.ts';

/** What is done to the stack follows from it; `make chaos` takes others. */
const SEED = 20_261_121;
const PHASE_MS = isLong ? 8_000 : 5_000;

describe('under load, while parts are killed, frozen and refused at random', function () {
  this.timeout(180_000);
  let stack: RunningStack;
  let chaos: Chaos;

  before(async function () {
    this.timeout(2 * STACK_START_TIMEOUT_MS);
    stack = await scratchStack('two engines');
    chaos = await prepareChaos(stack, SEED);
  });
  after(async () => {
    chaos?.close();
    await leaveScratch(stack);
  });

  async function survives(phase: PhaseName): Promise<void> {
    const report = await chaos.phase(phase, PHASE_MS);
    const context = `${report.faults.join(', ')}; ${JSON.stringify(report.outcomes)}`;
    expect(report.wrong, context).to.deep.equal([]);
    expect(report.discrepancies, context).to.deep.equal([]);
    const right = Object.entries(report.outcomes).filter(([name]) => name.endsWith(': right'));
    expect(right.length, context).to.be.at.least(RIGHT_KINDS_MIN);
  }

  it('meters each read unit once, and answers right or says what is away, when all but gateway and engines dies', () =>
    survives('around'));

  if (isLong) it('meters each request and each row once when engines die, too', () => survives('engines'));

  it('meters all that was answered, and no more than was consumed, when everything dies', () =>
    survives('everything'));
});
