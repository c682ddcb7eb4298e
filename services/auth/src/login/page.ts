import { CONSOLE_CLIENT_ID } from '../console/console-client.ts';
import { isDocumentUrl } from '../oauth/failure.ts';
import { redirectsToLocalhost } from '../oauth/redirect-uris.ts';
import type { McpScope } from '../oauth/scopes.ts';
import type { TenantStore } from '../store/tenants.ts';
import { interactionGone } from './interactions.ts';
import type { InteractionOptions, OpenInteraction } from './interactions.ts';

/** What the user learns of the client. */
export interface RequestingClient {
  readonly name: string;
  readonly redirectHost: string;
  readonly redirectOrigin: string;
  readonly redirectsToLocalhost: boolean;
  /** Host of its metadata document; null: it registered itself. */
  readonly identityHost: string | null;
  /** It is our own console. */
  readonly firstParty: boolean;
}

export type Page =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'second-factor'; readonly email: string }
  | {
      readonly kind: 'consent';
      readonly email: string;
      readonly tenantName: string;
      readonly scopes: readonly McpScope[];
    };

/** What the login page shows. */
export interface InteractionPage {
  readonly interactionId: string;
  readonly csrfToken: string;
  readonly client: RequestingClient;
  readonly page: Page;
}

/** Throws `NOT_FOUND` where the client can no longer be identified. */
export async function requestingClient(
  options: InteractionOptions,
  open: OpenInteraction,
): Promise<RequestingClient> {
  // A metadata document may be gone by now. Then it is unknown who would get access.
  const client = await options.provider.Client.find(open.clientId).catch(() => undefined);
  if (client === undefined) throw interactionGone();
  const { host, origin } = new URL(open.redirectUri);
  return {
    name: client.clientName ?? open.clientId,
    redirectHost: host,
    redirectOrigin: origin,
    redirectsToLocalhost: redirectsToLocalhost(open.redirectUri),
    identityHost: isDocumentUrl(open.clientId) ? new URL(open.clientId).host : null,
    firstParty: open.clientId === CONSOLE_CLIENT_ID,
  };
}

async function pageOf(tenants: TenantStore, { progress, scopes }: OpenInteraction): Promise<Page> {
  switch (progress.kind) {
    case 'sign-in':
      return { kind: 'sign-in' };
    case 'second-factor':
      return { kind: 'second-factor', email: progress.user.email };
    case 'consent': {
      const tenant = await tenants.get(progress.user.tenantId);
      return { kind: 'consent', email: progress.user.email, tenantName: tenant?.name ?? '', scopes };
    }
  }
}

/** Throws `NOT_FOUND` where the client can no longer be identified. */
export async function interactionPage(
  options: InteractionOptions & { readonly tenants: TenantStore },
  open: OpenInteraction,
): Promise<InteractionPage> {
  const [client, page] = await Promise.all([requestingClient(options, open), pageOf(options.tenants, open)]);
  return { interactionId: open.id, csrfToken: options.cookies.csrfToken(open.id, open.round), client, page };
}
