import { expect } from 'chai';
import { elementsOfTextArray } from '../../src/logical/text-array.ts';

describe("PostgreSQL's text of a list", () => {
  const read: readonly (readonly [text: string, elements: readonly (string | null)[]])[] = [
    ['{}', []],
    [' { a , b c ,"d, e" } ', ['a', 'b c', 'd, e']],
    ['{"a\\"b\\\\",NULL,"NULL",null}', ['a"b\\', null, 'NULL', null]],
    ['{1,-2,é}', ['1', '-2', 'é']],
  ];
  for (const [text, elements] of read)
    it(`${text} is read`, () => expect(elementsOfTextArray(text)).to.deep.equal(elements));

  for (const text of ['a', '{a', '{a,}', '{,a}', '{a}}', '{{a}}', '{"a}', '{a b"c"}', '["a"]', '{"a": 1}'])
    it(`${text} is none`, () => expect(elementsOfTextArray(text)).to.equal(null));
});
