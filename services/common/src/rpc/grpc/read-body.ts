/** A call's request body. */
import type { ServerHttp2Stream } from 'node:http2';
import { BODY_BYTES_MAX, tooLarge } from './envelope.ts';

/** Rejects where it is larger than one message may be, and with the signal's reason where the call is over before its end. */
export function readBody(stream: ServerHttp2Stream, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
      else reject(tooLarge(bytes));
    });
    stream.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // After the end it says nothing new.
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
