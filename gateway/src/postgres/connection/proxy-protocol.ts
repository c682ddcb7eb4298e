/**
 * Where clients behind a load balancer come from: the header that the balancer sends before their first byte, PROXY protocol
 * version 2 (https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt, section 2.2). Balancers of a list must send it;
 * from all others it would be a client's own claim, and is no message of PostgreSQL's protocol.
 */
import type { Socket } from 'node:net';
import { PROXY_HEADER_BYTES_MAX } from '../limits.ts';
import { withoutMapping } from './address-list.ts';
import { fatal } from './begin.ts';

/** Whether an address is a balancer's. */
export type IsProxy = (address: string) => boolean;

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
/** Signature, version and command, family and protocol, length of what follows. */
const START_BYTES = 16;
const VERSION = 2;
/** The balancer speaks for itself: a health check. */
const LOCAL = 0;
const PROXY = 1;
/** A family's number, how long its addresses are, and how the first of two, the client's, is written. */
const FAMILIES: ReadonlyMap<number, { readonly bytes: number; readonly text: (bytes: Buffer) => string }> =
  new Map([
    [1, { bytes: 4, text: (bytes) => bytes.join('.') }],
    [2, { bytes: 16, text: (bytes) => ipv6Of(bytes) }],
  ]);

const ipv6Of = (bytes: Buffer): string =>
  Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16)).join(':');

/** The next bytes of a connection; null where it ends before. */
function take(socket: Socket, count: number): Promise<Buffer | null> {
  if (count === 0) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve) => {
    const done = (bytes: Buffer | null): void => {
      socket.off('readable', look);
      socket.off('close', gone);
      socket.off('end', gone);
      resolve(bytes);
    };
    const gone = (): void => done(null);
    const look = (): void => {
      const bytes = socket.read(count) as Buffer | null;
      if (bytes !== null) done(bytes.length === count ? bytes : null);
    };
    socket.on('readable', look);
    socket.once('close', gone);
    socket.once('end', gone);
    look();
  });
}

const malformed = () =>
  fatal('08P01', 'a connection of a trusted proxy begins without a header of PROXY protocol version 2');

/**
 * The address that a client connects from: its own, or what its balancer says. Null where the balancer only looks whether
 * somebody is here, or the connection has ended. @throws PgError FATAL for a balancer that says nothing
 */
export async function clientAddress(socket: Socket, isProxy: IsProxy): Promise<string | null> {
  const own = withoutMapping(socket.remoteAddress ?? '');
  if (!isProxy(own)) return own;
  const start = await take(socket, START_BYTES);
  if (start === null) return null;
  const [kind, family, length] = [start.readUInt8(12), start.readUInt8(13) >> 4, start.readUInt16BE(14)];
  const isHeader = SIGNATURE.equals(start.subarray(0, SIGNATURE.length)) && kind >> 4 === VERSION;
  if (!isHeader || length > PROXY_HEADER_BYTES_MAX) throw malformed();
  const rest = await take(socket, length);
  if (rest === null) return null;
  const command = kind & 0xf;
  if (command === LOCAL) return own;
  const known = FAMILIES.get(family);
  if (command !== PROXY) throw malformed();
  // A family that has no addresses of the internet: the standard has the receiver take the balancer's own.
  if (known === undefined) return own;
  if (rest.length < 2 * known.bytes + 4) throw malformed();
  return known.text(rest.subarray(0, known.bytes));
}
