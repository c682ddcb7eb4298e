import { expect } from 'chai';
import { filesOf, LANES } from './lanes.ts';

describe('the files of a lane', () => {
  it('are all in two runs whose seeds follow each other, and those that take turns in one of the two', () => {
    let inTurns = 0;
    for (const lane of LANES) {
      const [all, one, next] = [null, 1, 2].map((seed) => filesOf(lane, seed));
      expect([...new Set([...one!, ...next!])].sort(), lane).to.deep.equal([...all!].sort());
      inTurns += 2 * all!.length - one!.length - next!.length;
    }
    expect(inTurns).to.be.above(10);
  });
});
