import { isIPv4, isIPv6 } from 'node:net';

/** The key of whatever is not an address: all of it shares one count. */
const UNKNOWN = 'unknown';
/** A customer gets at least a /64 (RFC 6177), and can take any address of it. */
const NETWORK_PARTS = 4;
const PARTS = 8;

/** Prefixes, in parts of 16 bits, behind which an IPv4 address stands. */
const ipv4Prefixes: readonly (readonly number[])[] = [
  // IPv4-mapped (RFC 4291, section 2.5.5.2).
  [0, 0, 0, 0, 0, 0xffff],
  // NAT64's well-known prefix (RFC 6052, section 2.1).
  [0x64, 0xff9b, 0, 0, 0, 0],
  // 6to4 (RFC 3056, section 2).
  [0x2002],
];

/** The eight parts of an IPv6 address, in whatever spelling. */
function partsOf(address: string): readonly number[] {
  // The URL standard has one spelling for an address: hexadecimal, without dots.
  const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = spelled.split('::');
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((part) => Number.parseInt(part, 16));
  const [left, right] = [numbers(head), numbers(tail)];
  return [...left, ...Array<number>(PARTS - left.length - right.length).fill(0), ...right];
}

const ipv4Of = ([high = 0, low = 0]: readonly number[]): string =>
  [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');

/**
 * The key that tries from an address are counted by. It stands for the party that holds the address: the IPv4 address
 * itself, also where it is wrapped in IPv6, or the IPv6 network of 64 bits, in whatever spelling. `unknown` for all
 * else.
 */
export function throttleKeyOf(address: string): string {
  const [text = ''] = address.trim().split('%');
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return UNKNOWN;
  const parts = partsOf(text);
  for (const prefix of ipv4Prefixes) {
    if (prefix.every((part, index) => parts[index] === part)) {
      return ipv4Of(parts.slice(prefix.length, prefix.length + 2));
    }
  }
  const network = parts.slice(0, NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
