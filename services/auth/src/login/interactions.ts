import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type Provider from 'oidc-provider';
import type { Accounts } from '../oauth/accounts.ts';
import type { BrowserCookies } from '../oauth/browser/cookies.ts';
import { requestedScopes } from '../oauth/scopes.ts';
import type { McpScope } from '../oauth/scopes.ts';
import type { SignIn, SignInStore } from '../store/sign-ins.ts';
import type { User } from '../users/user.ts';

/** An interaction, and the browser that asks for it. */
export interface InteractionBrowser {
  readonly interactionId: string;
  readonly cookieHeader: string;
}

/** A form of an interaction. */
export interface InteractionForm {
  readonly browser: InteractionBrowser;
  readonly csrfToken: string;
}

/** How far the sign-in has come. */
type Progress =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'second-factor'; readonly user: User }
  | {
      readonly kind: 'consent';
      readonly user: User;
      readonly accountId: string;
      readonly signedInAtS: number | null;
    };

/** One authorization request that waits for its user. */
export interface OpenInteraction {
  readonly id: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly McpScope[];
  readonly expiresAtS: number;
  /** Which cookie and forms are good (see `BrowserCookies`). */
  readonly round: string;
  readonly progress: Progress;
}

export interface InteractionOptions {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly cookies: BrowserCookies;
  readonly signIns: SignInStore;
}

/** The fields of the library's record that are needed here. */
interface ProviderInteraction {
  readonly uid: string;
  /** Epoch seconds. */
  readonly iat: number;
  readonly prompt: { readonly name: string };
  readonly session?: { readonly accountId: string } | undefined;
}

/** The same error for an interaction that never was, is over, or belongs to another browser. */
export const interactionGone = (): PenstockError =>
  new PenstockError(
    'NOT_FOUND',
    'This sign-in has expired or was completed. Go back to the application and start again.',
  );

async function progressOf(
  { accounts }: InteractionOptions,
  found: ProviderInteraction,
  signIn: SignIn | null,
): Promise<Progress> {
  if (signIn?.stage === 'anew') return { kind: 'sign-in' };
  // A browser that is signed in goes straight to consent, but not where the client wants a fresh sign-in.
  const fromSession = found.prompt.name === 'login' ? undefined : found.session?.accountId;
  const accountId = signIn?.accountId ?? fromSession;
  const user = accountId === undefined ? null : await accounts.activeUser(accountId);
  if (accountId === undefined || user === null) return { kind: 'sign-in' };
  // Who has signed out since is not let in by the session that was there at the start.
  if (signIn === null && found.iat <= user.signedOutAtS) return { kind: 'sign-in' };
  if (signIn?.stage === 'second-factor') return { kind: 'second-factor', user };
  return { kind: 'consent', user, accountId, signedInAtS: signIn?.atS ?? null };
}

/** Throws `NOT_FOUND` (see `interactionGone`). */
export async function openInteraction(
  options: InteractionOptions,
  { interactionId, cookieHeader }: InteractionBrowser,
): Promise<OpenInteraction> {
  const rounds = options.cookies.roundsIn(cookieHeader, interactionId);
  if (rounds.length === 0) throw interactionGone();
  const signIn = await options.signIns.get(interactionId);
  const round = signIn?.round ?? '';
  if (!rounds.includes(round)) throw interactionGone();
  const found = await options.provider.Interaction.find(interactionId);
  if (found === undefined) throw interactionGone();
  return {
    id: interactionId,
    clientId: String(found.params['client_id']),
    redirectUri: String(found.params['redirect_uri']),
    scopes: requestedScopes(String(found.params['scope'])),
    expiresAtS: found.exp,
    round,
    progress: await progressOf(options, found, signIn),
  };
}

/** Throws `NOT_FOUND`, and `VALIDATION_ERROR` for a form that is not from our page. */
export async function openForm(
  options: InteractionOptions,
  { browser, csrfToken }: InteractionForm,
): Promise<OpenInteraction> {
  const open = await openInteraction(options, browser);
  if (!options.cookies.csrfMatches(open.id, open.round, csrfToken)) {
    throw new PenstockError('VALIDATION_ERROR', 'The form is not from this page. Load the page again.');
  }
  return open;
}
