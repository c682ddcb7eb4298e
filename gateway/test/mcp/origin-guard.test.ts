import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { expect } from 'chai';
import express from 'express';
import { originGuard } from '../../src/mcp/origin-guard.ts';
import { beginExchange } from '../../src/middleware/begin-exchange.ts';

const METHODS = ['POST', 'GET', 'DELETE', 'OPTIONS'];
/** Of who got past the guard. */
const LET_IN = 418;

interface Got {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

describe('hosts and pages that /mcp is called from', () => {
  const servers: Server[] = [];
  after(() => servers.forEach((server) => server.close()));

  async function guarded(resource: string, allowedHosts: string[] = [], allowedOrigins: string[] = []) {
    const app = express();
    app.use(beginExchange(createLogger({ service: 'test', level: 'silent' })));
    app.use(originGuard({ resource: new URL(resource), allowedHosts, allowedOrigins }));
    app.use((_request, response) => void response.status(LET_IN).end());
    const server = createServer(app).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    // `fetch` writes Host and Origin itself.
    return (method: string, headers: Record<string, string>, path = '/mcp'): Promise<Got> =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path, method, headers, timeout: 10_000 };
        const sent = request(options, (answer) => {
          let text = '';
          answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
          answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
        });
        sent.once('error', reject);
        sent.end();
      });
  }

  describe('where it has a name', () => {
    const host = 'mcp.example';
    let send: Awaited<ReturnType<typeof guarded>>;
    before(async () => {
      send = await guarded(`https://${host}/mcp`, ['mcp.internal'], ['https://agent.example:8443']);
    });

    it('are let in under that name and those of the setting, on any port', async () => {
      for (const name of ['mcp.example', 'mcp.example:443', 'MCP.example', 'mcp.internal:9000']) {
        expect((await send('POST', { host: name })).status, name).to.equal(LET_IN);
      }
    });

    it('are refused under any other name, whatever the method', async () => {
      for (const name of [
        'evil.example',
        'mcp.example.evil.example',
        'localhost',
        '169.254.169.254',
        'a b',
      ]) {
        for (const method of METHODS) {
          const { status, text } = await send(method, { host: name });
          expect(status, `${method} ${name}`).to.equal(403);
          expect(JSON.parse(text)).to.deep.include({ jsonrpc: '2.0', id: null });
        }
      }
    });

    it('are refused from a page of another site, whatever the method', async () => {
      const pages = [
        'https://evil.example',
        'https://agent.example',
        'http://agent.example:8443',
        'https://agent.example:8443.evil.example',
        'https://mcp.example.evil.example',
        'http://localhost:3000',
        'null',
        'file://',
        'x',
      ];
      for (const origin of pages) {
        for (const method of METHODS) {
          const { status, headers } = await send(method, {
            host,
            origin,
            'access-control-request-method': 'POST',
          });
          expect(status, `${method} ${origin}`).to.equal(403);
          expect(headers, origin).to.not.have.property('access-control-allow-origin');
        }
      }
    });

    it('may read the answer in a browser where they are let in', async () => {
      for (const origin of ['https://mcp.example', 'https://agent.example:8443']) {
        const asked = await send('OPTIONS', { host, origin, 'access-control-request-method': 'POST' });
        expect(asked.status, origin).to.equal(204);
        expect(asked.headers).to.include({
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'POST',
          vary: 'origin',
        });
        const headers = String(asked.headers['access-control-allow-headers']).split(', ');
        expect(headers).to.include.members([
          'authorization',
          'content-type',
          'mcp-protocol-version',
          'mcp-method',
          'mcp-name',
        ]);
        const answer = await send('POST', { host, origin });
        expect(answer.status, origin).to.equal(LET_IN);
        expect(answer.headers['access-control-allow-origin']).to.equal(origin);
        expect(answer.headers['access-control-expose-headers']).to.include('www-authenticate');
        expect(answer.headers).to.not.have.property('access-control-allow-credentials');
      }
    });

    it('matter to no other path', async () => {
      const evil = { host: 'evil.example', origin: 'https://evil.example' };
      expect((await send('POST', evil, '/token')).status).to.equal(LET_IN);
    });
  });

  it('are let in by any loopback name where it runs on one', async () => {
    const send = await guarded('http://localhost:8080/mcp');
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) {
      const answer = await send('POST', { host, origin: `http://${host}` });
      expect(answer.status, host).to.equal(LET_IN);
    }
    expect((await send('POST', { host: 'evil.example:8080' })).status).to.equal(403);
    expect((await send('POST', { host: 'localhost', origin: 'http://evil.example' })).status).to.equal(403);
  });
});
