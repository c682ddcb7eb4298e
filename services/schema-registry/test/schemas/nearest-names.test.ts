import { expect } from 'chai';
import { nearestNames, suggestion } from '../../src/schemas/nearest-names.ts';

describe('nearest names', () => {
  it('are those that differ little, the nearest first', () => {
    expect(nearestNames('ordrs', ['customers', 'Orders', 'order', 'ordrs2'])).to.deep.equal([
      'Orders',
      'ordrs2',
      'order',
    ]);
  });

  it('are three at most, and none where nothing is like it', () => {
    expect(nearestNames('abcd', ['abce', 'abcf', 'abcg', 'abch'])).to.have.length(3);
    expect(suggestion('abcd', ['wholly-different'])).to.equal(undefined);
    expect(suggestion('abcd', ['abce', 'abcf'])).to.equal('Did you mean abce or abcf?');
  });

  it('are found quickly among many long names', () => {
    const names = Array.from({ length: 5000 }, (_, i) => String(i).padEnd(255, 'x'));
    const start = performance.now();
    nearestNames('y'.repeat(255), names);
    expect(performance.now() - start).to.be.below(3_000);
  });
});
