/**
 * The input of a read as DynamoDB's JSON: what the SDK's inputs say, but for binary values, which are bytes there and base64
 * here.
 */
function base64OfBytes(this: unknown, key: string, value: unknown): unknown {
  // JSON.stringify has called a Buffer's toJSON by now.
  const own = (this as Readonly<Record<string, unknown>>)[key];
  return own instanceof Uint8Array ? Buffer.from(own).toString('base64') : value;
}

export function requestBody(input: object): string {
  return JSON.stringify(input, base64OfBytes);
}
