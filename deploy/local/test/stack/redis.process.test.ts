import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findRedisBinary } from '../../src/stack/redis-binary.ts';
import { startRedis } from '../../src/stack/redis.ts';

describe('Redis for the stack', () => {
  let dir: string;
  before(async () => (dir = await mkdtemp(join(tmpdir(), 'penstock-redis-'))));
  after(() => rm(dir, { recursive: true, force: true }));

  it('is found or unpacked, keeps every write over a restart, and ends when closed', async function () {
    this.timeout(120_000);
    const first = await startRedis({ dataDir: join(dir, 'data'), port: 0 });
    expect(await command(first.port, 'SET kept yes\r\n')).to.equal('+OK');
    await first.close();
    const second = await startRedis({ dataDir: join(dir, 'data'), port: first.port });
    expect(await command(second.port, 'GET kept\r\n')).to.equal('$3\r\nyes');
    await second.close();
    const refused = await command(second.port, 'PING\r\n').catch((error: Error) => error.message);
    expect(refused).to.include('ECONNREFUSED');
  });

  it('that is nowhere to be had is an error that says what to install', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = join(dir, 'empty');
    try {
      const error = await findRedisBinary(join(dir, 'cache')).catch((e: Error) => e);
      expect(error).to.be.instanceOf(Error);
      expect((error as Error).message).to.include('Install Redis 6.2 or later');
    } finally {
      process.env['PATH'] = path;
    }
  });
});

/** One command in Redis' inline form; its answer without the last line end. */
function command(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.once('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().trimEnd());
    });
  });
}
