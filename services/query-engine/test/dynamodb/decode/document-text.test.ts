import { expect } from 'chai';
import { viewOf } from '../../../src/dynamodb/decode/bytes.ts';
import { openAttributeValue } from '../../../src/dynamodb/decode/attribute-value.ts';
import { DocumentText } from '../../../src/dynamodb/decode/document-text.ts';
import { plainJson } from '../../../src/dynamodb/decode/plain-json.ts';
import { SEED, SEED_SHOWN } from '../../../../common/test/support/random-budget.ts';
import { seededRandom } from '../random.ts';
import { compactJson, generatedDocument } from './generated-documents.ts';

const PREFIX = '[';
const SUFFIX = ',"';

/** What it writes for a value that stands in a body, null where it gives up. Throws if it ends elsewhere than the value. */
function written(document: DocumentText, value: string | Buffer): string | null {
  const bytes = Buffer.from(value);
  const body = Buffer.concat([Buffer.from(PREFIX), bytes, Buffer.from(SUFFIX)]);
  const end = document.write(body, viewOf(body), PREFIX.length);
  if (end < 0) return null;
  if (end !== PREFIX.length + bytes.length) throw new Error(`it ends at ${end}`);
  return document.text.bytes.toString('utf8', 0, document.text.length);
}

/** The same by way of `JSON.parse`; null where that or the value is damaged. */
function expected(value: string): string | null {
  try {
    return plainJson(openAttributeValue(JSON.parse(value)));
  } catch {
    return null;
  }
}

describe(`document text (${SEED_SHOWN})`, () => {
  it('is what the parsed value is as plain JSON, for every value without escapes in names', () => {
    const random = seededRandom(SEED);
    const document = new DocumentText();
    for (let round = 0; round < 6000; round++) {
      const value = JSON.stringify(generatedDocument(random, 4, 0));
      expect(written(document, value), value).to.equal(expected(value));
    }
  });

  it('is that or nothing where there are escapes, and names that come twice', () => {
    const random = seededRandom(SEED);
    const document = new DocumentText();
    let writtenCount = 0;
    for (let round = 0; round < 6000; round++) {
      const value = compactJson(random, generatedDocument(random, 4, 0.05), 0.05);
      const text = written(document, value);
      if (text === null) continue;
      expect(text, value).to.equal(expected(value));
      writtenCount++;
    }
    expect(writtenCount).to.be.within(3000, 5900);
  });

  it('is that or nothing where a value is damaged', () => {
    const random = seededRandom(SEED);
    const document = new DocumentText();
    const units = ['', '"', '{', '}', '[', ']', ',', ':', '\\', 'x', '0', ' ', '\n', '\u0000', '""', '{}'];
    let refusedCount = 0;
    for (let round = 0; round < 20_000; round++) {
      const value = compactJson(random, generatedDocument(random, 3, 0.05), 0.02);
      const at = random.int(value.length);
      const damaged = value.slice(0, at) + random.pick(units) + value.slice(at + random.int(3));
      const body = Buffer.from(damaged);
      const end = document.write(body, viewOf(body), 0);
      if (end < 0) refusedCount++;
      else {
        const text = document.text.bytes.toString('utf8', 0, document.text.length);
        expect(text, damaged).to.equal(expected(body.toString('utf8', 0, end)));
      }
    }
    expect(refusedCount).to.be.greaterThan(10_000);
  });

  it('finds escapes and control characters at any place of a text', () => {
    const document = new DocumentText();
    for (const length of [1, 3, 4, 63, 64, 65, 66, 67, 68, 100])
      for (let at = 0; at < length; at++) {
        const put = (unit: string): string =>
          `{"S":"${'\u007f'.repeat(at)}${unit}${'é'.repeat(length - at)}"}`;
        for (const unit of ['\\n', '\\\\', '\\"', '\\/', '\\u0041', '\\u001f', ' ', '!', '[', ']', 'ÿ', '😀'])
          expect(written(document, put(unit)), put(unit)).to.equal(expected(put(unit)));
        for (const unit of ['\u0000', '\n', '\u001f', '\\x', '\\u00g0'])
          expect(written(document, put(unit)), put(unit)).to.equal(null);
      }
  });

  it('sorts names and texts by their bytes, however many, and keeps what stands twice in a set', () => {
    const document = new DocumentText();
    for (const count of [2, 15, 16, 17, 5000]) {
      const names = Array.from({ length: count }, (_, i) => `${(i * 7919) % count}`);
      const map = JSON.stringify({
        M: Object.fromEntries(names.map((name) => [`n${name}`, { M: { b: { N: name }, a: { S: name } } }])),
      });
      expect(written(document, map)).to.equal(expected(map));
      const set = JSON.stringify({ SS: [...names, ...names] });
      expect(written(document, set)).to.equal(expected(set));
    }
    expect(written(document, '{"M":{"a b":{"N":"1"},"a":{"N":"2"},"a!":{"N":"3"},"":{"N":"4"}}}')).to.equal(
      '{"":4,"a":2,"a b":1,"a!":3}',
    );
  });

  it('leaves a name that comes twice to JSON.parse, in order or not', () => {
    const document = new DocumentText();
    for (const names of ['aa', 'aba', 'baa', `${'a'.repeat(2)}${'bcdefghijklmnopqrstuvwxyz'}`])
      expect(written(document, `{"M":{${[...names].map((name) => `"${name}":{"N":"1"}`).join()}}}`)).to.equal(
        null,
      );
  });

  it('orders sets of numbers by value, beyond what a double tells apart', () => {
    const document = new DocumentText();
    const set = (...numbers: string[]) => written(document, JSON.stringify({ NS: numbers }));
    expect(set('-1', '0', '2', '10')).to.equal('[-1,0,2,10]');
    expect(set('10', '9', '-1')).to.equal('[-1,9,10]');
    expect(set('12345678901234567891', '12345678901234567890')).to.equal(
      '[12345678901234567890,12345678901234567891]',
    );
    expect(set('0.1000000000000000001', '0.1')).to.equal('[0.1,0.1000000000000000001]');
    expect(set('1', '+2', '1E+2', '.5')).to.equal('[0.5,1,2,1E+2]');
  });

  it('gives up on depth before the stack ends', () => {
    const document = new DocumentText();
    const nested = (depth: number) => `${'{"L":['.repeat(depth)}{"N":"1"}${']}'.repeat(depth)}`;
    expect(written(document, nested(32))).to.equal(expected(nested(32)));
    for (const depth of [100, 50_000]) expect(written(document, nested(depth))).to.equal(null);
  });

  it('keeps no more memory than for an item after a text that is larger', () => {
    const document = new DocumentText();
    const large = JSON.stringify({ S: 'x'.repeat(5_000_000) });
    expect(written(document, large)).to.equal(expected(large));
    expect(written(document, '{"S":"y"}')).to.equal('"y"');
    expect(document.text.bytes.length).to.be.lessThan(1_000_000);
  });
});
