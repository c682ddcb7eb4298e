import type { Envelope } from '../keys/envelope.ts';
import type { AuthorizationServerParts } from '../oauth/authorization-server.ts';
import type { AuthorizationStep } from '../oauth/browser/step.ts';
import { createPendingStore } from '../store/pending.ts';
import type { PasskeyStore } from '../store/passkeys.ts';
import type { EmailStore } from '../store/emails.ts';
import type { ConsentStore } from '../store/consents.ts';
import type { OAuthClientStore } from '../store/oauth-clients.ts';
import type { EnrollmentStore } from '../store/enrollments.ts';
import type { PrincipalStore } from '../store/principals.ts';
import { createSignInStore } from '../store/sign-ins.ts';
import type { AuthTable } from '../store/table.ts';
import type { TenantStore } from '../store/tenants.ts';
import type { Accounts } from '../oauth/accounts.ts';
import type { Throttles } from '../throttling/throttles.ts';
import type { User } from '../users/user.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { decideConsent } from './consent.ts';
import { createEnrollment } from './enrollment.ts';
import type { Enrollment } from './enrollment.ts';
import { openInteraction } from './interactions.ts';
import type { InteractionBrowser, InteractionForm } from './interactions.ts';
import { interactionPage } from './page.ts';
import type { InteractionPage } from './page.ts';
import { createPasskeys } from './passkeys.ts';
import { createPasswordSignIn } from './password-sign-in.ts';
import { createSignInTries } from './sign-in-tries.ts';
import { createSignIns } from './sign-in.ts';
import type { SignIns } from './sign-in.ts';

/** What the hosted pages do. */
export interface HostedLogin {
  /** Throws `NOT_FOUND`. */
  page(browser: InteractionBrowser): Promise<InteractionPage>;
  decide(form: InteractionForm, allow: boolean): Promise<AuthorizationStep>;
  readonly signIns: SignIns;
  readonly enrollment: Enrollment;
}

export async function createHostedLogin(options: {
  table: AuthTable;
  parts: AuthorizationServerParts;
  accounts: Accounts;
  users: PrincipalStore<User>;
  emails: EmailStore;
  enrollments: EnrollmentStore;
  tenants: TenantStore;
  passkeyStore: PasskeyStore;
  oauthClients: OAuthClientStore;
  consents: ConsentStore;
  envelope: Envelope;
  throttles: Throttles;
  clock: Clock;
  logger: Logger;
}): Promise<HostedLogin> {
  const { table, parts, accounts, users, tenants, passkeyStore, throttles, clock } = options;
  const signIns = createSignInStore(table);
  const pending = createPendingStore(table);
  const interactions = { provider: parts.provider, cookies: parts.cookies, accounts, signIns };
  const passkeys = createPasskeys({
    ...{ store: passkeyStore, pending, users, tenants },
    ...{ mcpUrl: parts.mcpUrl, clock },
  });
  const password = await createPasswordSignIn({
    ...options,
    passkeys: passkeyStore,
    tries: createSignInTries(throttles),
  });

  return {
    async page(browser) {
      return interactionPage({ ...interactions, tenants }, await openInteraction(interactions, browser));
    },
    decide: (form, allow) =>
      decideConsent(
        { ...interactions, ...parts, oauthClients: options.oauthClients, consents: options.consents, clock },
        form,
        allow,
      ),
    signIns: createSignIns({
      ...interactions,
      password,
      passkeys,
      knownBrowsers: parts.knownBrowsers,
      throttles,
      clock,
    }),
    enrollment: createEnrollment({ ...options, ...interactions, passkeys, pending }),
  };
}
