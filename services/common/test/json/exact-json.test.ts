import { expect } from 'chai';
import { parseExactJson } from '../../src/json/exact-json.ts';

describe('JSON with numbers that a double does not hold', () => {
  it('is written as it stood', () => {
    const text = '[12345678901234567890.5,1.50,{"a":1e400}]';
    expect(JSON.stringify(parseExactJson(text))).to.equal(text);
  });
});
