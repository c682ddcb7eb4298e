import { expect } from 'chai';
import { insteadOf, NAMES_ELSEWHERE } from '../../../src/logical/functions/elsewhere.ts';
import { findFunction } from '../../../src/logical/functions/list.ts';
import { TABLE_FUNCTIONS } from '../../../src/parser/reader/table-functions.ts';

describe('functions of other systems', () => {
  it('are none that the list has', () => {
    expect(NAMES_ELSEWHERE.filter((name) => findFunction(name) !== undefined)).to.deep.equal([]);
    expect(NAMES_ELSEWHERE).to.include('EXPLODE');
  });

  it('come with advice that names only functions of the list and what FROM takes', () => {
    const named = NAMES_ELSEWHERE.flatMap((name) => insteadOf(name)?.match(/\b[A-Z_]{2,}(?=\()/g) ?? []);
    expect(named).to.include('STRFTIME');
    const withOwnGrammar = ['CAST', 'POSITION'];
    const inFrom = Object.keys(TABLE_FUNCTIONS);
    const known = new Set<string>([...withOwnGrammar, ...inFrom]);
    expect(named.filter((name) => !known.has(name) && findFunction(name) === undefined)).to.deep.equal([]);
  });
});
