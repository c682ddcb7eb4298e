import { z } from 'zod';
import { SCOPES, isScope } from '@penstock/common/token/principal.ts';
import type { TenantClient, TenantClientCredentials } from '../../clients/console-messages.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import { answered } from '../../clients/service-call.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { pathParameter } from '../../http/path-parameter.ts';
import { NAME_CHARS_MAX } from '../../limits.ts';
import { validQueryParameters } from '../../validation/query-parameters.ts';
import type { ApiClient, ClientCredentials } from '../api/clients.ts';
import { PATHS } from '../api/paths.ts';
import type { Page } from '../api/protocol.ts';
import { bodyOf } from './body.ts';
import { given } from './given.ts';
import { nextOf, pageParameters } from './parameters.ts';
import { consoleRoute, type ConsoleRoutes } from './route.ts';

const newClient = z.strictObject({
  name: z.string().trim().min(1).max(NAME_CHARS_MAX),
  scopes: z.array(z.enum(SCOPES)).max(SCOPES.length).optional(),
});

function shown(message: TenantClient | undefined): ApiClient {
  const { client, lastUsedAt } = given(message);
  const { clientId, name, scopes, status, createdAt } = given(client);
  return {
    ...{ clientId, name, createdAt, lastUsedAt: lastUsedAt ?? null },
    scopes: scopes.filter(isScope),
    status: status === 'active' ? 'active' : 'disabled',
  };
}

const credentials = ({ client, clientSecret }: TenantClientCredentials): ClientCredentials => ({
  client: shown(client),
  clientSecret,
});

/** The tenant's API clients. */
export function clientEndpoints(
  options: ConsoleRoutes & { readonly tenantAdmin: GatewayClients['tenantAdmin'] },
): readonly Endpoint[] {
  const { tenantAdmin } = options;
  const admins = { for: 'admins' } as const;
  const idOf = (exchange: Parameters<typeof pathParameter>[0]): string => pathParameter(exchange, 'clientId');
  const setActive = (action: string, active: boolean): Endpoint =>
    consoleRoute(
      options,
      'post',
      `${PATHS.clients}/:clientId/${action}`,
      async ({ exchange, rpc }) =>
        shown(await answered(tenantAdmin.setTenantClientStatus({ clientId: idOf(exchange), active }, rpc))),
      admins,
    );
  return [
    consoleRoute(
      options,
      'get',
      PATHS.clients,
      async ({ exchange, rpc }) => {
        const page = await answered(
          tenantAdmin.listTenantClients(validQueryParameters(exchange, pageParameters), rpc),
        );
        return { items: page.clients.map(shown), ...nextOf(page) } satisfies Page<ApiClient>;
      },
      admins,
    ),
    consoleRoute(
      options,
      'post',
      PATHS.clients,
      async ({ exchange, rpc }) => {
        const { name, scopes = [] } = await bodyOf(exchange, newClient);
        return credentials(await answered(tenantAdmin.createTenantClient({ name, scopes }, rpc)));
      },
      { ...admins, status: 201 },
    ),
    consoleRoute(
      options,
      'post',
      `${PATHS.clients}/:clientId/rotate-secret`,
      async ({ exchange, rpc }) =>
        credentials(await answered(tenantAdmin.rotateTenantClientSecret({ clientId: idOf(exchange) }, rpc))),
      admins,
    ),
    setActive('disable', false),
    setActive('enable', true),
  ];
}
