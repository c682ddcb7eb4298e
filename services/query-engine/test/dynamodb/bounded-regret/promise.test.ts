import { expect } from 'chai';
import { promiseOf } from '../../../src/dynamodb/bounded-regret/promise.ts';

const priced = (keys: number, scan = 586) => promiseOf({ keys, floor: 0.5, scan }, 586);

describe('what lookups promise', () => {
  it('is half a unit for each key to a scan and that, where nothing is to be lost', () => {
    expect(priced(12)).to.deep.equal({ low: 6, high: 592, decision: 'all' });
  });

  it('is the certain path with a tenth of it, or half a unit for each key, where that may take over', () => {
    expect(priced(150)).to.deep.equal({ low: 75, high: 661, decision: 'goOn' });
    expect(priced(800)).to.deep.equal({ low: 400, high: 986, decision: 'goOn' });
  });

  it('is 2.25 times the certain path at most where lookups may read more than that', () => {
    expect(priced(150, 100_000)).to.deep.equal({ low: 75, high: 586 * 2.25, decision: 'goOn' });
    expect(priced(150, 700)).to.deep.equal({ low: 75, high: 775, decision: 'goOn' });
  });

  it('is the certain path where the keys alone cost almost as much', () => {
    expect(priced(1000)).to.deep.equal({ low: 586, high: 586, decision: 'certainPath' });
  });
});
