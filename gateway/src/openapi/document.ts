import { authPaths } from './paths/auth.ts';
import { metaPaths } from './paths/meta.ts';
import { queryPaths } from './paths/query.ts';
import { schemaPaths } from './paths/schemas.ts';
import { usagePaths } from './paths/usage.ts';
import type { Paths } from './operation.ts';
import { bodyJsonSchemas } from './schemas.ts';

/** The version of the interface, not of the software. */
const INTERFACE_VERSION = '0.1.0';

export const paths: Paths = Object.freeze({
  ...authPaths,
  ...queryPaths,
  ...schemaPaths,
  ...usagePaths,
  ...metaPaths,
});

/** The OpenAPI 3.1 document of the REST API at this URL. */
export function openApiDocument(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Penstock',
      version: INTERFACE_VERSION,
      description: "SQL SELECT over the DynamoDB tables in a tenant's own AWS account.",
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ accessToken: [] }],
    tags: ['Authentication', 'Query', 'Schemas', 'Usage', 'Service'].map((name) => ({ name })),
    paths,
    components: {
      schemas: bodyJsonSchemas(),
      headers: {
        RequestId: {
          description: "The caller's own x-request-id where it is usable, else a new UUID.",
          schema: { type: 'string' },
        },
        RetryAfter: {
          description: 'Seconds to wait before trying again.',
          schema: { type: 'integer', minimum: 1 },
        },
      },
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}
