import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { countPassed } from '../../src/process/collect-passed.ts';

const MIB = 1024 * 1024;
const TOTAL_BYTES = 256 * MIB;

/** The most bytes of buffers that are held while many pass through a connection. */
async function heldMost(onChunk: (bytes: number) => void): Promise<number> {
  const server = createServer((socket) => {
    const piece = Buffer.alloc(MIB);
    let left = TOTAL_BYTES;
    const more = (): void => {
      while (left > 0) {
        left -= piece.length;
        if (!socket.write(piece)) return void socket.once('drain', more);
      }
      socket.end();
    };
    more();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  client.on('data', (chunk) => {
    onChunk(chunk.length);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  });
  await once(client, 'close');
  server.close();
  return most;
}

describe('bytes that pass through', function () {
  this.timeout(60_000);

  it('are not held until there are many', async () => {
    expect(await heldMost(countPassed)).to.be.lessThan(16 * MIB);
  });
});
