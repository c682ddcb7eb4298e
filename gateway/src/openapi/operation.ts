/** Building blocks of the document's operations. */
import type { BodyName } from './schemas.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: object;
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
  /** Empty: no token is needed. */
  readonly security?: readonly object[];
}

/** By path (as OpenAPI writes it) and method. */
export type Paths = Readonly<Record<string, Readonly<Partial<Record<string, Operation>>>>>;

const reference = (name: BodyName): object => ({ $ref: `#/components/schemas/${name}` });

const requestIdHeader = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
const retryAfterHeader = { 'retry-after': { $ref: '#/components/headers/RetryAfter' } };

export function jsonResponse(description: string, body: BodyName, example?: unknown): object {
  return {
    description,
    headers: requestIdHeader,
    content: {
      'application/json': { schema: reference(body), ...(example === undefined ? {} : { example }) },
    },
  };
}

export function jsonRequest(body: BodyName, example: unknown): object {
  return { required: true, content: { 'application/json': { schema: reference(body), example } } };
}

export const textResponse = (description: string): object => ({
  description,
  headers: requestIdHeader,
  content: { 'text/plain': { schema: { type: 'string' } } },
});

const MEANINGS = Object.freeze({
  400: 'A field is missing, wrong or unknown.',
  401: 'No token, or one that is invalid, expired or revoked.',
  403: 'The token lacks the scope, or the user the role.',
  404: 'There is none of that name.',
  406: 'No result can be had as the `Accept` header asks; the error names what there is.',
  405: 'Another method; `allow` lists those that the path has.',
  409: 'The name is taken.',
  413: 'The body is larger than 256 KiB.',
  422: 'The query failed, and `options.failWithStatus` is true.',
  429: 'Rate limit exceeded.',
  500: 'An error of ours; x-request-id identifies it.',
  503: 'A part of the service is away; try again.',
});

export type ErrorStatus = keyof typeof MEANINGS;

/** Error answers by status, in one of the two envelopes. 500 and 503 belong to every operation. */
export function errorResponses(
  statuses: readonly ErrorStatus[],
  envelope: 'Error' | 'QueryError' = 'Error',
): Record<string, object> {
  const all: readonly ErrorStatus[] = [...statuses, 500, 503];
  return Object.fromEntries(
    all.map((status) => {
      const retry = status === 429 || status === 503 ? retryAfterHeader : {};
      const response = jsonResponse(MEANINGS[status], envelope);
      return [String(status), { ...response, headers: { ...requestIdHeader, ...retry } }];
    }),
  );
}
