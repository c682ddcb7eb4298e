import { BlockList, isIPv6 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether an address is this machine's own, IPv4 within IPv6 too. */
export const isLoopback = (address: string): boolean =>
  LOOPBACK.check(
    address.replace(/^::ffff:(?=\d+\.)/i, ''),
    isIPv6(address) && !/^::ffff:\d+\./i.test(address) ? 'ipv6' : 'ipv4',
  );
