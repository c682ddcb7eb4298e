/**
 * The console as it was bundled, in a browser, with answers that are written here: for pictures of states that a stack
 * can hardly be brought into. How it works against a stack is tested in e2e/console.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Route } from 'playwright-core';

const BUNDLE = join(import.meta.dirname, '../../../dist/console');
const ORIGIN = 'https://console.example';

/** What a path is answered with: `data` of a success, or a refusal; `null`: never. */
export type Answer =
  | { readonly data: unknown }
  | { readonly status: number; readonly code: string; readonly message: string }
  | { readonly json: unknown }
  /** A stream of rows, whole. */
  | { readonly ndjson: string }
  /** By what was asked. */
  | { readonly by: (body: string, url: URL) => Answer }
  | null;

/** By method and path without its query: `GET /v1/schemas`. */
export type Answers = Readonly<Record<string, Answer>>;

interface Manifest {
  readonly entry: { readonly script: string; readonly style: string };
  readonly files: Readonly<Record<string, { readonly type: string }>>;
}

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

let manifest: Promise<Manifest> | null = null;

const bundled = (): Promise<Manifest> =>
  (manifest ??= readFile(join(BUNDLE, 'manifest.json'), 'utf8').then((text) => JSON.parse(text) as Manifest));

const documentOf = ({ entry }: Manifest): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Penstock</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="csp-nonce" content="bm9uY2U=" />
    <link rel="stylesheet" href="/console/assets/${entry.style}" />
    <link rel="icon" href="data:," />
    <script type="module" src="/console/assets/${entry.script}"></script>
  </head>
  <body><div id="console"></div></body>
</html>`;

const answerTo = (given: Answer | undefined, body: string, url: URL): Answer | undefined =>
  given !== null && given !== undefined && 'by' in given ? given.by(body, url) : given;

async function answer(route: Route, answers: Answers): Promise<void> {
  const request = route.request();
  const url = new URL(request.url());
  const { pathname } = url;
  const { files, ...rest } = await bundled();
  const asset = pathname.replace('/console/assets/', '');
  const file = files[asset];
  if (file !== undefined) {
    return route.fulfill({ contentType: file.type, body: await readFile(join(BUNDLE, asset)) });
  }
  if (!pathname.startsWith('/console/api/') && !pathname.startsWith('/v1/')) {
    const headers = { 'content-security-policy': POLICY };
    return route.fulfill({ contentType: 'text/html', headers, body: documentOf({ files, ...rest }) });
  }
  const key = `${request.method()} ${pathname}`;
  const given = answerTo(answers[key], request.postData() ?? '', url);
  if (given === null) return undefined;
  const headers = { 'x-request-id': '0193b2f0-7c1d-7e3a-9f10-2b6c8d4e5f60' };
  if (given === undefined) throw new Error(`The state has no answer to ${key}`);
  if ('data' in given) return route.fulfill({ json: { success: true, data: given.data }, headers });
  if ('by' in given) throw new Error(`The answer to ${key} depends on what was asked twice`);
  if ('ndjson' in given)
    return route.fulfill({ contentType: 'application/x-ndjson', body: given.ndjson, headers });
  if ('json' in given) return route.fulfill({ json: given.json, headers });
  const { status, code, message } = given;
  const error = { message, code, requestId: headers['x-request-id'] };
  return route.fulfill({ status, json: { success: false, error }, headers });
}

export interface Site {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser's console complained about. */
  readonly complaints: readonly string[];
  open(path: string, answers: Answers): Promise<void>;
  close(): Promise<void>;
}

/** A browser of its own, with the console at any path. */
export async function openSite(browser: Browser, settings: BrowserContextOptions): Promise<Site> {
  const context = await browser.newContext(settings);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) complaints.push(message.text());
  });
  let current: Answers = {};
  await context.route(`${ORIGIN}/**`, (route) =>
    answer(route, current).catch((error: unknown) => {
      complaints.push(String(error));
      return route.abort();
    }),
  );
  return {
    page,
    context,
    complaints,
    open: async (path, answers) => {
      current = answers;
      await page.goto('about:blank');
      await page.goto(`${ORIGIN}/console/${path}`);
    },
    close: () => context.close(),
  };
}
