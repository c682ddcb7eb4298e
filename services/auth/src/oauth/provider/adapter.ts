import type { Clock } from '@penstock/common/time/clock.ts';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { errors } from 'oidc-provider';
import type { ApiClient } from '../../clients/client.ts';
import { CONSOLE_CLIENT_ID, consoleClientMetadata } from '../../console/console-client.ts';
import type { OAuthClientStore } from '../../store/oauth-clients.ts';
import type { ModelPayload, OAuthModelStore } from '../../store/oauth-models.ts';
import type { PrincipalStore } from '../../store/principals.ts';
import { apiClientMetadata, isApiClientId } from '../api-clients.ts';

export interface AdapterOptions {
  readonly models: OAuthModelStore;
  readonly oauthClients: OAuthClientStore;
  readonly apiClients: PrincipalStore<ApiClient>;
  /** Where the console is. */
  readonly consoleUrl: string;
  readonly clock: Clock;
}

/** An interaction also quotes the session cookie, and its own ID in the URL to come back to. */
function withoutSecrets(payload: AdapterPayload): ModelPayload {
  const {
    jti: _jti,
    returnTo: _returnTo,
    session,
    ...rest
  } = payload as AdapterPayload & {
    returnTo?: unknown;
    session?: Record<string, unknown>;
  };
  if (session === undefined) return rest;
  const { cookie: _cookie, ...sessionRest } = session;
  return { ...rest, session: sessionRest };
}

const notOurs = (what: string) => async (): Promise<undefined> => {
  throw new Error(`oidc-provider asked for ${what}, which no feature in use needs`);
};

/** Where oidc-provider keeps its models. Nothing that a client or a browser presents is stored readably. */
export function createAdapter(options: AdapterOptions): (model: string) => Adapter {
  const { models, oauthClients, apiClients, clock } = options;
  const nowS = (): number => Math.floor(clock.now() / 1000);
  const unused = { findByUid: notOurs('a session by uid'), findByUserCode: notOurs('a user code') };

  const clientAdapter: Adapter = {
    ...unused,
    upsert: (id, metadata) => oauthClients.create(id, metadata),
    async find(id) {
      if (id === CONSOLE_CLIENT_ID) return consoleClientMetadata(options.consoleUrl);
      const found = isApiClientId(id) ? await apiClientMetadata(apiClients, id) : await oauthClients.get(id);
      return found ?? undefined;
    },
    consume: notOurs('a client to be consumed'),
    destroy: notOurs('a client to be deleted'),
    revokeByGrantId: notOurs('a client to be revoked'),
  };

  /**
   * A code that came twice was stolen, and ends what it gave (RFC 6749, section 4.1.2). The library does that where the
   * second comes later; this is where both came at once. A refresh token is another matter: clients that call several
   * tools at once refresh several times at once, and only a later use of an old one tells of a theft.
   */
  async function endGrantOf(codeId: string): Promise<void> {
    const grantId = (await models.find('AuthorizationCode', codeId))?.payload['grantId'];
    if (typeof grantId === 'string') await models.destroy('Grant', grantId);
  }

  const modelAdapter = (model: string): Adapter => ({
    ...unused,
    async upsert(id, payload, expiresIn) {
      const expiresAtS = expiresIn === undefined ? null : nowS() + expiresIn;
      // The end is by one clock: that of the table's reader.
      const kept = { ...withoutSecrets(payload), ...(expiresAtS === null ? {} : { exp: expiresAtS }) };
      await models.save(model, id, kept, expiresAtS);
    },
    async find(id) {
      const found = await models.find(model, id);
      if (found === null || found.payload['kind'] !== model) return undefined;
      const consumed = found.consumedAtS === null ? {} : { consumed: found.consumedAtS };
      return { ...found.payload, ...consumed, jti: id };
    },
    async consume(id) {
      // Of parallel redemptions one wins; the others end here.
      if (await models.consume(model, id, nowS())) return;
      if (model === 'AuthorizationCode') await endGrantOf(id);
      throw new errors.InvalidGrant('already consumed');
    },
    destroy: (id) => models.destroy(model, id),
    // Tokens are good only while their grant is there, and oidc-provider deletes that next (`revokeGrantPolicy`).
    revokeByGrantId: async () => undefined,
  });

  return (model) => (model === 'Client' ? clientAdapter : modelAdapter(model));
}
