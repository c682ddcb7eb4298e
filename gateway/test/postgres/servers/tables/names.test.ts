import { expect } from 'chai';
import { createNamePlace, cutName, isNoName } from '../../../../src/postgres/servers/tables/names.ts';
import { quoteIdent, quoteLiteral } from '../../../../src/postgres/servers/tables/quote.ts';

describe('names of tenants in PostgreSQL', () => {
  it('are cut at 63 bytes, between two characters', () => {
    expect(cutName('x'.repeat(70))).to.equal('x'.repeat(63));
    expect(cutName('é'.repeat(40))).to.equal('é'.repeat(31));
    expect(cutName(`x${'漢'.repeat(30)}`)).to.equal(`x${'漢'.repeat(20)}`);
    expect(cutName('🦄'.repeat(16))).to.equal('🦄'.repeat(15));
    expect(cutName('short')).to.equal('short');
  });

  it('end with a hash where another one was cut to the same before', () => {
    const place = createNamePlace();
    const [one, two] = ['a', 'b'].map((end) => place.take('漢'.repeat(21) + end));
    expect(one).to.equal('漢'.repeat(21));
    expect(two).to.match(/^漢{18}~[0-9a-f]{8}$/);
    const again = createNamePlace();
    again.take('漢'.repeat(21));
    expect(again.take(`${'漢'.repeat(21)}b`), 'by the name alone').to.equal(two);
  });

  it('are told apart even where their hashes are the same', () => {
    const place = createNamePlace();
    const names = Array.from({ length: 4 }, () => place.take('same'));
    expect(new Set(names).size).to.equal(4);
    for (const name of names) expect(Buffer.byteLength(name)).to.be.at.most(63);
  });

  it('are none where PostgreSQL holds no such name', () => {
    expect(['', 'a\0b', 'a'].map(isNoName)).to.deep.equal([true, true, false]);
  });

  it('become part of a statement in quotes, which nothing in them ends', () => {
    expect(quoteIdent('a"b\\')).to.equal('"a""b\\"');
    expect(quoteLiteral("it's")).to.equal("'it''s'");
    expect(quoteLiteral("a\\'b")).to.equal("E'a\\\\''b'");
  });
});
