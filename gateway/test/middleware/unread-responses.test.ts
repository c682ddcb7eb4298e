import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { expect } from 'chai';
import express, { type Response } from 'express';
import { beginExchange } from '../../src/middleware/begin-exchange.ts';
import { endUnreadResponses } from '../../src/middleware/unread-responses.ts';

const MIB = 1_024 * 1_024;
/** More than the buffers of both sides of a connection. */
const SIZE = 32 * MIB;
const LIMITS = { checkMs: 50, graceMs: 300, minBytesPerS: 64 * MIB };

describe('a response', function () {
  this.timeout(90_000);
  let server: Server;
  let closedAfterMs: Promise<number>;
  afterEach(() => server.close());

  async function serve(write: (response: Response) => void): Promise<Socket> {
    const closed = Promise.withResolvers<number>();
    closedAfterMs = closed.promise;
    const app = express();
    app.use(beginExchange(createLogger({ service: 'test', level: 'silent' })));
    app.use(endUnreadResponses(LIMITS));
    app.get('/', (_request, response) => {
      const started = performance.now();
      response.once('close', () => closed.resolve(performance.now() - started));
      write(response);
    });
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    return socket;
  }

  const whole = (response: Response): void => {
    for (let i = 0; i < SIZE / MIB; i += 1) response.write(Buffer.alloc(MIB));
    response.end();
  };

  it('that nobody reads is ended after the time that its size gives it', async () => {
    const socket = await serve(whole);
    expect(await closedAfterMs).to.be.within(700, 8_000);
    socket.destroy();
  });

  it('that nobody reads is ended, too, while it waits to go on', async () => {
    const socket = await serve((response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(MIB)));
        response.once('drain', more);
      };
      more();
    });
    expect(await closedAfterMs).to.be.within(300, 8_000);
    socket.destroy();
  });

  it('that is read byte by byte is ended', async () => {
    const socket = await serve(whole);
    const reading = setInterval(() => void socket.read(1), 20);
    expect(await closedAfterMs).to.be.within(700, 8_000);
    clearInterval(reading);
    socket.destroy();
  });

  it('that comes to an end, or of which nothing is there yet, is left alone', async () => {
    const socket = await serve((response) => {
      setTimeout(() => response.end('late'), 1_500);
    });
    const chunks: string[] = [];
    socket.on('data', (chunk) => chunks.push(chunk.toString()));
    socket.resume();
    expect(await closedAfterMs).to.be.at.least(1_400);
    await sleep(50);
    expect(chunks.join('')).to.match(/^HTTP\/1\.1 200 .*late$/s);
    socket.destroy();
  });
});
