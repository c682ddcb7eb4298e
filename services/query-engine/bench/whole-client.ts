/** POST /v1/query for a whole result, thrown away as it comes, at a pace if one is wanted. */
import { createHash } from 'node:crypto';
import { request as send, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface WholeAnswer {
  readonly bytes: number;
  readonly rows: number;
  readonly readUnits: number;
  readonly sha256: string;
}

export interface WholeOptions {
  /** Bytes a second that are taken; as many as come where absent. */
  readonly bytesPerSecond?: number;
  /** Told what has come. */
  readonly onChunk?: (chunk: Buffer, response: IncomingMessage) => void;
  readonly signal?: AbortSignal;
}

const begun = (baseUrl: string, token: string, accept: string, sql: string, signal?: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', accept, authorization: `Bearer ${token}` };
    const url = `${baseUrl.replace('localhost', '127.0.0.1')}/v1/query`;
    const sent = send(url, { method: 'POST', headers, ...(signal === undefined ? {} : { signal }) }, resolve);
    sent.on('error', reject);
    sent.end(JSON.stringify({ sql }));
  });

/** Throws unless all of it came. */
export async function takeWhole(
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
  accept: string,
  sql: string,
  { bytesPerSecond = Infinity, onChunk, signal }: WholeOptions = {},
): Promise<WholeAnswer> {
  const response = await begun(baseUrl, token, accept, sql, signal);
  const hash = createHash('sha256');
  const started = performance.now();
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    hash.update(chunk);
    onChunk?.(chunk, response);
    const aheadMs = (bytes / bytesPerSecond) * 1000 - (performance.now() - started);
    if (aheadMs > 0) await sleep(aheadMs);
  }
  if (response.statusCode !== 200 || !response.complete)
    throw new Error(`${response.statusCode}, ${response.complete ? '' : 'not '}whole, ${bytes} bytes`);
  const { trailers } = response;
  const sha256 = hash.digest('base64');
  if (trailers['content-digest'] !== `sha-256=:${sha256}:`) throw new Error('another digest than was sent');
  return {
    bytes,
    rows: Number(trailers['x-penstock-rows']),
    readUnits: Number(trailers['x-penstock-read-units']),
    sha256,
  };
}
