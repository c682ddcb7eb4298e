import { expect } from 'chai';
import { isPublicAddress } from '../../../src/oauth/metadata-documents/public-address.ts';

describe('Public addresses', () => {
  for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:82a::200e']) {
    it(`are such as ${address}`, () => expect(isPublicAddress(address)).to.equal(true));
  }

  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:1.1.1.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
  ]) {
    it(`are not ${address === '' ? 'nothing' : address}`, () =>
      expect(isPublicAddress(address)).to.equal(false));
  }
});
