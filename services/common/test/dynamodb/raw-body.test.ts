import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { DYNAMO_BODY_BYTES_MAX } from '../../src/dynamodb/limits.ts';
import { allowRawReads, sendRaw } from '../../src/dynamodb/raw-reads.ts';

const scan = new ScanCommand({ TableName: 'orders' });
const PIECES = Array.from({ length: 40 }, (_, i) => `{"piece ${i}":"${'x'.repeat(i * 500)}"}`);

describe('raw bodies', () => {
  let server: Server;
  let client: DynamoDBClient;
  let answer: (response: ServerResponse) => void;
  let requests: number;

  beforeEach(async () => {
    requests = 0;
    server = createServer((request, response) => {
      requests += 1;
      request.resume().on('end', () => answer(response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    client = new DynamoDBClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
      maxAttempts: 2,
    });
    allowRawReads(client);
  });
  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const inPieces = (response: ServerResponse): void => {
    const [first, ...rest] = PIECES;
    response.write(first);
    const next = (): void => {
      const piece = rest.shift();
      if (piece === undefined) response.end();
      else response.write(piece, () => setImmediate(next));
    };
    next();
  };

  it('are whole, however they come', async () => {
    answer = inPieces;
    expect((await sendRaw(client, scan)).toString()).to.equal(PIECES.join(''));
    answer = (response) => {
      response.setHeader('content-length', PIECES.join('').length);
      inPieces(response);
    };
    expect((await sendRaw(client, scan)).toString()).to.equal(PIECES.join(''));
    answer = (response) => response.end();
    expect((await sendRaw(client, scan)).length).to.equal(0);
  });

  for (const length of [undefined, 1_000])
    it(`are asked for again where one was cut off ${length === undefined ? 'between chunks' : 'before its length'}`, async () => {
      answer = (response) => {
        if (length !== undefined) response.setHeader('content-length', length);
        if (requests > 1) response.end('y'.repeat(1_000));
        else response.write('x'.repeat(500), () => setTimeout(() => response.destroy(), 20));
      };
      expect((await sendRaw(client, scan)).toString()).to.equal('y'.repeat(1_000));
      expect(requests).to.equal(2);
    });

  it('come whole after the signal, too, if they were on their way', async () => {
    const controller = new AbortController();
    answer = (response) =>
      response.write('x'.repeat(500), () => {
        controller.abort();
        setTimeout(() => response.end('y'), 20);
      });
    expect(await sendRaw(client, scan, controller.signal)).to.have.length(501);
  });

  it('are not asked for again after the signal', async () => {
    const controller = new AbortController();
    answer = (response) =>
      response.write('x'.repeat(500), () => {
        controller.abort();
        setTimeout(() => response.destroy(), 20);
      });
    const error: unknown = await sendRaw(client, scan, controller.signal).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
    expect(requests).to.equal(1);
  });

  it('are given up once they are longer than any answer of DynamoDB', async () => {
    const piece = Buffer.alloc(8 * 1024 * 1024);
    let sent = 0;
    answer = (response) => {
      const more = (): void => {
        sent += piece.length;
        if (!response.destroyed) response.write(piece, more);
      };
      more();
    };
    const error: unknown = await sendRaw(client, scan).catch((thrown: unknown) => thrown);
    expect(String(error)).to.contain(`an answer of more than ${DYNAMO_BODY_BYTES_MAX} bytes`);
    expect(sent).to.be.below(2 * DYNAMO_BODY_BYTES_MAX);
  });
});
