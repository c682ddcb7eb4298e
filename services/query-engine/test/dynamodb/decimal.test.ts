import { expect } from 'chai';
import {
  compareDecimals,
  decimalText,
  fitsDynamo,
  parseDecimal,
  type Decimal,
} from '../../src/dynamodb/decimal.ts';
import { compareUtf8 } from '../../src/logical/text-order.ts';

const decimal = (text: string) => parseDecimal(text) as Decimal;

describe('decimal', () => {
  it('writes one text for each number', () => {
    const same: [string, string][] = [
      ['1', '1'], ['01', '1'], ['1.0', '1'], ['+1', '1'], ['10E-1', '1'], ['-0', '0'], ['0.00', '0'], ['.5', '0.5'],
      ['5.', '5'], ['1e3', '1000'], ['-12.340', '-12.34'], ['1E-5', '0.00001'], ['123456789012345678901', '123456789012345678901'],
    ]; // oxfmt-ignore
    for (const [written, text] of same) expect(decimalText(decimal(written)), written).to.equal(text);
    expect(decimalText(decimal(decimalText(decimal('1.5E120'))))).to.equal(decimalText(decimal('15E119')));
  });

  it('reads no other text as a number', () => {
    for (const text of ['', '.', 'abc', '1 ', '1e', '--1', '0x10', '1.2.3', 'Infinity', '1e9999999999'])
      expect(parseDecimal(text), text).to.equal(null);
  });

  it('compares exactly where doubles do not', () => {
    const ordered = [
      '-1E100',
      '-2',
      '-1.5',
      '-1',
      '-0.1',
      '0',
      '1E-100',
      '0.1',
      '9007199254740992',
      '9007199254740993',
      '1E100',
    ];
    for (const [i, a] of ordered.entries())
      for (const [j, b] of ordered.entries())
        expect(Math.sign(compareDecimals(decimal(a), decimal(b))), `${a} ${b}`).to.equal(Math.sign(i - j));
  });

  it('knows what DynamoDB can hold', () => {
    for (const text of ['0', '1', '9'.repeat(38), '1E125', '1E-130', `9.${'9'.repeat(37)}E125`])
      expect(fitsDynamo(decimal(text)), text).to.equal(true);
    for (const text of ['9'.repeat(39), '1E126', '1E-131', `0.${'1'.repeat(39)}`])
      expect(fitsDynamo(decimal(text)), text).to.equal(false);
  });
});

describe('text order', () => {
  it('is that of UTF-8 bytes', () => {
    const texts = ['', 'A', 'a', 'aa', 'b', 'é', '\uffff', '\ud83d\ude00', '\ue000', '日本'];
    const byBytes = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect([...texts].sort(compareUtf8)).to.deep.equal(byBytes);
  });
});
