import { BlockList, isIP, isIPv4 } from 'node:net';

/** IPv4 addresses that are not globally reachable (IANA special-purpose registry, RFC 6890), and multicast. */
const closedIPv4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * Of IPv6 only global unicast (2000::/3) is open, and of that not what is special, nor what carries an IPv4 address that
 * somebody else translates (6to4, Teredo). Mapped and NAT64 addresses lie outside 2000::/3.
 */
const closedGlobalIPv6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const closed = new BlockList();
for (const [net, prefix] of closedIPv4) closed.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of closedGlobalIPv6) closed.addSubnet(net, prefix, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is one that a request caused by a stranger may go to. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIPv4(address)) return !closed.check(address, 'ipv4');
  return globalUnicast.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}
