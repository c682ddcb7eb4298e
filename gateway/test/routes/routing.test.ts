import { expect } from 'chai';
import { request } from 'node:http';
import { connect } from 'node:net';
import { startGateway, type TestGateway } from '../support/gateway.ts';

describe('the gateway', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.close());

  for (const path of [
    '/v1',
    '/v1/query/',
    '/V1/query',
    '/v1/schemas/a/b',
    '/v1/nothing',
    '//v1/query',
    '/robots.txt',
  ]) {
    it(`answers ${path} with 404 in the envelope`, async () => {
      const { status, body, headers } = await gateway.send('GET', path);
      expect(status).to.equal(404);
      expect(body.success).to.equal(false);
      expect(body.error.code).to.equal('NOT_FOUND');
      expect(body.error.requestId).to.equal(headers.get('x-request-id'));
    });
  }

  for (const [method, path, allow] of [
    ['PUT', '/v1/schemas', 'POST, GET, HEAD'],
    ['POST', '/v1/schemas/x', 'GET, PATCH, DELETE, HEAD'],
    ['GET', '/v1/auth/token', 'POST'],
    ['DELETE', '/v1/usage/summary', 'GET, HEAD'],
    ['OPTIONS', '/v1/schemas', 'POST, GET, HEAD'],
  ] as const) {
    it(`answers ${method} ${path} with 405 and what is allowed`, async () => {
      const { status, body, headers } = await gateway.send(method, path, { as: null });
      expect(status).to.equal(405);
      expect(headers.get('allow')).to.equal(allow);
      expect(body.error.code).to.equal('VALIDATION_ERROR');
    });
  }

  it('answers another method on /v1/query in the query envelope', async () => {
    const { status, body, headers } = await gateway.send('GET', '/v1/query');
    expect(status).to.equal(405);
    expect(headers.get('allow')).to.equal('POST');
    expect(body).to.deep.equal({ success: false, error: 'GET is not allowed here; allowed: POST' });
    expect(gateway.recorded).to.deep.equal([]);
  });

  /** Sends a path that fetch would mend. */
  function rawGet(path: string): Promise<{ status: number; text: string; requestId: unknown }> {
    return new Promise((resolve, reject) => {
      request({ port: gateway.server.port, host: '127.0.0.1', path }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text, requestId: response.headers['x-request-id'] }),
        );
      })
        .on('error', reject)
        .end();
    });
  }

  it('answers a malformed escape in the path with 400', async () => {
    for (const path of ['/v1/schemas/%', '/v1/schemas/%E0%A4%A', '/v1/schemas/%ff/validate-role']) {
      const { status, text, requestId } = await rawGet(path);
      const { error } = JSON.parse(text) as { error: { code: string; message: string; requestId: string } };
      expect(status, path).to.equal(400);
      expect(error).to.deep.equal({ code: 'VALIDATION_ERROR', message: 'The URL is malformed', requestId });
    }
  });

  it('answers what is no HTTP with 400 in the envelope, with a request ID', async () => {
    const text = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(gateway.server.port, '127.0.0.1', () => socket.write('NOT HTTP\r\n\r\n'));
      socket.on('data', (chunk) => (received += chunk.toString()));
      socket.on('close', () => resolve(received));
    });
    expect(text).to.match(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text).to.match(/x-request-id: [0-9a-f-]{36}\r\n/);
    const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as { error: { code: string } };
    expect(body.error.code).to.equal('VALIDATION_ERROR');
  });

  it('keeps a usable request ID and makes one instead of another', async () => {
    const idOf = async (given: string) =>
      (await gateway.send('GET', '/livez', { headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      );
    expect(await idOf('My_request-7.a')).to.equal('My_request-7.a');
    for (const bad of ['has space', 'x'.repeat(129), 'semi;colon']) {
      expect(await idOf(bad)).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    }
  });

  it('sends headers that keep its answers from being run, framed or stored', async () => {
    const { headers } = await gateway.send('GET', '/v1/openapi.json', { as: null });
    expect(headers.get('x-powered-by')).to.equal(null);
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    expect(headers.get('content-security-policy')).to.contain("default-src 'none'");
    expect(headers.get('x-frame-options')).to.equal('DENY');
    expect(headers.get('cache-control')).to.equal('no-store');
  });

  it('hands out the public keys, and nothing private', async () => {
    const { body, headers } = await gateway.send('GET', '/.well-known/jwks.json', { as: null });
    expect(body).to.deep.equal(JSON.parse(JSON.stringify(gateway.signer.keySet)));
    expect(headers.get('cache-control')).to.equal('public, max-age=60');
    expect(JSON.stringify(body)).to.not.contain('"d"');
  });

  it('answers probes without a token', async () => {
    expect((await gateway.send('GET', '/livez', { as: null })).text).to.equal('ok\n');
    expect((await gateway.send('GET', '/readyz', { as: null })).status).to.equal(200);
    gateway.ready = false;
    expect((await gateway.send('GET', '/readyz', { as: null })).status).to.equal(503);
    expect((await gateway.send('GET', '/livez', { as: null })).status).to.equal(200);
  });

  it('logs every request with its ID, route, tenant and status, and no token', async () => {
    const token = await gateway.signer.sign();
    await gateway.send('GET', '/v1/schemas/secret-name?x=1', {
      as: null,
      headers: { authorization: `Bearer ${token}`, 'x-request-id': 'r-1' },
    });
    const line = gateway.lines.find(({ msg }) => msg === 'http');
    expect(line).to.include({
      requestId: 'r-1',
      route: '/v1/schemas/:schemaName',
      status: '400',
      tenantId: 'tenant-1',
    });
    expect(JSON.stringify(gateway.lines)).to.not.contain(token).and.to.not.contain('secret-name');
  });
});
