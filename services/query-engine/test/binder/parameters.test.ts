import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { expect } from 'chai';
import { parameterReader, parseParameters } from '../../src/binder/parameters.ts';

const pos = { offset: 0, line: 1, column: 1 };
const at = (index: number) => ({ name: null, index, pos });

describe('parameters', () => {
  it('keep every digit of a number', () => {
    const reader = parameterReader(parseParameters('[12345678901234567890.10, -0.1e5]'), '');
    expect(reader.take(at(0))).to.deep.equal({ type: 'number', text: '12345678901234567890.10' });
    expect(reader.take(at(1))).to.deep.equal({ type: 'number', text: '-0.1e5' });
  });

  it('come by name, too, and keep text, booleans and null apart', () => {
    const reader = parameterReader(parseParameters('{"a": "1", "b": true, "c": null}'), '');
    const named = (name: string) => reader.take({ name, index: null, pos });
    expect(named('a')).to.deep.equal({ type: 'text', value: '1' });
    expect(named('b')).to.deep.equal({ type: 'boolean', value: true });
    expect(named('c')).to.deep.equal({ type: 'null' });
    reader.checkAllTaken();
  });

  it('that are missing or left over are named', () => {
    const reader = parameterReader(parseParameters('[1, 2]'), 'SELECT ?');
    reader.take(at(0));
    expect(() => reader.checkAllTaken()).to.throw(PenstockError, '$2');
    expect(() => reader.take(at(2))).to.throw(PenstockError, 'No value for parameter $3');
    expect(() => reader.take({ name: 'constructor', index: null, pos })).to.throw(':constructor');
  });

  it('must be a JSON array of plain values and lists of these, or an object of plain values', () => {
    for (const json of ['1', '"x"', 'null', '[[[1]]]', '[[{}]]', '[{}]', '{"a": []}', '[1']) {
      let code: unknown;
      try {
        parseParameters(json);
      } catch (error) {
        code = error instanceof PenstockError ? error.code : error;
      }
      expect(code, json).to.equal('VALIDATION_ERROR');
    }
  });
});
