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

  it('about conditions become the conditions', () => {
    for (const where of [
      'NOT (age <> 1)',
      'NOT (age IS DISTINCT FROM 1)',
      'age IS NOT DISTINCT FROM 1',
      '(age = 1) IS TRUE',
      '(NOT (age = 1)) IS FALSE',
      '(age = 1) = TRUE',
      'TRUE = (age = 1)',
      '(age <> 1) = FALSE',
      '(age = 1) <> FALSE',
      '(age = 1) IS NOT DISTINCT FROM TRUE',
      'COALESCE(age = 1, FALSE)',
      'COALESCE(age = 1, NULL, FALSE) = TRUE',
      'CASE WHEN age = 1 THEN TRUE ELSE FALSE END',
      'CASE WHEN age = 1 THEN TRUE END',
      "CASE WHEN age = 1 THEN 'a' WHEN vip THEN 'b' ELSE 'c' END = 'a'",
      'CASE age WHEN 1 THEN 1 ELSE 0 END > 0',
      'IF(age = 1, 1, 0) = 1',
      '0 < IF(age = 1, 1, 0)',
      '((age = 1) IS TRUE) = TRUE',
    ])
      expect(filterOf(where), where).to.equal('age = 1');
    expect(filterOf('NOT (age NOT BETWEEN 1 AND 2)')).to.equal('age BETWEEN 1 AND 2');
    expect(filterOf('NOT (age NOT IN (1, 2))')).to.equal('age IN (1, 2)');
    expect(filterOf("NOT (city NOT LIKE 'A%')")).to.equal("city LIKE 'A%'");
    expect(filterOf('(age > 1 AND vip) IS TRUE')).to.equal('age > 1 AND vip');
    expect(filterOf('NOT (age > 1 OR NOT (city <> 2))')).to.equal('NOT (age > 1) AND city <> 2');
    expect(filterOf('CASE WHEN age = 1 THEN 0 ELSE 1 END = 1')).to.equal('(age = 1) IS NOT TRUE');
  });

  it('about conditions stay where NULL or another value decides', () => {
    for (const [where, same] of [
      ['(age = 1) IS NOT TRUE', '(age = 1) IS NOT TRUE'],
      ['(age = 1) IS NOT FALSE', '(age = 1) IS NOT FALSE'],
      ['NOT ((age = 1) IS TRUE)', '(age = 1) IS NOT TRUE'],
      ['((age = 1) IS TRUE) IS NULL', '(age = 1) IS TRUE IS NULL'],
      ['age IS NOT DISTINCT FROM NULL', 'age IS NOT DISTINCT FROM NULL'],
      ['NOT (age IS NOT DISTINCT FROM 1)', 'NOT (age IS NOT DISTINCT FROM 1)'],
      // An attribute may hold something else than a truth value.
      ['vip = TRUE', 'vip = TRUE'],
      ['COALESCE(age = 1, TRUE)', 'COALESCE(age = 1, TRUE)'],
      ["CASE WHEN age = 1 THEN '1' ELSE 0 END = 1", "CASE WHEN age = 1 THEN '1' ELSE 0 END = 1"],
      ['CASE WHEN age = 1 THEN 1 WHEN vip THEN 0 ELSE 1 END = 1', null],
      ['CASE WHEN age = 1 THEN 1 ELSE id END = 1', null],
    ] as const)
      expect(filterOf(where), where).to.equal(same ?? where);
  });

  it('of rows are compared field by field', () => {
    expect(filterOf("(age, city) = (1, 'A')")).to.equal("age = 1 AND city = 'A'");
    expect(filterOf("(age, city) > (1, 'A')")).to.equal("(age > 1) OR ((age = 1) AND (city > 'A'))");
    expect(filterOf("(age, city) <= (1, 'A')")).to.equal("(age < 1) OR ((age = 1) AND (city <= 'A'))");
    expect(filterOf("NOT ((age, city) <> (1, 'A'))")).to.equal("age = 1 AND city = 'A'");
  });
});
