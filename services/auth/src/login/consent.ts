import type { Clock } from '@penstock/common/time/clock.ts';
import { CONSOLE_CLIENT_ID } from '../console/console-client.ts';
import { browserSession } from '../oauth/browser/session.ts';
import type { BrowserSession } from '../oauth/browser/session.ts';
import { toStep } from '../oauth/browser/step.ts';
import type { AuthorizationStep } from '../oauth/browser/step.ts';
import { internalCookies, routes } from '../oauth/provider/configuration.ts';
import type { ProviderCall } from '../oauth/provider/inject.ts';
import type { ConsentStore } from '../store/consents.ts';
import type { OAuthClientStore } from '../store/oauth-clients.ts';
import { interactionGone, openForm } from './interactions.ts';
import type { InteractionForm, InteractionOptions, OpenInteraction } from './interactions.ts';
import { requestingClient } from './page.ts';

interface ConsentOptions extends InteractionOptions {
  readonly call: ProviderCall;
  readonly mcpUrl: string;
  readonly resource: string;
  readonly oauthClients: Pick<OAuthClientStore, 'keep'>;
  readonly consents: Pick<ConsentStore, 'add'>;
  readonly clock: Clock;
}

type Result = Readonly<Record<string, unknown>>;

const denied: Result = Object.freeze({
  error: 'access_denied',
  error_description: 'The user did not allow it',
});

/** Every consent is a grant of its own, and lives as long as the tokens of its family can (`GRANT_LIFETIME_S`). */
async function newGrant(options: ConsentOptions, open: OpenInteraction, accountId: string): Promise<string> {
  const grant = new options.provider.Grant({ accountId, clientId: open.clientId });
  grant.addResourceScope(options.resource, open.scopes.join(' '));
  return grant.save();
}

/** So that the user can see whom they let in, and change their mind. */
async function remember(options: ConsentOptions, open: OpenInteraction, grantId: string): Promise<void> {
  if (open.progress.kind !== 'consent') return;
  const { clientId, scopes } = open;
  const { name, redirectHost } = await requestingClient(options, open);
  const allowedAtS = Math.floor(options.clock.now() / 1000);
  const consent = { name, redirectHost, scopes: [...scopes], allowedAtS };
  await options.consents.add(open.progress.user.userId, consent, { clientId, grantId });
}

async function resultOf(options: ConsentOptions, open: OpenInteraction, allow: boolean): Promise<Result> {
  if (!allow) return denied;
  if (open.progress.kind !== 'consent') throw interactionGone();
  const { accountId, signedInAtS } = open.progress;
  await options.oauthClients.keep(open.clientId);
  const consent = { grantId: await newGrant(options, open, accountId) };
  if (open.clientId !== CONSOLE_CLIENT_ID) await remember(options, open, consent.grantId);
  return signedInAtS === null ? { consent } : { consent, login: { accountId, ts: signedInAtS } };
}

/**
 * The user's answer: ends the interaction and sends the browser back to the client. The browser gets a new session ID
 * where it signed in.
 */
export async function decideConsent(
  options: ConsentOptions,
  form: InteractionForm,
  allow: boolean,
): Promise<AuthorizationStep> {
  const { provider, cookies } = options;
  const { cookieHeader } = form.browser;
  const open = await openForm(options, form);
  const interaction = await provider.Interaction.find(open.id);
  if (interaction === undefined) throw interactionGone();
  const result = await resultOf(options, open, allow);
  let session: BrowserSession | null = await browserSession(options, cookieHeader);
  const isSwitch =
    open.progress.kind === 'consent' &&
    open.progress.signedInAtS !== null &&
    session !== null &&
    session.accountId !== open.progress.accountId;
  if (isSwitch && session !== null) {
    // Another user signs in on this browser, so the earlier session ends. (oidc-provider would ask to sign out
    // first.)
    await (await provider.Session.find(session.sessionId))?.destroy();
    session = null;
  }
  // The user who signed in here may be another than the one at the start. Consent by session must come from the user
  // at the start.
  const bySession = open.progress.kind === 'consent' && open.progress.signedInAtS === null;
  if (!bySession || !allow) delete interaction.session;
  Object.assign(interaction, { result });
  await interaction.persist();
  await options.signIns.remove(open.id);
  const response = await options.call({
    method: 'GET',
    path: `${routes.authorization}/${open.id}`,
    cookies: {
      [internalCookies.resume]: open.id,
      ...(session === null ? {} : { [internalCookies.session]: session.sessionId }),
    },
  });
  const step = toStep(options, response, open.clientId);
  return { ...step, setCookies: [...step.setCookies, ...cookies.clearInteraction(open.id)] };
}
