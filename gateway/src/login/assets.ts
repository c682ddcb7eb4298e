import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../http/endpoint.ts';

/** Short, so that pages of a new release don't wear an old one's style for long. */
const ASSET_MAX_AGE_S = 300;

const ASSETS: Readonly<Record<string, string>> = Object.freeze({
  'pages.css': 'text/css; charset=utf-8',
  'passkey.js': 'text/javascript; charset=utf-8',
  'submit-once.js': 'text/javascript; charset=utf-8',
});

/** The pages' style sheet and scripts, read once. */
export function assetEndpoints(): readonly Endpoint[] {
  return Object.entries(ASSETS).map(([name, type]): Endpoint => {
    const content = readFileSync(join(import.meta.dirname, 'assets', name));
    return {
      method: 'get',
      path: `/login/assets/${name}`,
      handle: async ({ response }) => {
        response.setHeader('cache-control', `public, max-age=${ASSET_MAX_AGE_S}`);
        response.setHeader('content-type', type);
        response.end(content);
      },
    };
  });
}
