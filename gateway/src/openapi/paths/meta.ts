import { errorResponses, jsonResponse, textResponse, type Paths } from '../operation.ts';

const tags = ['Service'];

export const metaPaths: Paths = {
  '/v1/openapi.json': {
    get: {
      summary: 'This document',
      operationId: 'getOpenApi',
      tags,
      security: [],
      responses: {
        200: {
          description: 'OpenAPI 3.1.',
          headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' } },
          content: { 'application/json': { schema: { type: 'object' } } },
        },
      },
    },
  },
  '/.well-known/jwks.json': {
    get: {
      summary: 'The keys that access tokens are signed with',
      operationId: 'getKeySet',
      tags,
      security: [],
      responses: { 200: jsonResponse('A JWK set (RFC 7517).', 'KeySet'), ...errorResponses([]) },
    },
  },
  '/livez': {
    get: {
      summary: 'Does the process run',
      operationId: 'getLiveness',
      tags,
      security: [],
      responses: { 200: textResponse('It does.') },
    },
  },
  '/readyz': {
    get: {
      summary: 'Does the process take requests',
      operationId: 'getReadiness',
      tags,
      security: [],
      responses: { 200: textResponse('It does.'), 503: textResponse('It starts or drains.') },
    },
  },
};
