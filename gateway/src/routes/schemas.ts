import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Scope } from '@penstock/common/token/principal.ts';
import type { CallOptions } from '@connectrpc/connect';
import type { z } from 'zod';
import type { GatewayClients, ReadLimitsMessage } from '../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../clients/service-call.ts';
import { sendData } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import { pathParameter } from '../http/path-parameter.ts';
import { ACCOUNT_RPC_TIMEOUT_MS } from '../limits.ts';
import type { Admission } from '../middleware/admission.ts';
import { validate } from '../validation/describe-issue.ts';
import { readJsonBody } from '../validation/json-body.ts';
import { validQueryParameters } from '../validation/query-parameters.ts';
import {
  createSchemaRequest,
  listSchemasParameters,
  noParameters,
  type readLimits as readLimitsShape,
  SCHEMA_NAME,
  updateSchemaRequest,
} from '../validation/schema-requests.ts';
import { createdRecord, record, refreshData } from './schema-data.ts';

type GivenLimits = z.output<typeof readLimitsShape>;

interface SchemaRouteOptions {
  readonly admission: Admission;
  readonly schemas: GatewayClients['schemas'];
}

/** A name that no schema can have is answered like an unknown one. Only role validation answers 400. */
function schemaNameOf(exchange: Exchange): string {
  const schemaName = pathParameter(exchange, 'schemaName');
  if (SCHEMA_NAME.test(schemaName)) return schemaName;
  throw new PenstockError('SCHEMA_NOT_FOUND', `Schema not found: ${schemaName}`);
}

function validSchemaNameOf(exchange: Exchange): string {
  const schemaName = pathParameter(exchange, 'schemaName');
  if (SCHEMA_NAME.test(schemaName)) return schemaName;
  throw new PenstockError(
    'VALIDATION_ERROR',
    'schemaName must begin with a letter and have at most 64 letters, digits, _ and -',
  );
}

const bodyOf = async (exchange: Exchange): Promise<unknown> => (await readJsonBody(exchange)).value;

/** An allowlist as a message, so that its absence can be told from an empty one. */
const allowlist = (tables: readonly string[] | undefined): { tableAllowlist?: { tables: string[] } } =>
  tables === undefined ? {} : { tableAllowlist: { tables: [...tables] } };

/** Limits as a message; none set as one without a member. */
const limits = (given: GivenLimits | null | undefined): { readLimits?: ReadLimitsMessage } =>
  given === undefined
    ? {}
    : {
        readLimits: {
          ...(given?.unitsPerSecond === undefined ? {} : { unitsPerSecond: given.unitsPerSecond }),
          ...(given?.unitsPerQuery === undefined ? {} : { unitsPerQuery: given.unitsPerQuery }),
          tableUnitsPerSecond: given?.tableUnitsPerSecond ?? {},
        },
      };

/** All routes of /v1/schemas. */
export function schemaEndpoints({ admission, schemas }: SchemaRouteOptions): readonly Endpoint[] {
  const route = (
    method: Endpoint['method'],
    path: string,
    scope: Scope,
    handle: (exchange: Exchange, call: CallOptions) => Promise<void>,
    timeoutMs?: number,
  ): Endpoint => ({
    method,
    path: `/v1/schemas${path}`,
    handle: async (exchange) => {
      const { token } = await admission.admit(exchange, scope);
      await handle(exchange, onBehalfOf(exchange, token, timeoutMs));
    },
  });

  return [
    route('post', '', 'schemas:write', async (exchange, call) => {
      validQueryParameters(exchange, noParameters);
      const { tableAllowlist, readLimits, ...fields } = validate(createSchemaRequest, await bodyOf(exchange));
      const created = await answered(
        schemas.createSchema({ ...fields, ...allowlist(tableAllowlist), ...limits(readLimits) }, call),
      );
      sendData(exchange.response, 201, createdRecord(created));
    }),

    route('get', '', 'schemas:read', async (exchange, call) => {
      const { limit, nextToken } = validQueryParameters(exchange, listSchemasParameters);
      const page = await answered(
        schemas.listSchemas({ limit, ...(nextToken === undefined ? {} : { nextToken }) }, call),
      );
      sendData(exchange.response, 200, {
        items: page.items.map(record),
        ...(page.nextToken === undefined ? {} : { nextToken: page.nextToken }),
      });
    }),

    route('get', '/:schemaName', 'schemas:read', async (exchange, call) => {
      validQueryParameters(exchange, noParameters);
      const schema = await answered(schemas.getSchema({ schemaName: schemaNameOf(exchange) }, call));
      sendData(exchange.response, 200, record(schema));
    }),

    route('patch', '/:schemaName', 'schemas:write', async (exchange, call) => {
      validQueryParameters(exchange, noParameters);
      const { tableAllowlist, readLimits, region, accountId, roleArn, externalId, status } = validate(
        updateSchemaRequest,
        await bodyOf(exchange),
      );
      const changed = await answered(
        schemas.updateSchema(
          {
            schemaName: schemaNameOf(exchange),
            ...(region === undefined ? {} : { region }),
            ...(accountId === undefined ? {} : { accountId }),
            ...(roleArn === undefined ? {} : { roleArn }),
            ...(externalId === undefined ? {} : { externalId }),
            ...(status === undefined ? {} : { status }),
            ...allowlist(tableAllowlist),
            ...limits(readLimits),
          },
          call,
        ),
      );
      sendData(exchange.response, 200, createdRecord(changed));
    }),

    route('delete', '/:schemaName', 'schemas:write', async (exchange, call) => {
      validQueryParameters(exchange, noParameters);
      const { schemaName } = await answered(
        schemas.deleteSchema({ schemaName: schemaNameOf(exchange) }, call),
      );
      sendData(exchange.response, 200, { schemaName, deleted: true });
    }),

    route(
      'post',
      '/:schemaName/refresh-metadata',
      'schemas:write',
      async (exchange, call) => {
        validQueryParameters(exchange, noParameters);
        const result = await answered(schemas.refreshMetadata({ schemaName: schemaNameOf(exchange) }, call));
        sendData(exchange.response, 200, refreshData(result));
      },
      ACCOUNT_RPC_TIMEOUT_MS,
    ),

    route(
      'post',
      '/:schemaName/validate-role',
      'schemas:write',
      async (exchange, call) => {
        validQueryParameters(exchange, noParameters);
        const { ok, message } = await answered(
          schemas.validateRole({ schemaName: validSchemaNameOf(exchange) }, call),
        );
        sendData(exchange.response, 200, { ok, message });
      },
      ACCOUNT_RPC_TIMEOUT_MS,
    ),
  ];
}
