import { expect } from 'chai';
import { withoutTrailing } from '../../src/text/without-trailing.ts';

describe('withoutTrailing', () => {
  it('takes the characters at the end away, and no others', () => {
    expect(withoutTrailing('0100', '0')).to.equal('01');
    expect(withoutTrailing('000', '0')).to.equal('');
    expect(withoutTrailing('', '0')).to.equal('');
    expect(withoutTrailing('a/b', '/')).to.equal('a/b');
  });

  it('is linear in a run that does not reach the end', () => {
    const text = `${'0'.repeat(4_000_000)}1`;
    const before = process.cpuUsage();
    expect(withoutTrailing(text, '0')).to.equal(text);
    expect(process.cpuUsage(before).user / 1000).to.be.below(1_000);
  });
});
