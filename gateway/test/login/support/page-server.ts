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

/** Serves every state of the hosted pages as `/{name}`, with their real style, script and policy. */
export async function servePageStates(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
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
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
