import { expect } from 'chai';
import { threadMs } from '../support/thread-time.ts';
import { nearestNames } from '../../src/text/nearest-names.ts';

describe('nearest names', () => {
  const names = ['customer_id', 'total', 'status', 'created_at'];

  it('are those a typing error away, nearest first', () => {
    expect(nearestNames('custmer_id', names)).to.deep.equal(['customer_id']);
    expect(nearestNames('STAUTS', names)).to.deep.equal(['status']);
    expect(nearestNames('created', names)).to.deep.equal(['created_at']);
  });

  it('are none where nothing is alike', () => {
    expect(nearestNames('xyzzy', names)).to.deep.equal([]);
  });

  it('are three at most, each once', () => {
    expect(nearestNames('a1', ['a2', 'a3', 'a4', 'a5', 'a2'])).to.deep.equal(['a2', 'a3', 'a4']);
  });

  it('are found in time among many long names', () => {
    const many = Array.from({ length: 2_000 }, (_, i) => `attribute_${'x'.repeat(200)}_${i}`);
    const started = threadMs();
    nearestNames(`attribute_${'x'.repeat(190)}`, many);
    expect(threadMs() - started).to.be.below(2_000);
  });
});
