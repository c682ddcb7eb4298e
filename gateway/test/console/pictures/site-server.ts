/**
 * The bundled console over HTTP, with answers that are written in tests: one server for all sites of a process. A real
 * server, since what a browser takes from its caches costs nothing, and what is put into its requests is compiled anew.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Answer, Answers } from './answers.ts';

const BUNDLE = join(import.meta.dirname, '../../../dist/console');
const ASSETS = '/console/assets/';
const REQUEST_ID = '0193b2f0-7c1d-7e3a-9f10-2b6c8d4e5f60';
/** An empty page of the same origin: where a browser leaves a state before it meets the next. */
export const BLANK = '/blank';
/** Names the site that a request is from. */
const SITE_HEADER = 'x-test-site';

/** As the gateway sends it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'nonce-bm9uY2U='",
  "img-src 'self' data: blob:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Manifest {
  readonly entry: { readonly script: string; readonly style: string };
  readonly files: Readonly<Record<string, { readonly type: string }>>;
}

/** What one site is answered with. */
export interface Replies {
  /** Told of each request that there is no answer to. */
  readonly complain: (complaint: string) => void;
  answers: Answers;
}

interface SiteServer {
  readonly origin: string;
  /** What a browser has to send to be answered with these. */
  headersOf(replies: Replies): Record<string, string>;
}

const documentOf = ({ entry }: Manifest): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Penstock</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="csp-nonce" content="bm9uY2U=" />
    <link rel="stylesheet" href="${ASSETS}${entry.style}" />
    <link rel="icon" href="data:," />
    <script type="module" src="${ASSETS}${entry.script}"></script>
  </head>
  <body><div id="console"></div></body>
</html>`;

const answerTo = (given: Answer | undefined, body: string, url: URL): Answer | undefined =>
  given !== null && given !== undefined && 'by' in given ? given.by(body, url) : given;

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** @throws Error where the state has no answer */
function sendAnswer(response: ServerResponse, given: Answer | undefined, key: string): void {
  // Never answered: the browser lets go of it with the page.
  if (given === null) return;
  if (given === undefined) throw new Error(`The state has no answer to ${key}`);
  response.setHeader('x-request-id', REQUEST_ID);
  if ('by' in given) throw new Error(`The answer to ${key} depends on what was asked twice`);
  if ('data' in given) sendJson(response, 200, { success: true, data: given.data });
  else if ('json' in given) sendJson(response, 200, given.json as object);
  else if ('ndjson' in given) response.setHeader('content-type', 'application/x-ndjson').end(given.ndjson);
  else {
    const { status, code, message } = given;
    const error = { message, code, requestId: REQUEST_ID };
    sendJson(response, status, { success: false, error });
  }
}

async function answer(
  manifest: Manifest,
  replies: Replies | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const { pathname } = url;
  const asset = pathname.startsWith(ASSETS) ? pathname.slice(ASSETS.length) : '';
  const file = manifest.files[asset];
  if (file !== undefined) {
    response.setHeader('content-type', file.type).setHeader('cache-control', 'max-age=3600, immutable');
    response.end(await readFile(join(BUNDLE, asset)));
  } else if (!pathname.startsWith('/console/api/') && !pathname.startsWith('/v1/')) {
    response.setHeader('content-type', 'text/html').setHeader('content-security-policy', POLICY);
    response.end(pathname === BLANK ? '<!doctype html><title>Blank</title>' : documentOf(manifest));
  } else {
    const key = `${request.method} ${pathname}`;
    const given = replies?.answers[key];
    sendAnswer(response, answerTo(given, await text(request), url), key);
  }
}

async function startServer(): Promise<SiteServer> {
  const manifest = JSON.parse(await readFile(join(BUNDLE, 'manifest.json'), 'utf8')) as Manifest;
  const sites: Replies[] = [];
  const server: Server = createServer((request, response) => {
    const replies = sites[Number(request.headers[SITE_HEADER])];
    answer(manifest, replies, request, response).catch((error: unknown) => {
      replies?.complain(String(error));
      response.destroy();
    });
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  // It ends with the process.
  server.unref();
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    headersOf: (replies) => ({ [SITE_HEADER]: String(sites.push(replies) - 1) }),
  };
}

let started: Promise<SiteServer> | null = null;

/** The server of all sites of this process, started by the first that asks. */
export const siteServer = (): Promise<SiteServer> => (started ??= startServer());
