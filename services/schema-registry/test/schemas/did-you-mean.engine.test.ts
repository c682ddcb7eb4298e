import { expect } from 'chai';
import { didYouMean } from '../../src/schemas/did-you-mean.ts';

describe('a suggestion for the name of a schema or table', () => {
  it('names those that differ little, the nearest first', () => {
    expect(didYouMean('ordrs', ['customers', 'Orders', 'order', 'ordrs2'])).to.equal(
      'Did you mean Orders or ordrs2 or order?',
    );
    expect(didYouMean('abcd', ['abce', 'abcf'])).to.equal('Did you mean abce or abcf?');
  });

  it('is written as a statement names it', () => {
    expect(didYouMean('Orders-2023', ['Orders-2024', 'say "hi"'])).to.equal('Did you mean "Orders-2024"?');
  });

  it('names three at most, and nothing where nothing is alike', () => {
    expect(didYouMean('abcd', ['abce', 'abcf', 'abcg', 'abch'])).to.equal(
      'Did you mean abce or abcf or abcg?',
    );
    expect(didYouMean('abcd', ['wholly-different'])).to.equal(undefined);
  });

  it('is found quickly among many long names', () => {
    const names = Array.from({ length: 5000 }, (_, i) => String(i).padEnd(255, 'x'));
    const start = performance.now();
    didYouMean('y'.repeat(255), names);
    expect(performance.now() - start).to.be.below(3_000);
  });
});
