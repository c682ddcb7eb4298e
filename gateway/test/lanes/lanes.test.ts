import { expect } from 'chai';
import { filesOf, LANES, partsOf } from './lanes.ts';

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

  it('are each in a process’s part, in one alone or in all', () => {
    for (const lane of LANES) {
      const parts = partsOf(lane);
      const count = (file: string): number => parts.filter((part) => part.includes(file)).length;
      for (const file of filesOf(lane)) expect(count(file), file).to.be.oneOf([1, parts.length]);
      expect([...new Set(parts.flat())], lane).to.have.lengthOf(filesOf(lane).length);
    }
  });
});
