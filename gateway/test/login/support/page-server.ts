import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { documentOf } from '../../../src/login/document.ts';
import { pagePolicy } from '../../../src/login/send-page.ts';
import { PAGE_STATES } from './page-states.ts';

const ASSETS = join(import.meta.dirname, '../../../src/login/assets');
const TYPES: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' };

export interface PageServer {
  readonly url: string;
  /** Forms sent so far; each is answered late, and leaves the page as it is. */
  sent(): number;
  close(): Promise<void>;
}

const FORM_ANSWER_MS = 300;

/** Serves every state of the hosted pages as `/{name}`, with their real style, scripts and policy. */
export async function servePageStates(): Promise<PageServer> {
  let sent = 0;
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      sent += 1;
      // Sleeps: plays a server that takes its time, so that a second press meets an unanswered first.
      setTimeout(() => response.writeHead(204).end(), FORM_ANSWER_MS);
      return;
    }
    const name = (request.url ?? '/').split('/').at(-1) ?? '';
    const page = PAGE_STATES[name];
    if (page !== undefined) {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('content-security-policy', pagePolicy(page.formTarget));
      response.end(documentOf(page).text);
      return;
    }
    response.setHeader('content-type', TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain');
    readFile(join(ASSETS, name)).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
