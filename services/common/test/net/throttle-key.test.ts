import { expect } from 'chai';
import { throttleKeyOf } from '../../src/net/throttle-key.ts';

/** Addresses that one party holds, however they are spelled; and one that somebody else holds. */
const cases: Readonly<Record<string, { same: readonly string[]; other: string }>> = {
  'IPv4 addresses, each for itself': { same: ['192.0.2.7', ' 192.0.2.7'], other: '192.0.2.8' },
  'IPv4 addresses mapped into IPv6, as IPv4': {
    same: ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:192.0.2.7'],
    other: '::ffff:192.0.2.8',
  },
  'IPv4 addresses behind NAT64 (RFC 6052), as IPv4': {
    same: ['64:ff9b::192.0.2.7', '64:ff9b::c000:207', '192.0.2.7'],
    other: '64:ff9b::192.0.2.8',
  },
  'IPv4 addresses behind 6to4 (RFC 3056), as IPv4': {
    same: ['2002:c000:207::1', '2002:c000:207:ffff::2', '192.0.2.7'],
    other: '2002:c000:208::1',
  },
  'IPv6 by the network of 64 bits, in any spelling': {
    same: [
      '2001:db8:1:2::1',
      '2001:DB8:1:2:FFFF:ffff:ffff:ffff',
      '2001:0db8:0001:0002:0:0:0:9',
      '2001:db8:1:2::',
    ],
    other: '2001:db8:1:3::1',
  },
  'link-local IPv6 without its zone': { same: ['fe80::1%eth0', 'fe80::2%en1', 'fe80::1'], other: 'fec0::1' },
};

describe('throttleKeyOf counts', () => {
  for (const [what, { same, other }] of Object.entries(cases)) {
    it(what, () => {
      const keys = same.map(throttleKeyOf);
      expect(new Set(keys), keys.join(' ')).to.have.length(1);
      expect(throttleKeyOf(other)).not.to.equal(keys[0]);
    });
  }

  it('everything that is no address as one', () => {
    for (const text of ['', 'unknown', 'x'.repeat(10_000), '1.2.3.4.5', '\u0000']) {
      expect(throttleKeyOf(text)).to.equal('unknown');
    }
  });
});
