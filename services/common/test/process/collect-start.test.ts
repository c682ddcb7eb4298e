import { expect } from 'chai';
import { collectStart } from '../../src/process/collect-start.ts';

describe('what a start leaves', () => {
  it('is given back, old as it may be', () => {
    // Without a call of its own, so that nothing here holds it.
    const gone = (() => new WeakRef({ made: 'once' }))();
    return new Promise<void>((resolve) => {
      // A WeakRef holds what it is of until the task that made it is over.
      setImmediate(() => {
        collectStart();
        expect(gone.deref()).to.equal(undefined);
        resolve();
      });
    });
  });
});
