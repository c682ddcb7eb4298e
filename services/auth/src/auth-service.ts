import type { ConnectRouter } from '@connectrpc/connect';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { createTokenVerifier } from '@penstock/common/token/verifier.ts';
import type { TokenVerifier } from '@penstock/common/token/verifier.ts';
import { createBudgetAdministration } from './budgets/administer.ts';
import { createClientAdministration } from './clients/administer.ts';
import { clientSchema } from './clients/client.ts';
import { createNoteUse } from './clients/last-used.ts';
import { createClientProofs } from './clients/prove.ts';
import { createAccountAdministration } from './console/account.ts';
import { callbackOf } from './console/console-client.ts';
import { createRedeemSignIn } from './console/redeem-sign-in.ts';
import { createConsoleSessions } from './console/sessions.ts';
import { createTenantAdministrationByAdmins } from './console/tenant-administration.ts';
import { deriveKey } from './keys/derive.ts';
import { createEnvelope, keyIdOf } from './keys/envelope.ts';
import { createReencrypt } from './keys/reencrypt.ts';
import { createSealingKeys } from './keys/sealing-keys.ts';
import { openSigningKeys } from './keys/signing-keys.ts';
import { createHostedLogin } from './login/hosted-login.ts';
import { createAccounts } from './oauth/accounts.ts';
import { createAuthorizationServer } from './oauth/authorization-server.ts';
import { publicInternet } from './oauth/metadata-documents/network.ts';
import type { DocumentNetwork } from './oauth/metadata-documents/network.ts';
import { createSavedQueries } from './saved-queries/administer.ts';
import { authRoutes } from './rpc/routes.ts';
import { createBudgetStore } from './store/budgets.ts';
import { createConsentStore } from './store/consents.ts';
import { createConsoleSessionStore } from './store/console-sessions.ts';
import { createEmailStore } from './store/emails.ts';
import { createEnrollmentStore } from './store/enrollments.ts';
import { createKeyRingStore } from './store/key-rings.ts';
import { createOAuthClientStore } from './store/oauth-clients.ts';
import { createOAuthModelStore } from './store/oauth-models.ts';
import { createPasskeyStore } from './store/passkeys.ts';
import { createPrincipalStore } from './store/principals.ts';
import { createRefreshTokenStore } from './store/refresh-tokens.ts';
import { createRevocationStore } from './store/revocations.ts';
import { createSavedQueryStore } from './store/saved-queries.ts';
import { createSealingKeyStore } from './store/sealing-keys.ts';
import type { AuthTable } from './store/table.ts';
import { createTenantStore } from './store/tenants.ts';
import { createTenantAdministration } from './tenants/administer.ts';
import type { RateLimit } from './tenants/tenant.ts';
import { createThrottles } from './throttling/throttles.ts';
import { createRefreshTokens } from './tokens/refresh-tokens.ts';
import { createRestTokens } from './tokens/rest-tokens.ts';
import { createTokenSigner } from './tokens/sign.ts';
import { createUserAdministration } from './users/administer.ts';
import { userSchema } from './users/user.ts';
import type { Redis } from 'ioredis';

interface AuthServiceOptions {
  readonly table: AuthTable;
  /** Keys of 32 bytes each: the first encrypts, all decrypt. */
  readonly keyEncryptionKeys: readonly Uint8Array[];
  /** PENSTOCK_BASE_URL. */
  readonly issuer: string;
  /** PENSTOCK_MCP_URL. */
  readonly mcpUrl: string;
  /** Where the console is (`consoleUrlOf`). */
  readonly consoleUrl: string;
  /** The deployment's own limits. */
  readonly rateLimit: RateLimit;
  readonly clock: Clock;
  /** Where tries are counted. Null: in this process's memory alone. */
  readonly redis: Redis | null;
  readonly logger: Logger;
  /** The public internet where absent; tests have one of their own. */
  readonly documentNetwork?: DocumentNetwork;
}

/** What auth serves, and how it verifies the tokens of those who call it: they are its own. */
interface AuthService {
  readonly routes: (router: ConnectRouter) => void;
  readonly verifier: TokenVerifier;
}

/** Puts auth together over its table. Throws where its values cannot be opened (`SealingKeys`, `openSigningKeys`). */
export async function createAuthService(options: AuthServiceOptions): Promise<AuthService> {
  const { table, keyEncryptionKeys, issuer, mcpUrl, consoleUrl, rateLimit, clock, logger } = options;
  const sealingKeys = createSealingKeys(createSealingKeyStore(table), keyEncryptionKeys.map(keyIdOf));
  await sealingKeys.requireAll();
  const envelope = createEnvelope({
    keys: keyEncryptionKeys,
    beforeSealing: (keyId) => sealingKeys.use(keyId),
  });
  const keys = await openSigningKeys({ store: createKeyRingStore(table), envelope, clock, logger });
  // Only after the signing keys were opened: a key that cannot open them must not get onto the list.
  await sealingKeys.assumeOurs();
  const tenants = createTenantStore(table);
  const clients = createPrincipalStore(table, 'CLIENT', clientSchema);
  const users = createPrincipalStore(table, 'USER', userSchema);
  const emails = createEmailStore(table, clock);
  const enrollments = createEnrollmentStore(table);
  const revocations = createRevocationStore(table, clock);
  const signer = createTokenSigner({ keys, issuer, clock });
  const restTokens = createRestTokens({
    clients,
    tenants,
    stored: createRefreshTokenStore(table),
    refreshTokens: createRefreshTokens(keys, clock),
    signer,
    noteUse: createNoteUse(clients, clock),
    rateLimit,
  });
  const budgets = createBudgetStore(table);
  const passkeyStore = createPasskeyStore(table);
  const shared = { users, emails, enrollments, tenants, passkeyStore, envelope, clock };
  const admin = {
    tenants: createTenantAdministration(tenants, clock),
    clients: createClientAdministration({ clients, tenants, revocations, clock }),
    users: createUserAdministration({ ...shared, revocations, mcpUrl }),
    keys,
    budgets: createBudgetAdministration({ budgets, tenants, clients }),
    reencrypt: createReencrypt({ sealingKeys, keys, users, tenants, envelope }),
  };
  const oauthClients = createOAuthClientStore(table, clock);
  const models = createOAuthModelStore(table);
  const consents = createConsentStore(table, models);
  const throttles = createThrottles(options.redis, logger);
  const accounts = createAccounts(users);
  const { server, parts } = await createAuthorizationServer({
    models,
    consoleUrl,
    oauthClients,
    apiClients: clients,
    accounts,
    tenants,
    signer,
    rateLimit,
    throttles,
    network: options.documentNetwork ?? publicInternet,
    keyEncryptionKeys,
    mcpUrl,
    logger,
    clock,
  });
  const login = await createHostedLogin({
    ...shared,
    oauthClients,
    consents,
    table,
    parts,
    accounts,
    throttles,
    logger,
  });
  const oauth = { server, resource: parts.resource };
  const [keyEncryptionKey] = keyEncryptionKeys;
  if (keyEncryptionKey === undefined) throw new Error('auth has a key to encrypt with');
  const proofs = createClientProofs(clients, deriveKey(keyEncryptionKey, 'SCRAM salts'));
  const sessions = createConsoleSessionStore(table);
  const consoleSessions = createConsoleSessions({
    store: sessions,
    redeem: createRedeemSignIn({
      ...{ exchange: parts.exchange, models, accounts },
      redirectUri: callbackOf(consoleUrl),
    }),
    ...{ users, tenants, signer, rateLimit, clock },
  });
  const account = createAccountAdministration({
    ...{ users, sessions, consents, clock, passkeys: passkeyStore, enrollments: admin.users },
  });
  const tenant = createTenantAdministrationByAdmins({
    ...{ clientStore: clients, clients: admin.clients, userStore: users, users: admin.users, clock },
    ...{ passkeys: passkeyStore, budgets: admin.budgets },
  });
  const savedQueries = createSavedQueries(createSavedQueryStore(table, clock), clock);
  return {
    routes: authRoutes({
      token: { restTokens, keys, revocations, budgets },
      scram: { proofs, restTokens },
      ...{ admin, oauth, login, consoleSessions, account, tenant },
      savedQueries: [savedQueries, users],
    }),
    verifier: createTokenVerifier({ issuer, fetchKeySet: () => keys.keySet(), clock }),
  };
}
