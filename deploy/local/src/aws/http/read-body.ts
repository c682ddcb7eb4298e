import type { IncomingMessage } from 'node:http';
import { AwsError } from '../errors.ts';

/** Reads a request's body. Throws AwsError (413) when it is larger than allowed. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new AwsError('RequestEntityTooLarge', `The request is larger than ${bytesMax} bytes.`, 413);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
