import { expect } from 'chai';
import { requestIdFrom } from '../../src/ids/request-id.ts';
import { uuidV7 } from '../../src/ids/uuid.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('uuidV7', () => {
  it('has version, variant and the time of its making', () => {
    const id = uuidV7(0x0123456789ab);
    expect(id).to.match(UUID_V7);
    expect(id.replaceAll('-', '').slice(0, 12)).to.equal('0123456789ab');
  });

  it('sorts by time and does not repeat', () => {
    const ids = Array.from({ length: 2000 }, (_, i) => uuidV7(1_700_000_000_000 + i));
    expect([...ids].sort()).to.deep.equal(ids);
    expect(new Set(Array.from({ length: 2000 }, () => uuidV7(1)))).to.have.property('size', 2000);
  });
});

describe('requestIdFrom', () => {
  for (const own of ['a', 'Order-7_x.y', 'z'.repeat(128)]) {
    it(`keeps a caller's own ID of ${own.length} characters`, () => {
      expect(requestIdFrom(own)).to.equal(own);
    });
  }
  for (const bad of [null, undefined, '', 'z'.repeat(129), 'a b', 'a\nb', 'é']) {
    it(`makes a new one instead of ${JSON.stringify(bad)?.slice(0, 12)}`, () => {
      expect(requestIdFrom(bad)).to.match(UUID_V7);
    });
  }
});
