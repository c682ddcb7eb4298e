import { expect } from 'chai';
import { matchesWildcard } from '../../src/aws/policy/wildcard.ts';

describe('wildcards of policies', () => {
  it('stand for any characters and for one', () => {
    for (const [pattern, text] of [
      ['*', ''],
      ['dynamodb:*Item', 'dynamodb:BatchGetItem'],
      ['a?c', 'abc'],
      ['a*b*c', 'a-b-b-c'],
      ['table/*/index/*', 'table/t/index/i\nj'],
      ['a.c', 'a.c'],
      ['**', 'x'],
    ] as const)
      expect(matchesWildcard(pattern, text), `${pattern} ${text}`).to.equal(true);
    for (const [pattern, text] of [
      ['', 'a'],
      ['a?c', 'ac'],
      ['a*b', 'a-c'],
      ['a.c', 'abc'],
      ['A', 'a'],
      ['a', 'ab'],
    ] as const)
      expect(matchesWildcard(pattern, text), `${pattern} ${text}`).to.equal(false);
    expect(matchesWildcard('DYNAMODB:get*', 'dynamodb:GetItem', true)).to.equal(true);
  });

  it('are matched in pattern × text steps, however many there are', () => {
    const before = process.cpuUsage();
    expect(matchesWildcard(`${'*a'.repeat(1_000)}*b`, 'a'.repeat(2_000))).to.equal(false);
    expect(process.cpuUsage(before).user / 1000).to.be.below(2_000);
  });
});
