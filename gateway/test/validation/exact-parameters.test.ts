import { expect } from 'chai';
import { exactParameters } from '../../src/validation/exact-parameters.ts';

const inBody = (parameters: string): string =>
  `{"sql":"x","options":{"maxRows":5,"parameters":${parameters}}}`;

describe('exactParameters', () => {
  for (const [given, expected] of [
    ['[12345678901234567890.50, 1e5, -0, 0.10]', '[12345678901234567890.50,1e5,-0,0.10]'],
    ['{"a": 1.0, "b": "1.0", "c": null, "d": true}', '{"a":1.0,"b":"1.0","c":null,"d":true}'],
    ['["\\u00e9\\n", "\\"1\\""]', '["é\\n","\\"1\\""]'],
    ['[]', '[]'],
  ] as const) {
    it(`keeps ${given} to the digit`, () => {
      expect(exactParameters(inBody(given))).to.equal(expected);
    });
  }

  it('takes the last of two equal keys, as JSON.parse does', () => {
    expect(exactParameters('{"options":{"parameters":[1],"parameters":[2.0]}}')).to.equal('[2.0]');
  });
});
