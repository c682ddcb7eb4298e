import { expect } from 'chai';
import { planOf } from './fixture.ts';

/** The Filter over customers as text; empty when there is none. */
const filterOf = (where: string): string =>
  (/Filter (.*)/.exec(planOf(`SELECT name FROM customers WHERE ${where}`))?.[1] ?? '').replaceAll(
    'customers.',
    '',
  );

describe('simplified conditions', () => {
  it('become lists of conjuncts, each once', () => {
    expect(filterOf('age > 1 AND (vip AND (age > 1 AND age < 9))')).to.equal('age > 1 AND vip AND age < 9');
    expect(filterOf("NOT (age > 1 OR city = 'B')")).to.equal("NOT (age > 1) AND NOT (city = 'B')");
    expect(filterOf('NOT NOT age > 1')).to.equal('age > 1');
  });

  it('lose what decides nothing', () => {
    expect(filterOf('TRUE')).to.equal('');
    expect(filterOf('1 = 1 AND age > 1')).to.equal('age > 1');
    expect(filterOf('age > 1 OR 2 < 1')).to.equal('age > 1');
    expect(filterOf('age > 1 OR 1 < 2')).to.equal('');
    expect(filterOf('NOT (age > 1 AND FALSE)')).to.equal('');
  });

  it('are FALSE when they are NULL', () => {
    for (const where of [
      'NULL',
      'age = NULL',
      'NOT NULL',
      'NULL AND age > 1',
      'NOT (NULL = 1)',
      '0',
      'age > 1 AND 1 <> 1',
    ])
      expect(filterOf(where), where).to.equal('FALSE');
  });

  it('keep NULL where it is not the same as FALSE', () => {
    expect(filterOf('(age > 1 AND NULL) IS NULL')).to.equal('((age > 1) AND NULL) IS NULL');
    expect(filterOf('NOT (age > 1 AND NULL)')).to.equal('(NOT (age > 1)) OR NULL');
  });

  it('compare constants of one kind exactly, and leave the rest', () => {
    for (const where of ['1.0 = 1', "'b' > 'a'", '-2 < -1.5', "'é' <> 'e'", '0.10 = 0.1'])
      expect(filterOf(where), where).to.equal('');
    for (const where of [
      "'1' = 1",
      "'a' = TRUE",
      '1e3 = 1000',
      '0.1 + 0.2 = 0.3',
      '123456789012345678901234567890 = 1',
    ])
      expect(filterOf(where), where).to.not.equal('').and.not.equal('FALSE');
  });
});
