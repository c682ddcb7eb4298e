import { raw } from 'express';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Exchange } from './exchange.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

const isTooLarge = (error: Error): boolean => 'status' in error && error.status === 413;

function readBytes({ request, response }: Exchange, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    raw({ limit: maxBytes, type: () => true })(request, response, (error?: Error) => {
      const body: unknown = request.body;
      if (error === undefined) resolve(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      else if (isTooLarge(error)) {
        reject(new PenstockError('PAYLOAD_TOO_LARGE', `The body may have at most ${maxBytes} bytes`));
      } else reject(error);
    });
  });
}

/**
 * The body of a request as text.
 *
 * @param mediaType what the request must declare; parameters such as a charset may follow it
 * @throws PenstockError PAYLOAD_TOO_LARGE, VALIDATION_ERROR for another media type or text that is not UTF-8
 */
export async function readBody(exchange: Exchange, mediaType: string, maxBytes: number): Promise<string> {
  const bytes = await readBytes(exchange, maxBytes);
  const [declared = ''] = (exchange.request.headers['content-type'] ?? '').split(';');
  if (declared.trim().toLowerCase() !== mediaType) {
    throw new PenstockError('VALIDATION_ERROR', `The content-type of the request must be ${mediaType}`);
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new PenstockError('VALIDATION_ERROR', 'The body is not UTF-8');
  }
}
