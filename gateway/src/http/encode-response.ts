/** Writes a response whose length nobody knows, compressed as its client likes it, at the pace of who reads it. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { Exchange } from './exchange.ts';

/** In the order of preference, where a client has none. The levels are those that keep up with the rows. */
const CODERS = Object.freeze({
  zstd: () => createZstdCompress(),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip(),
});
type Coding = keyof typeof CODERS;

export interface EncodedResponse {
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends it, with what is said of the whole behind it. */
  end(trailers: Readonly<Record<string, string>>): Promise<void>;
  /** Cuts it: the client sees that it is not all. `last` is the last that can be read; null: what was written may be lost. */
  cut(last: Uint8Array | null): Promise<void>;
}

/** A client that wants the bytes as they are (RFC 9111, 5.2.1.6): so that what is on its way is as much as it says. */
const asIs = (request: Exchange['request']): boolean =>
  /\bno-transform\b/i.test(request.get('cache-control') ?? '');

/** The digest of all that was sent, as RFC 9530 has it. */
const DIGEST = 'content-digest';

/**
 * Headers must be set but for those of the coding. `trailers`: the names of what comes behind. `mayCode`: false of what is
 * compressed in itself.
 */
export function encodeResponse(
  { request, response, signal }: Exchange,
  trailers: readonly string[],
  mayCode: boolean,
): EncodedResponse {
  const isCoded = mayCode && !asIs(request);
  const coding = isCoded && request.acceptsEncodings([...Object.keys(CODERS), 'identity']);
  const coder = typeof coding === 'string' && coding in CODERS ? CODERS[coding as Coding]() : null;
  response.setHeader('vary', mayCode ? 'accept, accept-encoding' : 'accept');
  if (coder !== null) response.setHeader('content-encoding', coding as string);
  response.setHeader('trailer', [DIGEST, ...trailers].join(', '));
  const hash = createHash('sha256');

  const room = async (stream: Writable): Promise<void> => {
    // Who goes away is not waited for: the query ends by the same signal.
    if (!signal.aborted) await once(stream, 'drain', { signal }).catch(() => undefined);
  };
  const send = async (bytes: Uint8Array): Promise<void> => {
    hash.update(bytes);
    if (!response.write(bytes)) await room(response);
  };
  const sent =
    coder === null
      ? Promise.resolve()
      : (async (): Promise<void> => {
          for await (const chunk of coder) await send(chunk as Uint8Array);
        })();
  // What fails here is a client that went away.
  sent.catch(() => undefined);

  const write = async (bytes: Uint8Array): Promise<void> => {
    if (coder === null) await send(bytes);
    else if (!coder.write(bytes)) await room(coder);
  };

  return {
    write,
    async end(said) {
      coder?.end();
      await sent;
      response.addTrailers({ ...said, [DIGEST]: `sha-256=:${hash.digest('base64')}:` });
      response.end();
    },
    async cut(last) {
      if (last === null) coder?.destroy();
      else {
        await write(last);
        coder?.end();
        await sent;
      }
      // What is written still goes out; nothing says that it is all.
      response.socket?.destroySoon();
    },
  };
}
