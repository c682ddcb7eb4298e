/**
 * Fetches client ID metadata documents, which any stranger can make us do. oidc-provider's own guard looks at the
 * address once it is connected. This one resolves the host, checks all its addresses, and connects to one that it
 * checked. So a name that resolves differently a moment later gains nothing.
 */
import { request } from 'node:https';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { isIP } from 'node:net';
import { parseForeignJson } from '@penstock/common/json/foreign-json.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { METADATA_DOCUMENT } from '../../limits.ts';
import type { Attempts } from '@penstock/common/throttling/attempts.ts';
import { readDocument } from '../client-metadata.ts';
import type { DocumentNetwork } from './network.ts';

/** Of the kind of `fetch`; throws where there is no document that can be used. */
export type DocumentFetch = (url: string) => Promise<Response>;

/** Headers that say how long a document keeps. */
const cachingHeaders = ['cache-control', 'expires', 'date'] as const;
const HEADER_BYTES_MAX = 8 * 1024;

function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = (): void => reject(new Error('the metadata document took too long'));
    if (signal.aborted) return expire();
    signal.addEventListener('abort', expire, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', expire));
  });
}

function connect(options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(options, resolve).on('error', reject).end();
  });
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > METADATA_DOCUMENT.bytesMax) throw new Error('the metadata document is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The address to connect to. There is none unless all addresses of the host are allowed. */
async function checkedAddress(network: DocumentNetwork, hostname: string): Promise<string> {
  const bare = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(bare) === 0 ? await network.resolve(bare) : [bare];
  const [first] = addresses;
  if (first === undefined || !addresses.every((address) => network.mayConnectTo(address))) {
    throw new Error('the host of the metadata document is not a public one');
  }
  return first;
}

interface Refusals {
  has(url: string): boolean;
  add(url: string): void;
}

/**
 * Documents that could not be used a moment ago: oidc-provider asks again for one that failed, while it looks for
 * somebody to tell.
 */
function createRefusals(clock: Clock): Refusals {
  const untilMs = new Map<string, number>();
  return {
    has: (url) => (untilMs.get(url) ?? 0) > clock.now(),
    add(url) {
      untilMs.delete(url);
      const [oldest] = untilMs.keys();
      if (oldest !== undefined && untilMs.size >= METADATA_DOCUMENT.refusalsMax) untilMs.delete(oldest);
      untilMs.set(url, clock.now() + METADATA_DOCUMENT.refusalMs);
    },
  };
}

export function createDocumentFetch(options: {
  network: DocumentNetwork;
  byHost: Attempts;
  clock: Clock;
}): DocumentFetch {
  const { network, byHost, clock } = options;
  let running = 0;
  const refusals = createRefusals(clock);

  async function fetchNow(url: URL, signal: AbortSignal): Promise<Response> {
    const { hostname, port, pathname, search } = url;
    const address = await within(checkedAddress(network, hostname), signal);
    const response = await connect({
      // Connects by address, so that nothing is resolved again. The certificate must still be the host's.
      host: address,
      port: port === '' ? 443 : Number(port),
      path: pathname + search,
      headers: { host: url.host, accept: 'application/json', 'accept-encoding': 'identity' },
      ...(isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { servername: hostname } : {}),
      agent: false,
      maxHeaderSize: HEADER_BYTES_MAX,
      signal,
      ...(network.trustedCertificate === undefined ? {} : { ca: network.trustedCertificate }),
    });
    try {
      if (response.statusCode !== 200) throw new Error('the metadata document was not answered with 200');
      if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') {
        throw new Error('the metadata document is compressed');
      }
      const document = readDocument(parseForeignJson(await bodyOf(response)));
      const headers = new Headers({ 'content-type': 'application/json' });
      for (const name of cachingHeaders) {
        const value = response.headers[name];
        if (value !== undefined) headers.set(name, value);
      }
      return new Response(JSON.stringify(document), { headers });
    } finally {
      response.destroy();
    }
  }

  async function fetchLimited(url: URL): Promise<Response> {
    if (running >= METADATA_DOCUMENT.concurrent) {
      throw new Error('too many metadata documents are being fetched');
    }
    running += 1;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), METADATA_DOCUMENT.timeoutMs);
    try {
      if ((await byHost.take(url.hostname)) !== null) {
        throw new Error('too many metadata documents were fetched from this host');
      }
      return await fetchNow(url, deadline.signal);
    } finally {
      clearTimeout(timer);
      running -= 1;
    }
  }

  return async (text) => {
    const url = new URL(text);
    if (url.protocol !== 'https:' || (url.port !== '' && !network.anyPort)) {
      throw new Error('a metadata document is fetched over https, from port 443');
    }
    if (refusals.has(text)) throw new Error('the metadata document could not be used a moment ago');
    return fetchLimited(url).catch((error: unknown) => {
      refusals.add(text);
      throw error;
    });
  };
}
