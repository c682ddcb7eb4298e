import { expect } from 'chai';
import { numberDigits } from '../../src/metadata/number-digits.ts';

describe('digits of a number', () => {
  const cases: readonly [string, number, number][] = [
    ['0', 1, 0],
    ['-0.0', 1, 0],
    ['7', 1, 0],
    ['-42', 2, 0],
    ['100', 3, 0],
    ['0.5', 1, 1],
    ['.25', 1, 2],
    ['12.50', 2, 1],
    ['007.1', 1, 1],
    ['1E+30', 31, 0],
    ['1e3', 4, 0],
    ['1.5E+2', 3, 0],
    ['1.2345E2', 3, 2],
    ['1E-5', 1, 5],
    ['-123.456e-2', 1, 5],
    ['12345678901234567890123456789012345678', 38, 0],
    ['0.00000000000000000000000000000000000012', 1, 38],
    ['9.9999999999999999999999999999999999999E+125', 126, 0],
    ['1E-130', 1, 130],
  ];
  for (const [text, integerDigits, scale] of cases) {
    it(`of ${text}: ${integerDigits} before and ${scale} after the point`, () => {
      expect(numberDigits(text)).to.deep.equal({ integerDigits, scale });
    });
  }

  it('are none of what is no number', () => {
    for (const text of ['', '.', 'abc', '1,5', 'NaN', '1e']) expect(numberDigits(text), text).to.equal(null);
  });
});
