import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { joined, messageReader, openReceiver, openSender } from '../../src/pipe/channel.ts';

interface Message {
  readonly n: number;
  readonly text?: string;
}

/** Both ends of a connection. */
async function pair(): Promise<{ near: Socket; far: Socket; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  const close = (): void => {
    near.destroy();
    far.destroy();
    server.close();
  };
  return { near, far, close };
}

/** What is sent, as one run of bytes. */
async function bytesOf(messages: readonly (readonly [Message, Uint8Array?])[]): Promise<Buffer> {
  const { near, far, close } = await pair();
  const chunks: Buffer[] = [];
  far.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const sender = openSender<Message>(near);
  const sent = messages.map(
    ([message, bytes]) => new Promise<void>((resolve) => sender.send(message, bytes, resolve)),
  );
  await Promise.all(sent);
  near.end();
  await once(far, 'end');
  close();
  return Buffer.concat(chunks);
}

describe('messages over a socket', () => {
  const large = Buffer.alloc(100_000, 'y');
  const messages = [
    [{ n: 1, text: 'ä🙂' }],
    [{ n: 2 }, Buffer.from('rows')],
    [{ n: 3 }, large],
    [{ n: 4 }],
  ] as const;
  const expected = [
    [{ n: 1, text: 'ä🙂' }, ''],
    [{ n: 2 }, 'rows'],
    [{ n: 3 }, large.toString()],
    [{ n: 4 }, ''],
  ];

  for (const size of [1, 7, 1_000, Infinity])
    it(`come whole, with their bytes, in pieces of ${size} bytes`, async () => {
      const all = await bytesOf(messages);
      const got: unknown[] = [];
      const read = messageReader<Message>(
        (message, bytes) => void got.push([message, joined(bytes).toString()]),
      );
      for (let at = 0; at < all.length; at += size) read(all.subarray(at, at + size));
      expect(got).to.deep.equal(expected);
    });

  for (const [what, bytes] of [
    ['of an odd length', Buffer.from([0xff, 0xff, 0xff, 0xff, 1])],
    ['shorter than its JSON', Buffer.from([5, 0, 0, 0, 9, 0, 0, 0, 1])],
    ['that is no JSON', Buffer.from([5, 0, 0, 0, 1, 0, 0, 0, 0x7b])],
  ] as const)
    it(`end the connection where one is ${what}`, async () => {
      const { near, far, close } = await pair();
      const ended = new Promise<void>((resolve) =>
        openReceiver<Message>(far, { onMessage: () => expect.fail('a message'), onEnd: resolve }),
      );
      near.write(bytes);
      await ended;
      expect(far.destroyed).to.equal(true);
      close();
    });

  it('end once, after all that was said, and what is sent then goes nowhere', async () => {
    const { near, far, close } = await pair();
    const heard: (number | 'end')[] = [];
    const ended = new Promise<void>((resolve) =>
      openReceiver<Message>(far, {
        onMessage: ({ n }) => void heard.push(n),
        onEnd: () => {
          heard.push('end');
          resolve();
        },
      }),
    );
    const sender = openSender<Message>(near);
    sender.send({ n: 1 });
    sender.send({ n: 2 });
    near.end();
    await ended;
    sender.send({ n: 3 });
    expect(heard).to.deep.equal([1, 2, 'end']);
    close();
  });
});
