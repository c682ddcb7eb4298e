import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { PgError } from '../../../src/postgres/errors/pg-error.ts';
import { isOneOf } from '../../../src/postgres/connection/address-list.ts';
import { clientAddress } from '../../../src/postgres/connection/proxy-protocol.ts';

/** As the standard has it, field by field. */
function header(options: {
  readonly version?: number;
  readonly command?: number;
  readonly family?: number;
  readonly addresses?: Buffer;
  readonly length?: number;
}): Buffer {
  const { version = 2, command = 1, family = 1, addresses = IPV4, length = addresses.length } = options;
  const start = Buffer.from([...Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'), 0, 0, 0, 0]);
  start.writeUInt8((version << 4) | command, 12);
  start.writeUInt8((family << 4) | 1, 13);
  start.writeUInt16BE(length, 14);
  return Buffer.concat([start, addresses]);
}
const PORTS = Buffer.from([0x9c, 0x40, 0x15, 0x38]);
/** 203.0.113.7 to 10.0.0.1. */
const IPV4 = Buffer.concat([Buffer.from([203, 0, 113, 7, 10, 0, 0, 1]), PORTS]);
/** 2001:db8::7 to ::1. */
const IPV6 = Buffer.concat([
  Buffer.from('20010db8000000000000000000000007', 'hex'),
  Buffer.from('00000000000000000000000000000001', 'hex'),
  PORTS,
]);
const LOOPBACK = isOneOf(['127.0.0.0/8']);

describe('the PROXY protocol', () => {
  /** What the endpoint takes for the client's address, and the first byte behind it. */
  async function seen(
    parts: readonly Buffer[],
    isProxy = LOOPBACK,
  ): Promise<{ address: string | null; rest: string }> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    try {
      const [socket] = (await once(server, 'connection')) as [Socket];
      const found = clientAddress(socket, isProxy);
      // Handled here, looked at below.
      found.catch(() => undefined);
      for (const part of parts) {
        client.write(part);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      client.end();
      const address = await found;
      if (address === null) return { address, rest: '' };
      const rest: Buffer[] = [];
      socket.on('data', (bytes: Buffer) => rest.push(bytes));
      await once(socket, 'end');
      return { address, rest: Buffer.concat(rest).toString() };
    } finally {
      client.destroy();
      server.close();
    }
  }
  const failureOf = (parts: readonly Buffer[]): Promise<unknown> =>
    seen(parts).then(
      () => null,
      (error: unknown) => (error instanceof PgError ? error.fields.code : error),
    );
  const startup = Buffer.from('startup');

  it('tells where a client comes from, and leaves what it says', async () => {
    expect(await seen([Buffer.concat([header({}), startup])])).to.deep.equal({
      address: '203.0.113.7',
      rest: 'startup',
    });
    const sixth = await seen([header({ family: 2, addresses: IPV6 }), startup]);
    expect(sixth).to.deep.equal({ address: '2001:db8:0:0:0:0:0:7', rest: 'startup' });
  });

  it('may come byte by byte, and with more than the addresses', async () => {
    const more = header({ addresses: Buffer.concat([IPV4, Buffer.from([4, 0, 2, 1, 1])]) });
    const bytes = [...Buffer.concat([more, startup])].map((byte) => Buffer.from([byte]));
    expect(await seen(bytes)).to.deep.equal({ address: '203.0.113.7', rest: 'startup' });
  });

  it("is the balancer's own where it speaks for itself, or names no address of the internet", async () => {
    for (const one of [header({ command: 0, addresses: Buffer.alloc(0) }), header({ family: 3 })])
      expect((await seen([one, startup])).address).to.equal('127.0.0.1');
  });

  it('must be there, whole and of version 2, where a trusted proxy connects', async () => {
    const plain = Buffer.from('a startup message of a client that came past the balancer');
    const tooLong = header({ addresses: IPV4, length: 60_000 });
    const short = header({ addresses: IPV4.subarray(0, 8) });
    for (const one of [plain, header({ version: 1 }), header({ command: 2 }), tooLong, short])
      expect(await failureOf([one]), one.toString('latin1')).to.equal('08P01');
    expect((await seen([header({}).subarray(0, 20)])).address).to.equal(null);
    expect((await seen([])).address).to.equal(null);
  });

  it('is not read where anybody else connects', async () => {
    const elsewhere = await seen([header({})], isOneOf(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']));
    expect(elsewhere.address).to.equal('127.0.0.1');
    expect(elsewhere.rest).to.include('QUIT');
  });

  it('is trusted by networks and by addresses', () => {
    const isProxy = isOneOf(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);
    for (const [address, is] of [
      ['10.200.1.1', true],
      ['::ffff:10.0.0.1', true],
      ['192.0.2.1', true],
      ['192.0.2.2', false],
      ['2001:db8::1', true],
      ['2001:db9::1', false],
    ] as const)
      expect(isProxy(address), address).to.equal(is);
  });
});
