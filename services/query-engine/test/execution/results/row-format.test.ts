import { expect } from 'chai';
import { csvField, csvHead, rowJoiner } from '../../../src/execution/results/row-format.ts';

/** A cell's JSON text, and the field of CSV that it is. */
const FIELDS: readonly (readonly [cell: string, field: string])[] = [
  ['1', '1'],
  ['null', ''],
  ['""', '""'],
  ['"a,b"', '"a,b"'],
  ['"say \\"hi\\""', '"say ""hi"""'],
  ['"two\\r\\nlines"', '"two\r\nlines"'],
  ['" spaces "', ' spaces '],
  ['"\\t"', '\t'],
  ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
  ['{"a":"x","b":[1,null]}', '"{""a"":""x"",""b"":[1,null]}"'],
  ['[]', '[]'],
  ['"null"', 'null'],
  ['"é😀"', 'é😀'],
  ['"=1+1"', '=1+1'],
];

describe('fields of CSV', () => {
  it('are as RFC 4180 has it: NULL is nothing, an empty text is quoted', () => {
    expect(csvHead(['id', 'a,b', 'na"me'])).to.equal('id,"a,b","na""me"\r\n');
    for (const [cell, field] of FIELDS) expect(csvField(cell)).to.equal(field);
  });

  it('are put together as arrays or as objects where they are JSON', () => {
    expect(rowJoiner('array', ['a', 'a'])(['1', '"x\\ny"'])).to.equal('[1,"x\\ny"]');
    expect(rowJoiner('object', ['a', 'a'])(['1', 'null'])).to.equal('{"a":1,"a_2":null}');
  });
});
