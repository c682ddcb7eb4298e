/** Bodies of answers, whole. */
import type { Readable } from 'node:stream';
import { countPassed } from '../process/collect-passed.ts';
import { DYNAMO_BODY_BYTES_MAX } from './limits.ts';

/**
 * The whole body. Where its length is declared, each chunk can be freed as soon as it is copied. By events: iterating
 * takes several promises and listeners more, which is felt where an answer is one item.
 */
export async function readAll(body: Readable, declaredBytes: number): Promise<Buffer> {
  const whole = declaredBytes <= DYNAMO_BODY_BYTES_MAX ? Buffer.allocUnsafeSlow(declaredBytes) : null;
  const bytesMax = whole?.length ?? DYNAMO_BODY_BYTES_MAX;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    body.on('data', (chunk: Uint8Array) => {
      const at = bytes;
      bytes += chunk.length;
      if (bytes > bytesMax) body.destroy(new Error(`an answer of more than ${bytesMax} bytes`));
      else if (whole === null) chunks.push(chunk);
      else whole.set(chunk, at);
    });
    body.once('end', resolve);
    body.once('error', reject);
    body.once('close', () => {
      // An error that nobody sees would cost its stack.
      if (!body.readableEnded && body.errored === null)
        reject(new Error('the connection was closed before the end of an answer'));
    });
  });
  countPassed(bytes);
  return whole === null ? Buffer.concat(chunks, bytes) : whole.subarray(0, bytes);
}
