import { readFileSync } from 'node:fs';
import { proposeExternalId } from '@penstock/common/aws/external-id.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { ConnectGuide } from '../api/connect.ts';
import { PATHS } from '../api/paths.ts';
import { consoleRoute, type ConsoleRoutes } from './route.ts';

/** What customers are handed (`deploy/customer-role`). The gateway's image ships it (deploy/docker/Dockerfile). */
const TEMPLATE = new URL('../../../../deploy/customer-role/cloudformation.yaml', import.meta.url);

/** How an access role is made. */
export function connectEndpoints(
  options: ConsoleRoutes & {
    readonly serviceAccountId: string | null;
    readonly roleTemplateUrl: string | null;
  },
): readonly Endpoint[] {
  const template = readFileSync(TEMPLATE, 'utf8');
  const guide = async (tenantId: string): Promise<ConnectGuide> => ({
    serviceAccountId: options.serviceAccountId,
    externalId: proposeExternalId(tenantId),
    templateUrl: options.roleTemplateUrl,
    template,
  });
  return [
    consoleRoute(options, 'get', PATHS.connect, ({ signedIn }) => guide(signedIn.principal.tenantId), {
      for: 'admins',
    }),
  ];
}
