import { createLogger } from '@penstock/common/logging/logger.ts';
import { expect } from 'chai';
import { SIGN_IN_TRIES, STRANGERS_TRIES } from '../../src/limits.ts';
import { createSignInTries } from '../../src/login/sign-in-tries.ts';
import type { SignInTries } from '../../src/login/sign-in-tries.ts';
import { createThrottles } from '../../src/throttling/throttles.ts';

const logger = createLogger({ service: 'auth', level: 'silent' });

describe('Tries to sign in', () => {
  let tries: SignInTries;
  beforeEach(() => {
    tries = createSignInTries(createThrottles(null, logger));
  });

  const admitted = async (
    remoteAddress: string,
    change: { email?: string; knownBrowser?: string } = {},
  ): Promise<boolean> => {
    const attempt = { email: 'ann@example.com', remoteAddress, knownBrowser: null, ...change };
    return (await tries.admit(attempt)) === null;
  };
  async function guess(times: number, addressOf: (i: number) => string, change = {}): Promise<number> {
    let count = 0;
    for (let i = 0; i < times; i += 1) if (await admitted(addressOf(i), change)) count += 1;
    return count;
  }

  it('are ten for an account at an address, and others go on elsewhere', async () => {
    expect(await guess(20, () => '198.51.100.1')).to.equal(SIGN_IN_TRIES.perAccount);
    expect(await admitted('198.51.100.2')).to.equal(true);
    expect(await admitted('198.51.100.1', { email: 'bob@example.com' })).to.equal(true);
  });

  it('are a hundred for an address, whatever the accounts', async () => {
    let count = 0;
    for (let i = 0; i < 200; i += 1) {
      if (await admitted('198.51.100.1', { email: `${i}@example.com` })) count += 1;
    }
    expect(count).to.equal(SIGN_IN_TRIES.perAddress);
  });

  it('have one count for a network of IPv6, and one for an IPv4 address however it is spelled', async () => {
    const spellings = ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff::9', '2001:db8:1:2:a:b:c:d'];
    expect(await guess(30, (i) => spellings[i % 3] ?? '')).to.equal(SIGN_IN_TRIES.perAccount);
    expect(await admitted('2001:db8:1:3::1')).to.equal(true);
    const mapped = ['203.0.113.9', '::ffff:203.0.113.9', '::ffff:cb00:7109'];
    expect(await guess(30, (i) => mapped[i % 3] ?? '')).to.equal(SIGN_IN_TRIES.perAccount);
  });

  it('from many addresses are a hundred an hour for an account, and stop no browser that signed in before', async () => {
    expect(await guess(250, (i) => `198.51.100.${i}`)).to.equal(STRANGERS_TRIES.perAccount);
    expect(await admitted('203.0.113.2', { knownBrowser: 'mine' })).to.equal(true);
  });

  it('of a browser that signed in before are ten, wherever it is, whatever others did there', async () => {
    await guess(20, () => '198.51.100.1');
    const known = { knownBrowser: 'mine' };
    expect(await guess(20, (i) => `198.51.100.${i % 5}`, known)).to.equal(SIGN_IN_TRIES.perAccount);
    expect(await admitted('198.51.100.9', { knownBrowser: 'another' })).to.equal(true);
    expect(await admitted('198.51.100.9', { ...known, email: 'bob@example.com' })).to.equal(true);
  });

  it('that were right do not count', async () => {
    const attempt = { email: 'ann@example.com', remoteAddress: '198.51.100.1', knownBrowser: null };
    for (let i = 0; i < 150; i += 1) {
      expect(await tries.admit(attempt)).to.equal(null);
      await tries.forgive(attempt);
    }
  });

  it('are counted for an account in whatever case its address is typed', async () => {
    await guess(10, () => '198.51.100.1');
    expect(await admitted('198.51.100.1', { email: 'ANN@Example.com' })).to.equal(false);
  });
});
