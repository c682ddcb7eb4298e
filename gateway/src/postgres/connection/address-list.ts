import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** An address without the prefix that an IPv4 one has within IPv6. */
export const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Whether an address is of a list, IPv4 within IPv6 too. `networks`: addresses, or networks as `10.0.0.0/8`. */
export function isOneOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const plain = withoutMapping(address);
    return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
  };
}

/** Whether an address is this machine's own. */
export const isLoopback = isOneOf(['127.0.0.0/8', '::1']);
