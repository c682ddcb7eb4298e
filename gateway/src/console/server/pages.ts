/** The console's document, and the files that it loads. */
import { randomBytes } from 'node:crypto';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Exchange } from '../../http/exchange.ts';
import { pathParameter } from '../../http/path-parameter.ts';
import { html } from '../../login/html.ts';
import { ASSETS_PATH, CONSOLE_PATH } from '../api/protocol.ts';
import type { BundledFile, ConsoleBundle } from './bundle.ts';

const NONCE_BYTES = 16;
const ASSET_MAX_AGE_S = 31_536_000;

/** Nothing but our own scripts and styles is run or loaded; images may be drawn by the page itself, for downloads. */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const documentOf = ({ entry }: ConsoleBundle, nonce: string): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Penstock</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="csp-nonce" content="${nonce}" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${ASSETS_PATH}/${entry.style}" />
        ${entry.imports.map((name) => html`<link rel="modulepreload" href="${ASSETS_PATH}/${name}" />`)}
        <script type="module" src="${ASSETS_PATH}/${entry.script}"></script>
      </head>
      <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript.</noscript>
      </body>
    </html>`.text;

const notBuilt = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>The console is not built</title>
    </head>
    <body>
      <h1>The console is not built</h1>
      <p>Run <code>make install</code> in the repository, and start the gateway again.</p>
    </body>
  </html>`.text;

function sendHtml({ response }: Exchange, status: number, text: string, nonce: string): void {
  response.status(status);
  response.setHeader('content-security-policy', policyWith(nonce));
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(text);
}

/** The best coding that the browser takes. */
function codingOf({ request }: Exchange): keyof BundledFile['encoded'] {
  const accepted = request.acceptsEncodings(['br', 'gzip', 'identity']);
  return accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
}

/**
 * `/console` and everything below it that is no endpoint: the page finds its own way. To be mounted last. Who types the
 * service's bare address is led to `consoleUrl`.
 */
export function pageEndpoints(bundle: ConsoleBundle | null, consoleUrl: string): readonly Endpoint[] {
  const page = async (exchange: Exchange): Promise<void> => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    if (bundle === null) sendHtml(exchange, 503, notBuilt, nonce);
    else sendHtml(exchange, 200, documentOf(bundle, nonce), nonce);
  };

  const asset = async (exchange: Exchange): Promise<void> => {
    const { response } = exchange;
    const name = pathParameter(exchange, 'name');
    const file = bundle?.files.get(name);
    if (file === undefined) throw new PenstockError('NOT_FOUND', `Not found: ${ASSETS_PATH}/${name}`);
    const coding = codingOf(exchange);
    const content = file.encoded[coding];
    response.setHeader('cache-control', `public, max-age=${ASSET_MAX_AGE_S}, immutable`);
    response.setHeader('content-type', file.type);
    response.vary('accept-encoding');
    if (coding !== 'identity') response.setHeader('content-encoding', coding);
    response.setHeader('content-length', content.byteLength);
    response.end(content);
  };

  const below = async (exchange: Exchange): Promise<void> => {
    const { method, path } = exchange.request;
    if (path.startsWith(`${CONSOLE_PATH}/api/`) || path.startsWith(`${ASSETS_PATH}/`))
      throw new PenstockError('NOT_FOUND', `Not found: ${method} ${path}`);
    await page(exchange);
  };

  return [
    { method: 'get', path: '/', handle: async ({ response }) => response.redirect(consoleUrl) },
    { method: 'get', path: `${ASSETS_PATH}/:name`, handle: asset },
    { method: 'get', path: CONSOLE_PATH, handle: page },
    { method: 'get', path: `${CONSOLE_PATH}/*place`, handle: below },
  ];
}
