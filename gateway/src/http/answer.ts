import type { Response } from 'express';

/** Chunks of fewer bytes together are copied: writing once costs less than writing several. */
const COPIED_BYTES_MAX = 16_384;

/** Sends a value as JSON. */
export function sendJson(response: Response, status: number, body: unknown): void {
  sendJsonChunks(response, status, [Buffer.from(JSON.stringify(body))]);
}

/** Sends what together is a JSON text; a long one without joining it first. */
export function sendJsonChunks(response: Response, status: number, chunks: readonly Uint8Array[]): void {
  response.status(status);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  response.setHeader('content-length', bytes);
  if (bytes <= COPIED_BYTES_MAX) {
    response.end(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes));
    return;
  }
  for (const chunk of chunks) response.write(chunk);
  response.end();
}

/** The success envelope of every endpoint: exactly `success` and `data`. */
export function sendData(response: Response, status: number, data: unknown): void {
  sendJson(response, status, { success: true, data });
}
