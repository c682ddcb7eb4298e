/** What a server makes of calls that no client of ours sends, and of those in other protocols. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Code, createClient, type Transport } from '@connectrpc/connect';
import {
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { expect } from 'chai';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import {
  GetKeySetRequestSchema,
  GetKeySetResponseSchema,
  TokenService,
} from '../../src/gen/penstock/auth/v1/token_pb.js';
import { ExecuteRequestSchema, QueryService } from '../../src/gen/penstock/query/v1/query_pb.js';
import { MESSAGE_BYTES_MAX } from '../../src/rpc/limits.ts';
import { createHarness, type Harness } from './harness.ts';

interface Answer {
  readonly headers: Record<string, unknown>;
  readonly trailers: Record<string, unknown>;
  readonly body: Buffer;
}

const REQUEST = toBinary(GetKeySetRequestSchema, create(GetKeySetRequestSchema));

/** A message behind its prefix, whose flags and length may be lies. */
function envelope(message: Uint8Array, { flags = 0, length = message.length } = {}): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flags, 0);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

describe('a server of gRPC', () => {
  let harness: Harness;
  let session: ClientHttp2Session;
  let port: number;
  beforeEach(async () => {
    harness = await createHarness();
    const server = await harness.serve(
      (router) => router.service(TokenService, { getKeySet: () => ({ jwksJson: '{"keys":[]}' }) }),
      { verifier: null, publicServices: [TokenService.typeName] },
    );
    port = server.port;
    session = connect(`http://127.0.0.1:${port}`);
  });
  afterEach(async () => {
    session.destroy();
    await harness.close();
  });

  const ask = (body: Uint8Array, headers: OutgoingHttpHeaders = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/penstock.auth.v1.TokenService/GetKeySet',
        'content-type': 'application/grpc',
        te: 'trailers',
        ...headers,
      });
      const chunks: Buffer[] = [];
      let got: Record<string, unknown> = {};
      let trailers: Record<string, unknown> = {};
      stream.on('response', (response) => (got = response));
      stream.on('trailers', (sent: Record<string, unknown>) => (trailers = sent));
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', reject);
      stream.on('close', () => resolve({ headers: got, trailers, body: Buffer.concat(chunks) }));
      stream.end(body);
    });
  const statusOf = async (body: Uint8Array, headers?: OutgoingHttpHeaders): Promise<number> => {
    const answer = await ask(body, headers);
    return Number(answer.trailers['grpc-status'] ?? answer.headers['grpc-status']);
  };

  it('answers one message by one, with its status in the trailers', async () => {
    for (const type of ['application/grpc', 'application/grpc+proto']) {
      const { headers, trailers, body } = await ask(envelope(REQUEST), { 'content-type': type });
      expect(headers).to.include({ ':status': 200, 'content-type': 'application/grpc+proto' });
      expect(trailers).to.include({ 'grpc-status': '0' });
      expect(body.readUInt32BE(1)).to.equal(body.length - 5);
      expect(fromBinary(GetKeySetResponseSchema, body.subarray(5)).jwksJson).to.equal('{"keys":[]}');
    }
  });

  it('says what is wrong with a body, and goes on', async () => {
    expect(await statusOf(Buffer.alloc(0))).to.equal(Code.Unimplemented);
    expect(await statusOf(Buffer.alloc(3))).to.equal(Code.InvalidArgument);
    expect(await statusOf(envelope(REQUEST, { length: 7 }))).to.equal(Code.InvalidArgument);
    expect(await statusOf(envelope(REQUEST, { flags: 1 }))).to.equal(Code.Internal);
    expect(await statusOf(Buffer.concat([envelope(REQUEST), envelope(REQUEST)]))).to.equal(
      Code.Unimplemented,
    );
    expect(await statusOf(envelope(Buffer.from([0xff])))).to.be.oneOf([Code.Internal, Code.InvalidArgument]);
    expect(await statusOf(envelope(REQUEST, { length: 0xffff_ffff }))).to.equal(Code.ResourceExhausted);
    expect(await statusOf(envelope(REQUEST))).to.equal(0);
  });

  it('refuses a body that is larger than any message, without keeping it', async () => {
    const body = envelope(Buffer.alloc(MESSAGE_BYTES_MAX + 1));
    const before = process.memoryUsage().arrayBuffers;
    expect(await statusOf(body)).to.equal(Code.ResourceExhausted);
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(3 * MESSAGE_BYTES_MAX);
    expect(await statusOf(envelope(REQUEST))).to.equal(0);
  });

  it('refuses a deadline that is none, and one that is too far away', async () => {
    expect(await statusOf(envelope(REQUEST), { 'grpc-timeout': 'soon' })).to.equal(Code.InvalidArgument);
    expect(await statusOf(envelope(REQUEST), { 'grpc-timeout': '9H' })).to.equal(Code.InvalidArgument);
    expect(await statusOf(envelope(REQUEST), { 'grpc-timeout': '5S' })).to.equal(0);
  });

  it('ends a call at its deadline whose body does not end', async () => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/penstock.auth.v1.TokenService/GetKeySet',
      'content-type': 'application/grpc',
      'grpc-timeout': '100m',
    });
    stream.write(envelope(REQUEST, { length: 100 }));
    stream.resume();
    const [trailers] = (await once(stream, 'trailers')) as [Record<string, unknown>];
    expect(trailers['grpc-status']).to.equal(String(Code.DeadlineExceeded));
    await once(stream, 'close');
  });

  it('does not call a stream complete that its deadline has ended', async () => {
    const server = await harness.serve(
      (router) =>
        router.service(QueryService, {
          async *execute() {
            for (;;) {
              yield { rows: { json: Buffer.from('[1]'), rowCount: 1 } };
              await sleep(10);
            }
          },
        }),
      { verifier: null, publicServices: [QueryService.typeName] },
    );
    const own = connect(`http://127.0.0.1:${server.port}`);
    try {
      const message = create(ExecuteRequestSchema, { sql: 'SELECT 1', maxRows: 1, timeoutMs: 60_000 });
      const stream = own.request({
        ':method': 'POST',
        ':path': '/penstock.query.v1.QueryService/Execute',
        'content-type': 'application/grpc',
        'grpc-timeout': '100m',
      });
      stream.resume();
      stream.end(envelope(toBinary(ExecuteRequestSchema, message)));
      const [trailers] = (await once(stream, 'trailers')) as [Record<string, unknown>];
      expect(trailers['grpc-status']).to.equal(String(Code.DeadlineExceeded));
    } finally {
      own.destroy();
    }
  });

  it('forgets a call whose caller goes away within the body', async () => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/penstock.auth.v1.TokenService/GetKeySet',
      'content-type': 'application/grpc',
    });
    stream.on('error', () => undefined);
    stream.write(envelope(REQUEST, { length: 100 }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    stream.destroy();
    expect(await statusOf(envelope(REQUEST))).to.equal(0);
  });

  const address = () => ({ baseUrl: `http://127.0.0.1:${port}`, httpVersion: '2' as const });
  const others: Record<string, () => Transport> = {
    'gRPC, compressed': () =>
      createGrpcTransport({
        ...address(),
        sendCompression: compressionGzip,
        acceptCompression: [compressionGzip],
        compressMinBytes: 0,
      }),
    'gRPC-web': () => createGrpcWebTransport(address()),
    Connect: () => createConnectTransport(address()),
  };
  for (const [protocol, transport] of Object.entries(others))
    it(`is served in ${protocol}, too`, async () => {
      const client = createClient(TokenService, transport());
      expect((await client.getKeySet({})).jwksJson).to.equal('{"keys":[]}');
    });
});
