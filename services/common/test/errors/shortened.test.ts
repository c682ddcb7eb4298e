import { expect } from 'chai';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import { DETAIL_BYTES_MAX, MESSAGE_BYTES_MAX, shortened } from '../../src/errors/shortened.ts';

describe('texts that quote what callers wrote', () => {
  it('stay as they are within the bound', () => {
    for (const text of ['', 'abc', 'ä'.repeat(50), '\u{1d50a}'.repeat(25)])
      expect(shortened(text, 100)).to.equal(text);
  });

  it('are cut between characters, with an ellipsis', () => {
    for (const character of ['a', 'ä', '€', '\u{1d50a}']) {
      for (let bound = 10; bound < 30; bound += 1) {
        const short = shortened(character.repeat(1_000), bound);
        expect(Buffer.byteLength(short)).to.be.within(bound - 4, bound);
        expect(short).to.match(new RegExp(`^(?:${character})*…$`, 'u'));
      }
    }
  });

  it('are bounded in every error', () => {
    const error = new PenstockError('COLUMN_NOT_FOUND', '€'.repeat(9_000), { detail: '€'.repeat(9_000) });
    expect(Buffer.byteLength(error.message)).to.be.at.most(MESSAGE_BYTES_MAX);
    expect(Buffer.byteLength(error.detail ?? '')).to.be.at.most(DETAIL_BYTES_MAX);
  });
});
