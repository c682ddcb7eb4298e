import { expect } from 'chai';
import { FUNCTIONS, findFunction, functionsNear } from '../../../src/logical/functions/list.ts';

describe('the function list', () => {
  it('has every name once', () => {
    const names = FUNCTIONS.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(names).to.have.length(new Set(names).size);
  });

  it('has example arguments that fit its own bounds', () => {
    for (const { name, min, max, example } of FUNCTIONS) {
      expect(example.arguments.length, name).to.be.within(min, max ?? Infinity);
    }
  });

  it('finds a function by its alias', () => {
    expect(findFunction('POW')?.name).to.equal('POWER');
  });

  it('holds nothing whose value would change from page to page, or that reaches outside', () => {
    for (const name of [
      'RANDOM',
      'UUID',
      'GEN_RANDOM_UUID',
      'READ_CSV',
      'GETENV',
      'CURRENT_SETTING',
      'SLEEP_MS',
    ]) {
      expect(findFunction(name), name).to.equal(undefined);
    }
  });

  it('suggests names that look alike', () => {
    expect(functionsNear('UPER')[0]).to.equal('UPPER');
    expect(functionsNear('XQZWV')).to.deep.equal([]);
  });
});
