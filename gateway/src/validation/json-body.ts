import { raw } from 'express';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { ForeignJsonError, parseForeignJson } from '@penstock/common/json/foreign-json.ts';
import type { Exchange } from '../http/exchange.ts';
import { BODY_BYTES_MAX } from '../limits.ts';

/** A body as text and as the value it stands for. */
export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

const readRaw = raw({ limit: BODY_BYTES_MAX, type: () => true });
const decoder = new TextDecoder('utf-8', { fatal: true });

const invalid = (message: string): PenstockError => new PenstockError('VALIDATION_ERROR', message);

function read({ request, response }: Exchange): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readRaw(request, response, (error?: Error) => {
      const body: unknown = request.body;
      if (error !== undefined) reject(error);
      else resolve(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    });
  });
}

function parse(bytes: Buffer): JsonBody {
  if (bytes.length === 0) throw invalid('A JSON body is required');
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw invalid('The body is not UTF-8');
  }
  try {
    return { text, value: parseForeignJson(text) };
  } catch (error) {
    if (error instanceof ForeignJsonError) throw invalid(`The body ${error.message}`);
    throw error;
  }
}

/**
 * Reads the body of a request.
 *
 * @throws PenstockError PAYLOAD_TOO_LARGE above BODY_BYTES_MAX, VALIDATION_ERROR for a wrong content type, what is no JSON
 *   or goes too deep, after the whole of it was read
 */
export async function readJsonBody(exchange: Exchange): Promise<JsonBody> {
  const bytes = await read(exchange);
  if (!JSON_TYPE.test(exchange.request.headers['content-type'] ?? '')) {
    throw invalid('The content-type of the request must be application/json');
  }
  return parse(bytes);
}
