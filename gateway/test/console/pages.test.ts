import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import express from 'express';
import { expect } from 'chai';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { readConsoleBundle, type ConsoleBundle } from '../../src/console/server/bundle.ts';
import { pageEndpoints } from '../../src/console/server/pages.ts';
import { startHttpServer, type HttpServer } from '../../src/http/server.ts';
import { beginExchange } from '../../src/middleware/begin-exchange.ts';
import { errorMiddleware } from '../../src/middleware/errors.ts';
import { securityHeaders } from '../../src/middleware/security-headers.ts';
import { mount } from '../../src/routes/mount.ts';

const SCRIPT = 'console.log("here")\n'.repeat(50);

async function buildIn(folder: string): Promise<void> {
  const files: Record<string, string> = { 'main-A.js': SCRIPT, 'main-B.css': 'a{}', 'chunk-C.js': '1' };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text);
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(text));
    await writeFile(join(folder, `${name}.gz`), gzipSync(text));
  }
  const typed = Object.keys(files).map((name) => [name, { type: 'text/javascript', bytes: 1 }]);
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({
      entry: { script: 'main-A.js', style: 'main-B.css', imports: ['chunk-C.js'] },
      licenses: '',
      files: Object.fromEntries(typed),
    }),
  );
}

async function serve(bundle: ConsoleBundle | null): Promise<HttpServer> {
  const app = express();
  app.use(beginExchange(createLogger({ service: 't', level: 'silent' })), securityHeaders());
  mount(app, pageEndpoints(bundle, 'https://console.example.com/console'));
  app.use(errorMiddleware());
  return startHttpServer({ host: '127.0.0.1', port: 0 }, app);
}

describe("the console's page", () => {
  let folder: string;
  let server: HttpServer;
  let unbuilt: HttpServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'penstock-console-'));
    unbuilt = await serve(readConsoleBundle(folder));
    await buildIn(folder);
    server = await serve(readConsoleBundle(folder));
  });
  after(async () => {
    await Promise.all([server.close(0), unbuilt.close(0)]);
    await rm(folder, { recursive: true });
  });
  const open = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${server.port}${path}`);

  it('is where the bare address leads', async () => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/`, { redirect: 'manual' });
    expect(answer.status).to.equal(302);
    expect(answer.headers.get('location')).to.equal('https://console.example.com/console');
  });

  it('is the same document below every path, and nothing may run or frame it but our own', async () => {
    for (const path of ['/console', '/console/query', '/console/tables/a%2Fb?x=1']) {
      const answer = await open(path);
      expect(answer.status, path).to.equal(200);
      expect(await answer.text()).to.include('src="/console/assets/main-A.js"');
      const policy = answer.headers.get('content-security-policy') ?? '';
      for (const directive of [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ])
        expect(policy.split('; ')).to.include(directive);
      expect(policy).to.not.include('unsafe');
      expect(answer.headers.get('x-frame-options')).to.equal('DENY');
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      expect(answer.headers.get('referrer-policy')).to.equal('no-referrer');
    }
  });

  it('has another nonce each time, in its policy and for its scripts to read', async () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 5; i += 1) {
      const answer = await open('/console');
      const [, nonce = ''] =
        /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? [];
      expect(await answer.text()).to.include(`<meta name="csp-nonce" content="${nonce}" />`);
      nonces.add(nonce);
    }
    expect(nonces.size).to.equal(5);
  });

  it('loads files that browsers keep for good, in the coding that they take', async () => {
    for (const [accepted, coding, decoded] of [
      ['br, gzip', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['identity', undefined, (bytes: Buffer) => bytes],
    ] as const) {
      const { headers, bytes } = await raw(server.port, '/console/assets/main-A.js', accepted);
      expect(headers['content-encoding']).to.equal(coding);
      expect(decoded(bytes).toString()).to.equal(SCRIPT);
      expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
      expect(headers['vary']).to.match(/accept-encoding/i);
    }
  });

  it('has no files but those of the build', async () => {
    for (const name of ['manifest.json', 'main-A.js.br', '..%2f..%2fpackage.json', 'nope.js'])
      expect((await open(`/console/assets/${name}`)).status, name).to.equal(404);
    expect((await open('/console/api/nope')).status).to.equal(404);
  });

  it('says which command builds it where it was not built', async () => {
    const answer = await fetch(`http://127.0.0.1:${unbuilt.port}/console/query`);
    expect(answer.status).to.equal(503);
    expect(await answer.text()).to.include('make install');
  });
});

function raw(
  port: number,
  path: string,
  accepted: string,
): Promise<{ headers: Record<string, string | string[] | undefined>; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { 'accept-encoding': accepted } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(parts) }));
    })
      .on('error', reject)
      .end();
  });
}
