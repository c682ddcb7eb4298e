import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { AwsError } from '../errors.ts';

/** An HTTP answer as data. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** Where each code is declared: SDKs look only at what follows the `#`. */
const COMMON: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'ExpiredTokenException',
  'IncompleteSignatureException',
  'InvalidSignatureException',
  'MissingAuthenticationTokenException',
  'SerializationException',
  'UnknownOperationException',
  'UnrecognizedClientException',
]);

/** A DynamoDB answer, with the headers AWS sends. */
export function dynamoAnswer(status: number, body: Buffer, requestId: string): Answer {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amzn-requestid': requestId,
    'x-amz-crc32': String(crc32(body)),
  };
  return { status, headers, body };
}

/** A DynamoDB error. */
export function dynamoError(error: AwsError, requestId: string): Answer {
  const type = COMMON.has(error.code)
    ? `com.amazon.coral.service#${error.code}`
    : error.code === 'ValidationException'
      ? `com.amazon.coral.validate#${error.code}`
      : `com.amazonaws.dynamodb.v20120810#${error.code}`;
  const body = Buffer.from(JSON.stringify({ __type: type, message: error.message }));
  return dynamoAnswer(error.status, body, requestId);
}

/** An XML answer of IAM or STS. */
export function xmlAnswer(status: number, body: string, requestId: string): Answer {
  return { status, headers: { 'content-type': 'text/xml', 'x-amzn-requestid': requestId }, body };
}

/** A JSON answer of the endpoint's own. */
export function jsonAnswer(status: number, value: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** An ID like those of AWS's query protocol. */
export function newRequestId(): string {
  return randomUUID();
}
