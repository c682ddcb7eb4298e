import type { Response } from 'express';

/** Sends a value as JSON. */
export function sendJson(response: Response, status: number, body: unknown): void {
  sendJsonChunks(response, status, [Buffer.from(JSON.stringify(body))]);
}

/** Sends what together is a JSON text, without joining it first. */
export function sendJsonChunks(response: Response, status: number, chunks: readonly Uint8Array[]): void {
  response.status(status);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader(
    'content-length',
    chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0),
  );
  for (const chunk of chunks) response.write(chunk);
  response.end();
}

/** The success envelope of every endpoint: exactly `success` and `data`. */
export function sendData(response: Response, status: number, data: unknown): void {
  sendJson(response, status, { success: true, data });
}
