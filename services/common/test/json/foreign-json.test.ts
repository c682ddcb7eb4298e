import { expect } from 'chai';
import { ForeignJsonError, JSON_DEPTH_MAX, parseForeignJson } from '../../src/json/foreign-json.ts';

const nested = (levels: number, inner = '1'): string => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`;

describe('JSON that strangers wrote', () => {
  it('is parsed', () => {
    const text = '{"a":[1,"\\ud835\\udd0a",{"__proto__":null}],"b":"[[[{{{\\\\\\"[["}';
    expect(parseForeignJson(text)).to.deep.equal(JSON.parse(text));
  });

  it('has a bound of levels, whatever brackets are in its texts', () => {
    expect(() => parseForeignJson(nested(JSON_DEPTH_MAX))).not.to.throw();
    expect(() => parseForeignJson(nested(JSON_DEPTH_MAX + 1))).to.throw(ForeignJsonError, /64 levels/);
    expect(() => parseForeignJson(`{"a":${nested(JSON_DEPTH_MAX)}}`)).to.throw(ForeignJsonError, /64 levels/);
    expect(() => parseForeignJson(JSON.stringify('['.repeat(1_000)))).not.to.throw();
    expect(() => parseForeignJson(JSON.stringify('\\"'.repeat(100) + '['.repeat(1_000)))).not.to.throw();
  });

  it('is refused at any depth without running out of stack', () => {
    for (const text of [
      nested(2_000_000),
      '['.repeat(2_000_000),
      `${']'.repeat(100_000)}${nested(100_000)}`,
    ]) {
      expect(() => parseForeignJson(text)).to.throw(ForeignJsonError);
    }
  });

  it('has no half of a surrogate pair, as a value or as a name', () => {
    for (const text of ['"\\ud835"', '{"\\udd0a":1}', nested(JSON_DEPTH_MAX, '"\\ud800"')]) {
      expect(() => parseForeignJson(text)).to.throw(ForeignJsonError, /surrogate/);
    }
  });

  it('says what is no JSON', () => {
    for (const text of ['', '{', '[1,]', '"', '"\\', '\u0000', 'undefined']) {
      expect(() => parseForeignJson(text), text).to.throw(ForeignJsonError, 'is not valid JSON');
    }
  });
});
