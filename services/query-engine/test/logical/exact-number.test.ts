import { expect } from 'chai';
import { compareNumbers, integerDigitsOf, parseNumber, printNumber } from '../../src/logical/exact-number.ts';

function canonical(text: string): string | null {
  const number = parseNumber(text);
  return number === null ? null : printNumber(number);
}

describe('number text', () => {
  for (const [given, expected] of [
    ['0', '0'],
    ['-0', '0'],
    ['007', '7'],
    ['1.50', '1.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['1E+2', '100'],
    ['1.25e1', '12.5'],
    ['-1.5E-3', '-0.0015'],
    ['100E-2', '1'],
    ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
    ['1E-130', `0.${'0'.repeat(129)}1`],
  ] as const) {
    it(`reads ${given} as ${expected}`, () => expect(canonical(given)).to.equal(expected));
  }

  for (const text of ['', '.', '-', 'e5', '1e', 'abc', '1 2', 'NaN', 'Infinity', '0x10', '1e99999']) {
    it(`finds no number in '${text}'`, () => expect(parseNumber(text)).to.equal(null));
  }

  it('compares without a double between', () => {
    const [a, b] = ['0.1000000000000000000000000000000000001', '0.1'].map(parseNumber);
    if (a == null || b == null) throw new Error('not read');
    expect(compareNumbers(a, b)).to.equal(1);
    expect(compareNumbers(b, a)).to.equal(-1);
    expect(compareNumbers(a, a)).to.equal(0);
  });

  it('counts the digits before the point', () => {
    const magnitudes = ['0', '9', '-123.4', '0.001', '1E+20'].map((text) => {
      const number = parseNumber(text);
      return number === null ? null : integerDigitsOf(number);
    });
    expect(magnitudes).to.deep.equal([1, 1, 3, 1, 21]);
  });
});
