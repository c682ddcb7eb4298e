import { expect } from 'chai';
import { parseExactJson, parseWithoutRounding } from '../../src/validation/exact-json.ts';

describe('JSON with numbers that a double does not hold', () => {
  it('keeps them as text, and nothing else', () => {
    const text =
      '[9007199254740991,9007199254740993,-9007199254740993,12345678901234567890.5,0.1,1e400,0.1234567890123456789,' +
      '1.50,100000000000000000000,0.30000000000000004,1e-400,0.00,5e-324,{"n":[1e3,-0,18446744073709551616,1.7976931348623157e308]}]';
    expect(parseWithoutRounding(text)).to.deep.equal([
      9007199254740991,
      '9007199254740993',
      '-9007199254740993',
      '12345678901234567890.5',
      0.1,
      '1e400',
      '0.1234567890123456789',
      1.5,
      '100000000000000000000',
      0.30000000000000004,
      '1e-400',
      0,
      5e-324,
      { n: [1000, -0, '18446744073709551616', 1.7976931348623157e308] },
    ]);
  });

  it('writes them as they stood', () => {
    const text = '[12345678901234567890.5,1.50,{"a":1e400}]';
    expect(JSON.stringify(parseExactJson(text))).to.equal(text);
  });
});
