import { expect } from 'chai';
import { insteadOf, NAMES_ELSEWHERE } from '../../../src/logical/functions/elsewhere.ts';
import { findFunction } from '../../../src/logical/functions/list.ts';

describe('functions of other systems', () => {
  it('are none that the list has', () => {
    expect(NAMES_ELSEWHERE.filter((name) => findFunction(name) !== undefined)).to.deep.equal([]);
    expect(NAMES_ELSEWHERE).to.include('UNNEST');
  });

  it('come with advice that names only functions of the list', () => {
    const named = NAMES_ELSEWHERE.flatMap((name) => insteadOf(name)?.match(/\b[A-Z_]{2,}(?=\()/g) ?? []);
    expect(named).to.include('STRFTIME');
    expect(
      named.filter((name) => name !== 'CAST' && name !== 'POSITION' && findFunction(name) === undefined),
    ).to.deep.equal([]);
  });
});
