import {
  errorResponses,
  jsonRequest,
  jsonResponse,
  type ErrorStatus,
  type Parameter,
  type Paths,
} from '../operation.ts';
import { SCHEMAS_PER_PAGE_MAX } from '../../limits.ts';

const tags = ['Schemas'];

const schemaName: Parameter = {
  name: 'schemaName',
  in: 'path',
  required: true,
  description: 'The schema; case does not matter.',
  schema: { type: 'string' },
};

const common: readonly ErrorStatus[] = [400, 401, 403, 429];
const ofOne: readonly ErrorStatus[] = [...common, 404];

const example = {
  schemaName: 'shop',
  region: 'eu-west-1',
  accountId: '123456789012',
  roleArn: 'arn:aws:iam::123456789012:role/penstock-access',
  externalId: 'penstock-tnt_0192f0c1d2e37f4a8b9c0d1e2f3a4b5c-b0a7ff2e-6a5c-4a58-9a9e-0c7e1b0b1d11',
  tableAllowlist: ['customers', 'orders'],
  readLimits: { unitsPerSecond: 50, unitsPerQuery: 1000 },
};

export const schemaPaths: Paths = {
  '/v1/schemas': {
    post: {
      summary: 'Create a schema',
      description:
        'Scope `schemas:write`. Starts a background refresh of its metadata. 409 where the name is taken, the role ' +
        'is not to be had with this external ID, or the tenant has as many schemas as it may have (100 unless the operator ' +
        'set another number).',
      operationId: 'createSchema',
      tags,
      requestBody: jsonRequest('CreateSchemaRequest', example),
      responses: {
        201: jsonResponse('The record.', 'ChangedSchemaResponse'),
        ...errorResponses([...common, 409, 413]),
      },
    },
    get: {
      summary: 'List schemas',
      description: 'Scope `schemas:read`. By name.',
      operationId: 'listSchemas',
      tags,
      parameters: [
        {
          name: 'limit',
          in: 'query',
          description: `Records of this page; cut to ${SCHEMAS_PER_PAGE_MAX}, which is also the default.`,
          schema: { type: 'integer', minimum: 1, default: SCHEMAS_PER_PAGE_MAX },
        },
        {
          name: 'nextToken',
          in: 'query',
          description: 'From the page before.',
          schema: { type: 'string', minLength: 1 },
        },
      ],
      responses: { 200: jsonResponse('A page.', 'SchemaListResponse'), ...errorResponses(common) },
    },
  },
  '/v1/schemas/{schemaName}': {
    get: {
      summary: 'Get a schema',
      description: 'Scope `schemas:read`.',
      operationId: 'getSchema',
      tags,
      parameters: [schemaName],
      responses: { 200: jsonResponse('The record.', 'SchemaResponse'), ...errorResponses(ofOne) },
    },
    patch: {
      summary: 'Change a schema',
      description:
        'Scope `schemas:write`. Fields that are absent stay; the record that results must be valid as a whole. 409 ' +
        'where the role is not to be had with the external ID.',
      operationId: 'updateSchema',
      tags,
      parameters: [schemaName],
      requestBody: jsonRequest('UpdateSchemaRequest', { status: 'disabled' }),
      responses: {
        200: jsonResponse('The record as it is now.', 'ChangedSchemaResponse'),
        ...errorResponses([...ofOne, 409, 413]),
      },
    },
    delete: {
      summary: 'Delete a schema and its cached metadata',
      description: 'Scope `schemas:write`.',
      operationId: 'deleteSchema',
      tags,
      parameters: [schemaName],
      responses: { 200: jsonResponse('It is gone.', 'DeletedSchemaResponse'), ...errorResponses(ofOne) },
    },
  },
  '/v1/schemas/{schemaName}/refresh-metadata': {
    post: {
      summary: 'Refresh cached table metadata',
      description: 'Scope `schemas:write`. 200 when it was attempted, even if tables failed: see `data.ok`.',
      operationId: 'refreshMetadata',
      tags,
      parameters: [schemaName],
      responses: { 200: jsonResponse('How it went.', 'RefreshMetadataResponse'), ...errorResponses(ofOne) },
    },
  },
  '/v1/schemas/{schemaName}/validate-role': {
    post: {
      summary: 'Check the access role',
      description: 'Scope `schemas:write`. 200 whether it passed or not: see `data.ok`.',
      operationId: 'validateRole',
      tags,
      parameters: [schemaName],
      responses: { 200: jsonResponse('What was found.', 'ValidateRoleResponse'), ...errorResponses(ofOne) },
    },
  },
};
